import { expect, it } from 'vitest';
import { A, hex, NEW, onEachEngine, TELL } from './chain.ts';

const CODE = 65_536;
const INIT_CODE = 131_072;
const GAS = 190_000_000n;
/** Init code that deploys as many zero bytes. PUSH3 size PUSH0 RETURN */
const deploying = (size: number) => `62${size.toString(16).padStart(6, '0')}5ff3`;
/** CREATE of as many zero bytes of init code. */
const creating = (size: number, opcode: string) =>
  `${opcode === 'f5' ? '5f' : ''}62${size.toString(16).padStart(6, '0')}5f5f${opcode}${TELL}`;

onEachEngine('EIP-7954, sizes of code', (chain) => {
  it('a contract has at most 65,536 bytes', async () => {
    const { status, created } = await chain.send({ data: deploying(CODE), gas: GAS });
    expect(status).toBe(1);
    expect(await chain.call('eth_getCode', created, 'latest')).toHaveLength(2 + 2 * CODE);
    expect(await chain.send({ data: deploying(CODE + 1), gas: GAS })).toMatchObject({ status: 0, state: 0n });
  });

  it('a transaction has at most 131,072 bytes of init code', async () => {
    expect(await chain.send({ data: '00'.repeat(INIT_CODE), gas: GAS })).toMatchObject({ status: 1 });
    await expect(chain.send({ data: '00'.repeat(INIT_CODE + 1), gas: GAS })).rejects.toThrow(/131072/);
  });

  it.each(['f0', 'f5'])(
    'opcode %s has at most 131,072 bytes of init code: more halts the frame',
    async (opcode) => {
      await chain.put(A, creating(INIT_CODE, opcode));
      const { status, told } = await chain.send({ to: A });
      expect([status, told[0]! > 0n]).toEqual([1, true]);
      await chain.put(A, creating(INIT_CODE + 1, opcode));
      expect(await chain.send({ to: A })).toMatchObject({ status: 0 });
    },
  );

  it('a call and an estimate have the limits too', async () => {
    const gas = BigInt(
      await chain.call('eth_estimateGas', { from: chain.from, input: `0x${deploying(CODE)}` }),
    );
    // 1,530 a byte, an account, and the execution gas
    expect(gas).toBeGreaterThan(BigInt(CODE) * 1_530n + 183_600n);
    await expect(
      chain.call('eth_estimateGas', { from: chain.from, input: `0x${deploying(CODE + 1)}`, gas: hex(GAS) }),
    ).rejects.toThrow();
    expect(await chain.call('eth_getCode', NEW, 'latest')).toBe('0x');
  });
});
