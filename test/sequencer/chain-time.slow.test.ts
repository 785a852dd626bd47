import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DevnetOptions } from '../../src/index.ts';
import { runs } from '../fuzz.ts';
import { GENESIS, startChain, type TestChain } from './start-chain.ts';

/** What chain time must be, told from the head. All in seconds but what says otherwise. */
interface Model {
  /** since the genesis block */
  head: number;
  /** chain time when the next block would be sealed, less the head's; milliseconds */
  ahead: number;
  /** from chain time's now to that moment */
  readonly lead: number;
  /** from a block to the next one, at least */
  readonly least: number;
  interval: number | undefined;
  /** set for the next block, since the genesis block */
  next: number | undefined;
  /** what a revert goes back to */
  snapshot: { id: string; was: Pick<Model, 'head' | 'ahead' | 'interval' | 'next'> } | undefined;
}

/** Timestamp of the block that comes next. */
const nextOf = ({ head, ahead, least, interval, next }: Model) =>
  next ?? head + Math.max(least, interval ?? Math.floor(ahead / 1000));

/** A block is made: what was set for it is used up, and chain time isn't behind it. */
function makeBlock(model: Model): void {
  const head = nextOf(model);
  const left = model.ahead - (head - model.head) * 1000;
  if (model.next !== undefined) model.ahead = model.lead * 1000;
  else model.ahead = left < 0 ? left - Math.floor(left / 1000) * 1000 : left;
  model.head = head;
  model.next = undefined;
}

type Step = (chain: TestChain, model: Model) => Promise<unknown>;

const hexOf = (n: number) => `0x${n.toString(16)}`;
const small = fc.integer({ min: 0, max: 5 });

const send: Step = async (chain, model) => {
  await chain.send();
  makeBlock(model);
};
const mine: Step = async (chain, model) => {
  await chain.call('evm_mine');
  makeBlock(model);
};
/** What moves chain time finds it at the head at least. */
const catchUp = (model: Model) => {
  if (model.ahead < 0) model.ahead -= Math.floor(model.ahead / 1000) * 1000;
};
const steps = {
  mine: fc.constant(mine),
  mineMany: fc.integer({ min: 1, max: 70 }).map(
    (count): Step =>
      async (chain, model) => {
        await chain.call('anvil_mine', hexOf(count));
        for (let i = 0; i < count; i++) makeBlock(model);
      },
  ),
  mineApart: fc.tuple(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 100 })).map(
    ([count, seconds]): Step =>
      async (chain, model) => {
        await chain.call('anvil_mine', hexOf(count), hexOf(seconds));
        // As in anvil: seconds after the present chain time, unless something else was set for the next block or for all.
        const now = Math.max(0, Math.floor(model.ahead / 1000 - model.lead));
        for (let i = 0; i < count; i++) {
          if (model.interval === undefined && i > 0) model.next = model.head + seconds;
          else if (model.interval === undefined) model.next ??= model.head + now + seconds;
          makeBlock(model);
        }
      },
  ),
  increase: fc.integer({ min: 0, max: 5000 }).map(
    (seconds): Step =>
      async (chain, model) => {
        await chain.call('evm_increaseTime', seconds);
        catchUp(model);
        model.ahead += seconds * 1000;
      },
  ),
  setTime: fc.integer({ min: -50, max: 500 }).map(
    (seconds): Step =>
      async (chain, model) => {
        await chain.call('evm_setTime', Number(GENESIS) + model.head + seconds);
        model.ahead = (seconds + model.lead) * 1000;
      },
  ),
  setNext: fc.integer({ min: 1, max: 500 }).map(
    (seconds): Step =>
      async (chain, model) => {
        await chain.call('evm_setNextBlockTimestamp', Number(GENESIS) + model.head + seconds);
        model.next = model.head + seconds;
      },
  ),
  interval: fc.option(fc.integer({ min: 0, max: 100 })).map(
    (seconds): Step =>
      async (chain, model) => {
        if (seconds === null) await chain.call('anvil_removeBlockTimestampInterval');
        else await chain.call('anvil_setBlockTimestampInterval', seconds);
        catchUp(model);
        model.interval = seconds ?? undefined;
      },
  ),
  snapshot: fc.constant<Step>(async (chain, model) => {
    const { head, ahead, interval, next } = model;
    const id = (await chain.call('evm_snapshot')) as string;
    model.snapshot = { id, was: { head, ahead, interval, next } };
  }),
  revert: fc.constant<Step>(async (chain, model) => {
    if (!model.snapshot) return;
    await chain.call('evm_revert', model.snapshot.id);
    Object.assign(model, model.snapshot.was, { snapshot: undefined });
  }),
};
/** Where nothing is open: a block of each send, and the clock may move without a block. */
const onDemand = {
  ...steps,
  sends: small.map(
    (count): Step =>
      async (chain, model) => {
        for (let i = 0; i < count; i++) await send(chain, model);
      },
  ),
  wait: fc.integer({ min: 1, max: 20_000 }).map(
    (ms): Step =>
      async (chain, model) => {
        await chain.clock.advance(ms);
        model.ahead += ms;
      },
  ),
};

const timeOf = async (chain: TestChain, tag: string) =>
  Number(BigInt((await chain.block(tag)).timestamp) - GENESIS);

test.each<[string, DevnetOptions, Record<string, fc.Arbitrary<Step>>, number]>([
  ['automine', { automine: true }, onDemand, 0],
  ['automine with equal timestamps', { automine: true, allowEqualTimestamps: true }, onDemand, 0],
  ['interval', { blockTime: 2, flashblockInterval: 200 }, steps, 2],
])(
  'in %s mode pending has the time of the block that comes, and an increase counts from the head',
  async (_, options, possible, lead) => {
    const property = fc.asyncProperty(
      fc.array(fc.oneof(...Object.values(possible)), { minLength: 5, maxLength: 40 }),
      fc.integer({ min: 1, max: 5000 }),
      async (run, seconds) => {
        await using chain = await startChain(options);
        const least = options.allowEqualTimestamps ? 0 : 1;
        const model: Model = {
          head: 0,
          ahead: lead * 1000,
          lead,
          least,
          interval: undefined,
          next: undefined,
          snapshot: undefined,
        };
        for (const step of run) {
          await step(chain, model);
          expect(await timeOf(chain, 'latest')).toBe(model.head);
          expect(await timeOf(chain, 'pending')).toBe(nextOf(model));
        }
        // Whatever came before: from a block that has its time from chain time, it is exactly that many seconds.
        await chain.call('anvil_removeBlockTimestampInterval');
        await chain.call('evm_setTime', Number(GENESIS) + model.head);
        await mine(chain, model);
        await mine(chain, model);
        const head = await timeOf(chain, 'latest');
        await chain.call('evm_increaseTime', seconds);
        expect(await timeOf(chain, 'pending')).toBe(head + seconds);
        await chain.call('evm_mine');
        expect(await timeOf(chain, 'latest')).toBe(head + seconds);
      },
    );
    await fc.assert(property, { numRuns: runs(8) });
  },
  60_000,
);
