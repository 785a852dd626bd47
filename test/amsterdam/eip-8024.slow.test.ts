import { expect, it } from 'vitest';
import { A, onEachEngine, push, TELL } from './chain.ts';

/** PUSH1 1, PUSH1 2, ...: the last one is the top */
const pushes = (count: number) => Array.from({ length: count }, (_, i) => push(i + 1)).join('');
const byte = (value: number) => value.toString(16).padStart(2, '0');
const POP = '50';

/** EIP-8024: n of DUPN and SWAPN by its immediate */
const single = (x: number) => (x + 145) % 256;
/** EIP-8024: n and m of EXCHANGE by its immediate */
function pair(x: number): [number, number] {
  const k = x ^ 143;
  const [q, r] = [k >> 4, k & 15];
  return q < r ? [q + 1, r + 1] : [r + 1, 29 - q];
}

onEachEngine('EIP-8024, DUPN, SWAPN and EXCHANGE', (chain) => {
  const run = async (code: string) => {
    await chain.put(A, code);
    return chain.send({ to: A, gas: 500_000n });
  };

  it('the EIP’s examples: e680 is DUPN 17, e7db SWAPN 108, e89d EXCHANGE 2 3, e850 EXCHANGE 14 16', () => {
    expect([single(0x80), single(0xdb), pair(0x9d), pair(0x50)]).toEqual([17, 108, [2, 3], [14, 16]]);
  });

  it.each([0, 0x5a, 0x80, 0x8f, 0xff])('DUPN with immediate %i copies an item to the top', async (x) => {
    const n = single(x);
    expect((await run(`${pushes(n)}e6${byte(x)}${TELL}`)).told).toEqual([1n]);
    // One item less: the stack isn't high enough.
    expect(await run(`${pushes(n - 1)}e6${byte(x)}`)).toMatchObject({ status: 0 });
  });

  it.each([0, 0x5a, 0x80, 0xdb, 0xff])('SWAPN with immediate %i swaps the top with an item', async (x) => {
    const n = single(x);
    expect((await run(`${pushes(n + 1)}e7${byte(x)}${TELL}`)).told).toEqual([1n]);
    expect((await run(`${pushes(n + 1)}e7${byte(x)}${POP.repeat(n)}${TELL}`)).told).toEqual([BigInt(n + 1)]);
    expect(await run(`${pushes(n)}e7${byte(x)}`)).toMatchObject({ status: 0 });
  });

  it.each([0, 0x51, 0x80, 0x9d, 0x50, 0xff])(
    'EXCHANGE with immediate %i swaps two items below the top',
    async (x) => {
      const [n, m] = pair(x);
      const height = m + 1;
      const code = `${pushes(height)}e8${byte(x)}`;
      // From the top the items were height, height - 1, ...: item n + 1 was height - n.
      const told = async (above: number) => (await run(`${code}${POP.repeat(above)}${TELL}`)).told;
      expect([await told(0), await told(n), await told(m)]).toEqual([
        [BigInt(height)],
        [BigInt(height - m)],
        [BigInt(height - n)],
      ]);
      expect(await run(`${pushes(m)}e8${byte(x)}`)).toMatchObject({ status: 0 });
    },
  );

  it.each(['e65b', 'e67f', 'e75b', 'e77f', 'e852', 'e87f'])(
    '%s halts: that immediate is none',
    async (code) => {
      expect(await run(`${pushes(240)}${code}`)).toMatchObject({ status: 0, gas: 500_000n });
    },
  );

  it.each(['e65a', 'e680', 'e75a', 'e780', 'e851', 'e880'])(
    '%s is the last or first immediate that there is',
    async (code) => {
      expect(await run(`${pushes(240)}${code}`)).toMatchObject({ status: 1 });
    },
  );

  it('behind the end of the code the immediate is 0: n is 145', async () => {
    expect(single(0)).toBe(145);
    expect(await run(`${pushes(145)}e6`)).toMatchObject({ status: 1 });
    expect(await run(`${pushes(144)}e6`)).toMatchObject({ status: 0 });
  });

  it('each costs 3', async () => {
    for (const code of ['e680', 'e780', 'e880'])
      expect(await run(`${pushes(20)}${code}`)).toMatchObject({ execution: 15_000n + 60n + 3n });
  });

  it('a JUMPDEST right behind DUPN is a target of jumps', async () => {
    // PUSH1 4 JUMP DUPN JUMPDEST STOP
    expect(await run('600456e65b00')).toMatchObject({ status: 1 });
    // Not one that is the data of a PUSH.
    expect(await run('600456605b00')).toMatchObject({ status: 0 });
  });
});
