import { expect, it } from 'vitest';
import { A, at, onEachEngine, TELL } from './chain.ts';

const keys = (count: number) =>
  Array.from({ length: count }, (_, i) => `0x${i.toString(16).padStart(64, '0')}`);

onEachEngine('EIP-7981, what access lists cost', (chain) => {
  it('an address of an access list counts 64 a byte, 20 of them: 2,900 and 1,280', async () => {
    await chain.put(A, `5a${TELL}`);
    const gas = 1_000_000n;
    const accessList = [{ address: at(0xaa), storageKeys: [] }];
    expect((await chain.send({ to: A, accessList, gas })).told).toEqual([gas - 15_000n - 4_180n - 2n]);
  });

  it('a slot of an access list counts 64 a byte, 32 of them: 2,000 and 2,048', async () => {
    const accessList = [{ address: at(0xaa), storageKeys: keys(3) }];
    const gas = 15_000n + 4_180n + 3n * 4_048n;
    expect(await chain.send({ to: chain.other, accessList, gas })).toMatchObject({ status: 1, gas });
    await expect(chain.send({ to: chain.other, accessList, gas: gas - 1n })).rejects.toThrow(/gas/);
  });

  it('the bytes of an access list are in the floor, and what they cost besides is not', async () => {
    const accessList = [{ address: at(0xaa), storageKeys: keys(2) }];
    const data = '00'.repeat(500);
    const floor = 15_000n + 64n * 500n + 64n * (20n + 64n);
    const intrinsic = 15_000n + 4n * 500n + 4_180n + 2n * 4_048n;
    expect(intrinsic).toBeLessThan(floor);
    expect(await chain.send({ to: chain.other, accessList, data, gas: floor })).toMatchObject({ gas: floor });
    await expect(chain.send({ to: chain.other, accessList, data, gas: floor - 1n })).rejects.toThrow(/gas/);
  });

  it('an entry that is named twice counts twice', async () => {
    const accessList = [
      { address: at(0xaa), storageKeys: [] },
      { address: at(0xaa), storageKeys: [] },
    ];
    expect(await chain.send({ to: chain.other, accessList })).toMatchObject({ gas: 15_000n + 2n * 4_180n });
  });

  it('makes an account warm: 100 instead of 3,000; and a slot: 100 instead of 2,100', async () => {
    // BALANCE of an account; SLOAD(0)
    await chain.put(A, `73${at(0xaa).slice(2)}31505f5450`);
    const cold = await chain.send({ to: A });
    const accessList = [
      { address: at(0xaa), storageKeys: [] },
      { address: A, storageKeys: keys(1) },
    ];
    const warm = await chain.send({ to: A, accessList });
    expect(cold.gas).toBe(15_000n + 3n + 3_000n + 2n + 2n + 2_100n + 2n);
    expect(warm.gas).toBe(cold.gas - 2_900n - 2_000n + 2n * 4_180n + 4_048n);
  });
});
