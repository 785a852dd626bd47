import fc from 'fast-check';
import type { DiskFault } from './faulty-disk.ts';

/** What happens in a simulation, one after the other. */
export type Step =
  /** a transaction of one of the first four dev accounts */
  | { readonly do: 'send'; readonly from: number; readonly what: Transaction; readonly to: number }
  /** the clock goes forward */
  | { readonly do: 'advance'; readonly ms: number }
  /** several at the same time */
  | { readonly do: 'together'; readonly steps: readonly (Step & { readonly do: 'send' | 'dev' | 'read' })[] }
  | { readonly do: 'dev'; readonly what: DevCall; readonly amount: number }
  | { readonly do: 'read'; readonly what: 'simulate' | 'trace' | 'logs' }
  /** a snapshot is taken, or the one before it is reverted to */
  | { readonly do: 'snapshot' | 'revert' }
  | { readonly do: 'rollback' | 'reorg'; readonly depth: number }
  | { readonly do: 'disk'; readonly whose: Whose; readonly fault: DiskFault }
  | { readonly do: 'slow disk'; readonly whose: Whose; readonly turns: number }
  | { readonly do: 'kill' | 'restart'; readonly whose: Whose }
  /** the connection between the node and its follower */
  | { readonly do: 'link'; readonly what: 'lose' | 'repeat' | 'hold' | 'release' | 'cut' | 'fail requests' };
export type Whose = 'sequencer' | 'follower';
export type Transaction = 'transfer' | 'wide' | 'logs' | 'create' | 'fail';
export type DevCall = 'balance' | 'mine' | 'time' | 'skip' | 'delay' | 'drop' | 'mode';

/** How the chain of a simulation is made. */
export interface Setting {
  readonly mode: 'flashblocks' | 'interval' | 'automine' | 'mixed';
  readonly prune: boolean;
  readonly fsync: boolean;
  /** whether dev methods write to the state, which followers know nothing of: there is none then */
  readonly writes: boolean;
}

export interface History {
  readonly setting: Setting;
  readonly steps: readonly Step[];
}

const whose = fc.constantFrom<Whose>('sequencer', 'sequencer', 'follower');

const send = fc.record({
  do: fc.constant('send' as const),
  from: fc.nat(3),
  what: fc.constantFrom<Transaction>('transfer', 'transfer', 'wide', 'logs', 'create', 'fail'),
  to: fc.nat(5),
});
const dev = fc.record({
  do: fc.constant('dev' as const),
  what: fc.constantFrom<DevCall>('balance', 'balance', 'mine', 'time', 'skip', 'delay', 'drop', 'mode'),
  amount: fc.integer({ min: 1, max: 1_000 }),
});
const read = fc.record({
  do: fc.constant('read' as const),
  what: fc.constantFrom('simulate' as const, 'trace' as const, 'logs' as const),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: send },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      ms: fc.oneof(fc.constantFrom(50, 100, 200, 1_000, 2_000), fc.nat(9_000)),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('together' as const),
      steps: fc.array(fc.oneof({ weight: 5, arbitrary: send }, dev, read), { minLength: 2, maxLength: 8 }),
    }),
  },
  { weight: 4, arbitrary: dev },
  { weight: 1, arbitrary: read },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('snapshot' as const, 'revert' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('rollback' as const, 'reorg' as const),
      depth: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('disk' as const),
      whose,
      fault: fc.record({
        kind: fc.constantFrom('die' as const, 'die' as const, 'refuse' as const, 'short' as const),
        after: fc.nat(12),
        part: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('slow disk' as const), whose, turns: fc.nat(20) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('kill' as const, 'restart' as const), whose }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('link' as const),
      what: fc.constantFrom(
        'lose' as const,
        'repeat' as const,
        'hold' as const,
        'release' as const,
        'cut' as const,
        'fail requests' as const,
      ),
    }),
  },
);

/** @param most steps */
export const historyOf = (most: number): fc.Arbitrary<History> =>
  fc.record({
    setting: fc.record({
      mode: fc.constantFrom(
        'flashblocks' as const,
        'flashblocks' as const,
        'interval' as const,
        'automine' as const,
        'mixed' as const,
      ),
      prune: fc.boolean(),
      fsync: fc.boolean(),
      writes: fc.boolean(),
    }),
    steps: fc.array(step, { maxLength: most, size: 'max' }),
  });
