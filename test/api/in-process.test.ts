import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { createPublicClient, createTestClient, createWalletClient, custom, parseAbi } from 'viem';
import { foundry } from 'viem/chains';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DevnetError as ErrorClass } from '../../src/errors.ts';
import {
  createDevnet,
  type Devnet,
  DevnetError,
  type DevnetHooks,
  type DevnetOptions,
} from '../../src/index.ts';
import { eventually } from '../eventually.ts';

const artifact = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../fixtures/contracts/${name}.json`, import.meta.url), 'utf8'));

let open: Devnet[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(open.map((node) => node.close()));
  open = [];
});

async function start(options: DevnetOptions = {}, hooks?: DevnetHooks): Promise<Devnet> {
  const node = await createDevnet({ automine: true, ...options }, hooks);
  open.push(node);
  return node;
}

/** Calls console.log('hi') as Hardhat's library does. */
const SAYS_HI = {
  to: '0x000000000000000000636F6e736F6c652e6c6f67',
  data: `0x41304fac${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}${Buffer.from('hi').toString('hex').padEnd(64, '0')}`,
};

async function sayHi({ provider, accounts }: Devnet): Promise<void> {
  await provider.request({ method: 'eth_call', params: [{ from: accounts[0]!.address, ...SAYS_HI }] });
}

describe('what a chain in a program prints', () => {
  it.each([
    ['console.log of contracts', {}, ['hi']],
    ['nothing with disableConsoleLog', { disableConsoleLog: true }, []],
    ['nothing with silent', { silent: true, logLevel: 'info' as const }, []],
  ])('%s, by console.log', async (_, options, printed) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    await sayHi(await start(options));
    expect(log.mock.calls.flat()).toEqual(printed);
  });

  it('requests and blocks where logLevel is given, when they happen', async () => {
    const lines: string[] = [];
    const node = await start({ logLevel: 'info' }, { onLog: (text) => lines.push(text) });
    await node.provider.request({ method: 'eth_chainId' });
    await Promise.resolve();
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['eth_chainId']);
    await node.mine();
    await eventually(() => expect(lines.join('\n')).toMatch(/anvil_mine/));
    expect(lines.every((text) => !text.endsWith('\n'))).toBe(true);
  });

  it('objects in JSON with logFormat json, call trees with printTraces, colours with color always', async () => {
    const json: string[] = [];
    await sayHi(await start({ logFormat: 'json' }, { onLog: (text) => json.push(text) }));
    expect(JSON.parse(json[0]!)).toMatchObject({ level: 'info', event: 'console' });
    expect(json[0]).toContain('"hi"');
    const traces: string[] = [];
    await sayHi(await start({ printTraces: true }, { onLog: (text) => traces.push(text) }));
    expect(traces.join('\n')).toContain('Traces:');
    const colored: string[] = [];
    const node = await start({ logLevel: 'info', color: 'always' }, { onLog: (text) => colored.push(text) });
    await node.provider.request({ method: 'eth_chainId' });
    await eventually(() => expect(colored.join()).toContain('\x1b['));
  });

  it('hooks take lines and call trees in place of the log', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    const onConsole = vi.fn();
    const onTrace = vi.fn();
    const onCall = vi.fn();
    await sayHi(await start({}, { onConsole, onTrace, onCall }));
    // It is called by the account itself here.
    expect(onConsole.mock.calls).toEqual([['hi', '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266']]);
    expect(onTrace.mock.calls[0]![0]).toMatchObject({ type: 'CALL', to: SAYS_HI.to.toLowerCase() });
    expect(onCall.mock.calls[0]![0]).toMatchObject({ method: 'eth_call' });
    expect(log).not.toHaveBeenCalled();
  });
});

describe('accounts and actions', () => {
  it('accounts are the checksummed address and the private key in hex', async () => {
    const { accounts } = await start();
    expect(accounts[0]).toEqual({
      address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      privateKey: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
    });
    expect(accounts).toHaveLength(10);
  });

  it('snapshot, setBalance, mine and revert', async () => {
    const node = await start();
    const [{ address }] = node.accounts as [Devnet['accounts'][0]];
    const id = await node.snapshot();
    await node.setBalance(address, 7n);
    await node.mine(3);
    expect(await node.provider.request({ method: 'eth_blockNumber' })).toBe('0x3');
    expect(await node.provider.request({ method: 'eth_getBalance', params: [address] })).toBe('0x7');
    await node.revert(id);
    expect(await node.provider.request({ method: 'eth_blockNumber' })).toBe('0x0');
    await expect(node.revert(id)).rejects.toMatchObject({
      kind: 'server',
      message: expect.stringContaining(id),
    });
  });

  it('deploy encodes the arguments of the constructor as viem does', async () => {
    const node = await start();
    // Returns what is behind its 12 bytes of creation code, as the contract's code.
    const bytecode = '0x600c380380600c5f395ff3fe' as const;
    const inputs =
      'constructor(uint8 small, (address owner, bytes32[2] words) pair, string name, int256[] list, bool yes)';
    const abi = parseAbi([inputs]);
    const args = [
      7,
      { owner: node.accounts[0]!.address, words: [`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`] },
      'groß',
      [-1n, 5n],
      true,
    ] as const;
    const { address } = await node.deploy({ bytecode, abi, args });
    const { encodeDeployData } = await import('viem');
    const expected = encodeDeployData({ abi, bytecode, args });
    expect(await node.provider.request({ method: 'eth_getCode', params: [address] })).toBe(
      `0x${expected.slice(bytecode.length)}`,
    );
    await expect(node.deploy({ bytecode, abi, args: [300, ...args.slice(1)] })).rejects.toThrow(
      'args[0]: expected uint8, got 300',
    );
    await expect(node.deploy({ bytecode, args })).rejects.toThrow('expected the abi');
    const ofFoundry = await node.deploy({ bytecode: { object: bytecode }, abi, args });
    expect(await node.provider.request({ method: 'eth_getCode', params: [ofFoundry.address] })).toBe(
      `0x${expected.slice(bytecode.length)}`,
    );
    await expect(node.deploy({ bytecode: 'Counter' })).rejects.toThrow('expected creation code in hex');
    await expect(node.deploy({ bytecode: { code: bytecode } as never })).rejects.toThrow(
      'bytecode: expected creation code in hex, got {"code":',
    );
    await expect(node.deploy({ bytecode: '0x5f5ffd' })).rejects.toMatchObject({ kind: 'reverted', code: 3 });
  });

  it("the transport gives viem's clients the same answers and errors as custom(provider)", async () => {
    const node = await start();
    const { abi, bytecode } = artifact('Token') as { abi: readonly unknown[]; bytecode: string };
    const { address } = await node.deploy({ abi, bytecode, args: ['Token', 'TKN', 10n ** 24n] });
    const errors = async (transport: Devnet['transport'] | ReturnType<typeof custom>) => {
      const account = node.accounts[1]!.address;
      const wallet = createWalletClient({ chain: foundry, transport, account });
      const reader = createPublicClient({ chain: foundry, transport });
      const namesOf = async (failing: Promise<unknown>) => {
        const names: unknown[] = [];
        let error = (await failing.then(
          () => undefined,
          (thrown) => thrown,
        )) as { name?: string; cause?: unknown; data?: { errorName?: string } } | undefined;
        for (; error; error = error.cause as typeof error)
          if (!/^(?:DevnetError|\w*Rpc\w*)$/.test(error.name!)) names.push(error.name, error.data?.errorName);
        return names;
      };
      return [
        await reader.getChainId(),
        await namesOf(
          reader.simulateContract({
            address,
            account,
            abi: parseAbi([
              'function transfer(address,uint256) returns (bool)',
              'error InsufficientBalance(uint256,uint256)',
            ]),
            functionName: 'transfer',
            args: [account, 1n],
          }),
        ),
        await namesOf(wallet.sendTransaction({ to: account, value: 10n ** 30n, gas: 21_000n })),
      ];
    };
    const own = await errors(node.transport);
    expect(own).toEqual(await errors(custom(node.provider, { retryCount: 0 })));
    expect(own[1]).toContain('ContractFunctionRevertedError');
  });
});

describe("viem's test client, without optional parameters", () => {
  it.each(['anvil', 'hardhat'] as const)('works in process as by HTTP, mode %s', async (mode) => {
    const node = await start({ compat: mode });
    const [{ address }] = node.accounts as [Devnet['accounts'][0]];
    for (const transport of [node.transport, custom(node.provider)]) {
      const client = createTestClient({ mode, transport });
      await client.mine({ blocks: 2 });
      // viem sends a block number that is no number, which JSON has no word for.
      await client.reset();
      expect(await node.provider.request({ method: 'eth_blockNumber' })).toBe('0x0');
      await client.reset({});
      await client.mine({ blocks: 1, interval: undefined });
      await client.loadState({ state: await client.dumpState() });
      await client.revert({ id: await client.snapshot() });
      await client.sendUnsignedTransaction({ from: address, to: address, data: undefined, value: 1n });
      await client.removeBlockTimestampInterval();
      for (const content of [client.getTxpoolContent(), client.inspectTxpool(), client.getTxpoolStatus()])
        expect(await content).toMatchObject({});
      expect(await client.getAutomine()).toBe(true);
    }
  });

  it('parameters are what JSON makes of them, and stay as they are', async () => {
    const { provider } = await start();
    const call = { to: SAYS_HI.to, data: undefined, accessList: [{ address: SAYS_HI.to, storageKeys: [] }] };
    const given = structuredClone(call);
    expect(await provider.request({ method: 'eth_call', params: [call, undefined] as never })).toBe('0x');
    expect(call).toEqual(given);
    expect('data' in call).toBe(true);
  });
});

describe('errors', () => {
  it('are DevnetErrors with kind, code and data, and print so', async () => {
    const { provider } = await start();
    const call = { data: '0x5f5ffd' };
    const error = await provider.request({ method: 'eth_call', params: [call] }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(DevnetError);
    expect(error).toMatchObject({ name: 'DevnetError', kind: 'reverted', code: 3 });
    const printed = inspect(error);
    expect(printed).toMatch(/^DevnetError: execution reverted\n {4}at /);
    expect(printed).toMatch(/\{\n {2}kind: 'reverted',\n {2}code: 3,\n {2}data: '0x'\n\}$/);
    const missing = provider.request({ method: 'eth_getBalance', params: [SAYS_HI.to, '0x99'] });
    await expect(missing).rejects.toMatchObject({ name: 'DevnetError', kind: 'headerNotFound' });
  });

  it.each([
    [-32000, 'header not found', 'headerNotFound'],
    [-32003, 'nonce too low: next nonce 5, tx nonce 3', 'poolNonceTooLow'],
    [-32003, 'something else', 'transactionRejected'],
    [3, 'execution reverted: no', 'reverted'],
    [3, 'execution reverted', 'reverted'],
    [-32602, 'Invalid params: params[0]: expected a quantity, got "x"', 'invalidParams'],
    [-32601, 'Method x not found', 'methodNotFound'],
    [-32601, 'Method x not found (did you mean y?)', 'methodNotFound'],
    [-12345, 'of another node', 'server'],
  ])('%i "%s" that came over a network is %s again', (code, message, kind) => {
    const error = ErrorClass.answered({ code, message, data: '0x01' });
    expect(error).toMatchObject({ name: 'DevnetError', kind, code, message, data: '0x01' });
  });
});

describe('the host process', () => {
  it('after close the provider refuses with 4900, and close again does nothing', async () => {
    const node = await createDevnet({ automine: true });
    const ending = node.close();
    await expect(node.provider.request({ method: 'eth_chainId' })).rejects.toMatchObject({
      name: 'DevnetError',
      kind: 'disconnected',
      code: 4900,
    });
    await Promise.all([ending, node.close()]);
    await node.close();
    await expect(node.provider.request({ method: 'eth_chainId' })).rejects.toMatchObject({ code: 4900 });
  });
});
