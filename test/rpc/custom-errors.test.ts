import { readFileSync } from 'node:fs';
import {
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  parseAbi,
  parseAbiParameters,
} from 'viem';
import { describe, expect, it } from 'vitest';
import { createDevnet, type DevnetOptions } from '../../src/index.ts';

const artifacts = 'fixtures/contracts';
const { bytecode } = JSON.parse(readFileSync(`${artifacts}/Token.json`, 'utf8'));
const abi = parseAbi(['function transfer(address to, uint256 value)']);
const args = encodeAbiParameters(parseAbiParameters('string, string, uint256'), ['Test', 'TST', 7n]);
const data = encodeFunctionData({ abi, args: [`0x${'22'.repeat(20)}`, 5n] });

/** A chain with a token of which its second account holds none: what it sends reverts with `InsufficientBalance`. */
async function withToken(options: DevnetOptions = {}) {
  const devnet = await createDevnet({ automine: true, ...options });
  const request = (method: string, ...params: unknown[]) => devnet.provider.request({ method, params });
  const [owner, holder] = devnet.accounts.map(({ address }) => address.toString());
  const hash = await request('eth_sendTransaction', {
    from: owner,
    data: bytecode + args.slice(2),
    gas: '0x400000',
  });
  const { contractAddress: to } = (await request('eth_getTransactionReceipt', hash)) as {
    contractAddress: Hex;
  };
  const holderAs = getAddress(holder!);
  return {
    ...{ devnet, request, call: { from: holder, to, data }, holder: holderAs },
    error: (method: string, ...params: unknown[]) =>
      request(method, ...params).then(
        (result) => ({ result }),
        ({ code, message, data: sent }) => ({ code, message, data: sent }),
      ),
    returned: `0xdb42144d${encodeAbiParameters(parseAbiParameters('address, uint256, uint256'), [holderAs, 0n, 5n]).slice(2)}`,
    [Symbol.asyncDispose]: () => devnet.close(),
  };
}

const METHODS = ['eth_call', 'eth_estimateGas'] as const;

describe.each(['fast', 'ethereumjs', 'shadow'] as const)(
  'a custom error of an artifact, engine %s',
  (engine) => {
    it.each(METHODS)('is named in the message of %s, its data is as it was', async (method) => {
      await using chain = await withToken({ artifacts, engine });
      const expected = {
        code: 3,
        message: `execution reverted: InsufficientBalance(${chain.holder}, 0, 5)`,
        data: chain.returned,
      };
      // The second time it is known.
      for (let i = 0; i < 2; i++) expect(await chain.error(method, chain.call)).toEqual(expected);
    });

    it('is named in results that have errors of calls', async () => {
      await using chain = await withToken({ artifacts, engine });
      const message = `execution reverted: InsufficientBalance(${chain.holder}, 0, 5)`;
      for (let i = 0; i < 2; i++) {
        const list = await chain.request('eth_createAccessList', chain.call);
        expect(list).toMatchObject({ error: message });
        const simulated = await chain.request(
          'eth_simulateV1',
          { blockStateCalls: [{ calls: [chain.call] }] },
          'latest',
        );
        expect(simulated).toMatchObject([{ calls: [{ error: { code: 3, message, data: chain.returned } }] }]);
        const many = await chain.request('eth_callMany', [{ transactions: [chain.call] }]);
        expect(many).toEqual([[{ error: message }]]);
      }
    });
  },
);

it("in Hardhat's words under its dialects", async () => {
  const text = (holder: string) =>
    `VM Exception while processing transaction: reverted with custom error 'InsufficientBalance("${holder}", 0, 5)'`;
  for (const method of [...METHODS, 'eth_sendTransaction']) {
    await using three = await withToken({ artifacts, compat: 'hardhat' });
    expect(await three.error(method, { ...three.call, gas: '0x30d40' })).toEqual({
      code: 3,
      message: text(three.holder),
      data: three.returned,
    });
    await using two = await withToken({ artifacts, compat: 'hardhat2' });
    const message = `Error: ${text(two.holder)}`;
    expect(await two.error(method, { ...two.call, gas: '0x30d40' })).toMatchObject({
      code: -32603,
      message,
      data: { message, data: two.returned },
    });
  }
});

it('an error that no artifact has stays in the words of each dialect', async () => {
  const unknown = { artifacts: 'test/package' };
  await using anvil = await withToken(unknown);
  const { message } = (await anvil.error('eth_call', anvil.call)) as { message: string };
  expect(message).toMatch(/^execution reverted: custom error 0xdb42144d/);
  await using hardhat = await withToken({ ...unknown, compat: 'hardhat' });
  expect(await hardhat.error('eth_call', hardhat.call)).toMatchObject({
    message: `VM Exception while processing transaction: reverted with an unrecognized custom error (return data: ${hardhat.returned})`,
  });
});

it('over HTTP, alone and in a batch', async () => {
  await using chain = await withToken({ artifacts, port: 0 });
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [chain.call, 'latest'] };
  const send = async (body: unknown) =>
    (await fetch(chain.devnet.url!, { method: 'POST', body: JSON.stringify(body) })).json();
  const error = {
    code: 3,
    message: `execution reverted: InsufficientBalance(${chain.holder}, 0, 5)`,
    data: chain.returned,
  };
  expect(await send(call)).toEqual({ jsonrpc: '2.0', id: 1, error });
  expect(await send([call, { ...call, id: 2 }])).toEqual([
    { jsonrpc: '2.0', id: 1, error },
    { jsonrpc: '2.0', id: 2, error },
  ]);
});
