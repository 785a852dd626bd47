import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CountedChain } from '../../src/coverage/counted-chain.ts';
import type { Profile } from '../../src/coverage/profile.ts';
import type { DevnetOptions } from '../../src/index.ts';
import { startNode } from '../../src/start.ts';
import { runs } from '../fuzz.ts';
import { callsOf } from '../wire.ts';

const [A, B] = ['0x00000000000000000000000000000000000000a1', '0x00000000000000000000000000000000000000b2'];
const byte = (value: number) => value.toString(16).padStart(2, '0');
/** A call of an address with gas, whose answer is dropped. */
const call = (to: string, gas: number, value = 0) =>
  `5f5f60205f60${byte(value)}${to}61${gas.toString(16).padStart(4, '0')}f150`;
const slot = fc.nat(3).map(byte);

/** A piece of code that leaves the stack as it was, or ends its frame. */
const piece = fc.oneof(
  // Written, cleared and written again: refunds.
  fc.tuple(fc.nat(2).map(byte), slot).map(([value, key]) => `60${value}60${key}55`),
  slot.map((key) => `60${key}5450`),
  fc.nat(255).map((at) => `60${byte(at)}5f5250`.replace(/50$/, '')),
  fc.constant('60205f20505f5fa0'),
  // Precompiles, with more gas and with less than they need.
  fc
    .tuple(fc.integer({ min: 1, max: 10 }), fc.nat(0xffff))
    .map(([number, gas]) => call(`60${byte(number)}`, gas)),
  fc
    .tuple(fc.constantFrom(A, B), fc.nat(0xffff), fc.nat(1))
    .map(([to, gas, value]) => call(`73${to.slice(2)}`, gas, value)),
  // Creations: of code, of nothing, and one that fails.
  fc.constantFrom('60015ff3', '5f5ff3', 'fe', '5f5ffd').map((code) => {
    const length = code.length / 2;
    return `6${byte(95 + length)[1]}${code}5f5260${byte(length)}60${byte(32 - length)}5ff050`;
  }),
);
const end = fc.constantFrom('', '00', '5f5ffd', 'fe', '01', '5b5f56', '5fff');
const code = fc
  .tuple(fc.array(piece, { maxLength: 12 }), end)
  .map(([pieces, last]) => `0x${pieces.join('')}${last}`);
const transactions = fc.array(
  fc.record({
    to: fc.constantFrom(A, B, '0x0000000000000000000000000000000000000004', undefined),
    gas: fc.integer({ min: 60_000, max: 900_000 }),
    code,
  }),
  { minLength: 1, maxLength: 4 },
);

interface Sent {
  readonly profile: Profile;
  readonly used: number;
}

/** Runs transactions on contracts with the given codes. */
async function run(
  options: DevnetOptions,
  codes: readonly string[],
  sent: readonly { to: string | undefined; gas: number; code: string }[],
): Promise<Sent> {
  const counted = new CountedChain();
  const node = await startNode(options, {
    counts: true,
    onExecution: (execution, feed) => counted.follow(execution, feed),
  });
  try {
    const request = callsOf(node);
    const [from] = await request('eth_accounts');
    for (const [i, to] of [A, B].entries()) {
      await request('anvil_setCode', to, codes[i]);
      await request('anvil_setBalance', to, '0xffff');
    }
    let used = 0;
    for (const { to, gas, code: data } of sent) {
      const hash = await request('eth_sendTransaction', {
        from,
        gas: `0x${gas.toString(16)}`,
        ...(to ? { to } : { data }),
      });
      used += Number((await request('eth_getTransactionReceipt', hash)).gasUsed);
    }
    return { profile: counted.profile, used };
  } finally {
    await node.close();
  }
}

const opcodes = ({ codes }: Profile) =>
  [...codes]
    .map(([key, { runs: ran, gas }]) => [key, [...ran], [...gas]] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));

it('the gas of all opcodes, of what is charged besides, and of refunds is that of the receipts, by both engines alike', async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(code, code), transactions, async (codes, sent) => {
      const [fast, reference] = [
        await run({ automine: true }, codes, sent),
        await run({ automine: true, engine: 'ethereumjs' }, codes, sent),
      ] as const;
      const { totals } = fast.profile;
      const ofOpcodes = opcodes(fast.profile).reduce(
        (sum, [, , gas]) => gas.reduce((all, each) => all + each, sum),
        0,
      );
      expect(totals.transactions).toBe(sent.length);
      expect(totals.uncounted).toBe(0);
      expect(ofOpcodes + totals.intrinsic + totals.outside + totals.refunds).toBe(fast.used);
      // Only a precompile that a transaction calls is charged outside of opcodes.
      if (sent.every(({ to }) => to === A || to === B)) expect(totals.outside).toBe(0);
      expect(reference.used).toBe(fast.used);
      expect(reference.profile.totals).toEqual(totals);
      expect(opcodes(reference.profile)).toEqual(opcodes(fast.profile));
    }),
    { numRuns: runs(6) },
  );
}, 120_000);
