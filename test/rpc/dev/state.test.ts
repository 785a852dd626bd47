import { gunzipSync } from 'node:zlib';
import { encodeDeployData } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import { TOKEN_ARGS, Token } from '../../clients/contracts.ts';
import { ALICE, MODES, startNode, type TestNode } from './node.ts';

const nodes: TestNode[] = [];
async function start(options: Parameters<typeof startNode>[0] = MODES.automine) {
  const node = await startNode(options);
  nodes.push(node);
  return node;
}
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.close();
});

const jsonOf = (dump: string) => JSON.parse(gunzipSync(Buffer.from(dump.slice(2), 'hex')).toString());
const word = (address: string) => address.slice(2).padStart(64, '0');

async function deployToken(node: TestNode): Promise<string> {
  const data = encodeDeployData({ abi: Token.abi, bytecode: Token.bytecode, args: TOKEN_ARGS });
  const hash = await node.rpc('eth_sendTransaction', { from: node.accounts[0], data });
  return (await node.rpc('eth_getTransactionReceipt', hash)).contractAddress;
}

describe('a dump of the state', () => {
  it("is gzipped JSON in anvil's format", async () => {
    const node = await start();
    await node.rpc('anvil_setStorageAt', ALICE, '0x2', '0x7');
    await node.rpc('anvil_setCode', ALICE, '0x6001');
    await node.rpc('anvil_setNonce', ALICE, '0x3');
    const dump = jsonOf(await node.rpc('anvil_dumpState'));
    expect(Object.keys(dump)).toEqual(
      expect.arrayContaining([
        'block',
        'accounts',
        'best_block_number',
        'blocks',
        'transactions',
        'historical_states',
      ]),
    );
    expect(dump.accounts[ALICE]).toEqual({
      nonce: 3,
      balance: '0x0',
      code: '0x6001',
      storage: { [`0x${'0'.repeat(63)}2`]: `0x${'0'.repeat(63)}7` },
    });
  });

  it('of equal states is equal, byte for byte', async () => {
    const dumps = [];
    for (const mode of [MODES.automine, MODES.automine]) {
      const node = await start(mode);
      await deployToken(node);
      dumps.push(await node.rpc('hardhat_dumpState'));
    }
    expect(dumps[0]).toBe(dumps[1]);
  });

  it('gives another chain its accounts: contracts answer there', async () => {
    const one = await start();
    const token = await deployToken(one);
    const dump = await one.rpc('anvil_dumpState');
    const other = await start(MODES.interval);
    expect(await other.rpc('hardhat_loadState', dump)).toBe(true);
    const input = `0x70a08231${word(one.accounts[0]!)}`;
    for (const tag of ['latest', 'pending'])
      expect(await other.rpc('eth_call', { to: token, input }, tag)).toBe(
        await one.rpc('eth_call', { to: token, input }, tag),
      );
    expect(await other.rpc('eth_getTransactionCount', one.accounts[0], 'latest')).toBe('0x1');
    expect(jsonOf(await other.rpc('anvil_dumpState')).accounts[token]).toEqual(jsonOf(dump).accounts[token]);
  });

  it('that anvil wrote is read: plain JSON or gzipped, its time is not gone back behind', async () => {
    const node = await start();
    const file = {
      block: { number: '0x5', beneficiary: ALICE, timestamp: '0x77359400' },
      accounts: { [ALICE]: { nonce: 1, balance: '0x10', code: '0x', storage: {} } },
      best_block_number: 5,
      blocks: [],
    };
    expect(await node.rpc('anvil_loadState', `0x${Buffer.from(JSON.stringify(file)).toString('hex')}`)).toBe(
      true,
    );
    expect(await node.balance(ALICE)).toBe(16n);
    await node.rpc('evm_mine');
    expect(Number((await node.block()).timestamp)).toBeGreaterThanOrEqual(2_000_000_000);
  });

  it('that is none is -32602', async () => {
    const node = await start();
    expect(await node.codeOf('anvil_loadState', '0x1234')).toBe(-32602);
    expect(await node.codeOf('anvil_loadState', `0x${Buffer.from('{"accounts":5}').toString('hex')}`)).toBe(
      -32602,
    );
  });
});
