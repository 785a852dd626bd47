import { expect, it } from 'vitest';
import { A, onEachEngine } from './chain.ts';

onEachEngine('EIP-7976, the floor of data', (chain) => {
  it.each<[string, string, bigint, bigint]>([
    ['a zero byte counts 64', '00'.repeat(100), 0n, 15_000n + 6_400n],
    ['another byte counts 64', 'ff'.repeat(100), 0n, 15_000n + 6_400n],
    ['on top of the base with value', '00'.repeat(100), 1n, 21_000n + 6_400n],
  ])('%s; one less is refused', async (_, data, value, floor) => {
    const transaction = { to: chain.other, data, value };
    expect(await chain.send({ ...transaction, gas: floor })).toMatchObject({
      status: 1,
      gas: floor,
      header: floor,
    });
    await expect(chain.send({ ...transaction, gas: floor - 1n })).rejects.toThrow(/gas/);
  });

  it('of a creation: 24,000 and 64 a byte, no words of init code', async () => {
    // STOP, and zeros behind it
    const data = '00'.repeat(320);
    const floor = 24_000n + 64n * 320n;
    const intrinsic = 24_000n + 4n * 320n + 2n * 10n;
    expect(intrinsic).toBeLessThan(floor);
    // The account is state gas: it doesn't count against the floor.
    expect(await chain.send({ data })).toMatchObject({
      status: 1,
      gas: floor > intrinsic + 183_600n ? floor : intrinsic + 183_600n,
    });
    await expect(chain.send({ data, gas: floor - 1n })).rejects.toThrow(/gas/);
  });

  it('of a call to oneself: 12,000 and 64 a byte', async () => {
    const floor = 12_000n + 64n * 10n;
    expect(await chain.send({ to: chain.from, data: '00'.repeat(10), gas: floor })).toMatchObject({
      gas: floor,
    });
    await expect(chain.send({ to: chain.from, data: '00'.repeat(10), gas: floor - 1n })).rejects.toThrow(
      /gas/,
    );
  });

  it('is no more than what is used where that is larger', async () => {
    // SSTORE(0, 1)
    await chain.put(A, '60015f55');
    const { gas, state } = await chain.send({ to: A, data: '00'.repeat(100) });
    expect(gas - state).toBe(15_000n + 400n + 5n + 12_100n);
  });

  it('a floor of more than 2^24 is refused, whatever the limit', async () => {
    // 15,000 + 64 x 261,909 is the last one below it.
    const data = (size: number) => '00'.repeat(size);
    const gas = 30_000_000n;
    await expect(chain.send({ to: chain.other, data: data(261_910), gas })).rejects.toThrow();
  });
});
