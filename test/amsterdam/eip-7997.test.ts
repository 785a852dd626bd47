import { expect, it } from 'vitest';
import { createDevnet } from '../../src/index.ts';
import { callsOf } from '../wire.ts';
import { hex, onEachEngine } from './chain.ts';

const FACTORY = '0x4e59b44847b379578588920ca78fbf26c0b4956c';
/** EIP-7997 */
const CODE =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3';

onEachEngine('EIP-7997, the factory of CREATE2', (chain) => {
  it('is in the genesis block, with nonce 1', async () => {
    expect(await chain.call('eth_getCode', FACTORY, '0x0')).toBe(CODE);
    expect(await chain.call('eth_getTransactionCount', FACTORY, '0x0')).toBe('0x1');
    expect(await chain.call('eth_getBalance', FACTORY, '0x0')).toBe('0x0');
  });

  it('makes a contract at the address of its salt and init code, and returns it', async () => {
    const data = `${'00'.repeat(31)}0760015ff3`;
    const address = await chain.call('eth_call', { to: FACTORY, input: `0x${data}` }, 'latest');
    const { status } = await chain.send({ to: FACTORY, data });
    expect(status).toBe(1);
    expect(await chain.call('eth_getCode', address, 'latest')).toBe('0x00');
    expect((await chain.listed(FACTORY)).nonceChanges).toEqual([{ index: '0x1', value: hex(2) }]);
    expect((await chain.listed(address)).codeChanges).toEqual([{ index: '0x1', code: '0x00' }]);
    // The address is taken: the factory reverts.
    expect(await chain.send({ to: FACTORY, data, gas: 500_000n })).toMatchObject({ status: 0 });
  });
});

it('--no-create2 leaves it out of a chain before amsterdam, and of one at amsterdam', async () => {
  const node = await createDevnet({ hardfork: 'osaka', noCreate2: true, manualClock: true });
  expect(await callsOf(node)('eth_getCode', FACTORY, 'latest')).toBe('0x');
  await node.close();
});
