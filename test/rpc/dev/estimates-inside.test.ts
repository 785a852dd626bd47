import { afterEach, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../src/engine/engine-name.ts';
import { startNode, type TestNode } from './node.ts';

let node: TestNode;
afterEach(() => node.close());

const BURNS = '0x000000000000000000000000000000000000b001';
const ENDLESS = '0x000000000000000000000000000000000000b002';
const CALLER = '0x000000000000000000000000000000000000c001';

/** Code that counts down from 1,000: 26,000 gas. PUSH3 1000 JUMPDEST PUSH1 1 SWAP1 SUB DUP1 PUSH1 4 JUMPI STOP */
const COUNTS_DOWN = '0x620003e85b600190038060045700';
/** JUMPDEST PUSH0 JUMP */
const NEVER_ENDS = '0x5b5f56';

/** Code that calls an account with a gas limit, and goes on whatever comes of it. @param gas by default all but one 64th */
function calling(address: string, gas = '5a'): string {
  return `0x5f5f5f5f5f73${address.slice(2)}${gas}f15000`;
}

const INSIDE = [
  ['a call', calling(BURNS), 50_395],
  ['two calls deep', calling('0x000000000000000000000000000000000000c002'), 53_461],
  ['a precompile', calling('0x0000000000000000000000000000000000000001'), 24_305],
  // What fails for another reason has used all its gas, too.
  ['INVALID', calling('0x000000000000000000000000000000000000b003'), 16_515_443],
] as const;

const NEVER = [
  ['a call that never ends', calling(ENDLESS)],
  ['a call with a fixed limit that is too low', calling(BURNS, '6103e8')],
  [
    'a precompile with a limit that is too low',
    calling('0x0000000000000000000000000000000000000001', '6064'),
  ],
  // Its init code is the code that never ends.
  ['a creation', '0x625b5f565f526003601d5ff05000'],
] as const;

async function start(options: Parameters<typeof startNode>[0], code: string): Promise<object> {
  node = await startNode(options);
  await node.rpc('anvil_setCode', BURNS, COUNTS_DOWN);
  await node.rpc('anvil_setCode', ENDLESS, NEVER_ENDS);
  await node.rpc('anvil_setCode', '0x000000000000000000000000000000000000b003', '0xfe');
  await node.rpc('anvil_setCode', '0x000000000000000000000000000000000000c002', calling(BURNS));
  await node.rpc('anvil_setCode', CALLER, code);
  return { from: node.accounts[0], to: CALLER };
}

/** The figures are those of Hardhat 3.18's own node. */
describe.each(ENGINES)('an estimate with --compat hardhat, engine %s,', (engine) => {
  it.each(INSIDE)('is enough for %s inside', async (_, code, gas) => {
    const request = await start({ compat: 'hardhat', engine }, code);
    expect(Number(await node.rpc('eth_estimateGas', request))).toBe(gas);
  });

  // EthereumJS takes seconds for the most gas.
  const never = engine === 'fast' ? NEVER : NEVER.slice(1, 3);
  it.each(never)(
    'is refused where nothing is enough for %s inside, and a send has the most gas',
    async (_, code) => {
      const request = await start({ compat: 'hardhat', engine }, code);
      const message = expect.stringContaining('an internal call runs out of gas');
      await expect(node.rpc('eth_estimateGas', request)).rejects.toMatchObject({
        code: -32000,
        message,
        data: { message, data: '0x', reason: 'InternalCallOutOfGas' },
      });
      const hash = await node.rpc('eth_sendTransaction', request);
      expect(await node.rpc('eth_getTransactionByHash', hash)).toMatchObject({ gas: '0x1000000' });
      expect(await node.rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
    },
  );
});

it.each(['anvil', 'hardhat2'] as const)(
  'an estimate with --compat %s is enough for the transaction',
  async (compat) => {
    const request = await start({ compat }, calling(BURNS));
    expect(Number(await node.rpc('eth_estimateGas', request))).toBeLessThan(50_395);
    await node.rpc('anvil_setCode', CALLER, calling(ENDLESS));
    expect(Number(await node.rpc('eth_estimateGas', request))).toBeGreaterThan(21_000);
  },
);
