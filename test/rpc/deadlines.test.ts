import { expect, it } from 'vitest';
import { ManualClock } from '../../src/clock.ts';
import { Deadlines } from '../../src/rpc/deadlines.ts';

const deadlines = () => {
  const clock = new ManualClock();
  return { clock, deadlines: new Deadlines({ ms: 100 }, { clock }) };
};
const state = (work: Promise<unknown>) =>
  Promise.race([work, new Promise((resolve) => setImmediate(resolve, 'running'))]).catch(
    ({ kind }: { kind: string }) => kind,
  );
const never = () => new Promise<unknown>(() => {});

it('each call has its own time, whatever began before it or ended meanwhile', async () => {
  const { clock, deadlines: limit } = deadlines();
  const first = limit.within(never());
  await clock.advance(60);
  let end: (value: string) => void = () => {};
  const ending = limit.within(
    new Promise((resolve) => {
      end = resolve;
    }),
  );
  const second = limit.within(never());
  await clock.advance(39);
  expect([await state(first), await state(second)]).toEqual(['running', 'running']);
  await clock.advance(1);
  expect([await state(first), await state(second)]).toEqual(['timedOut', 'running']);
  end('done');
  expect(await ending).toBe('done');
  await clock.advance(59);
  expect(await state(second)).toBe('running');
  await clock.advance(1);
  expect(await state(second)).toBe('timedOut');
});

it('a call that begins after all others ended has its whole time', async () => {
  const { clock, deadlines: limit } = deadlines();
  expect(await limit.within(Promise.resolve(1))).toBe(1);
  await clock.advance(90);
  const later = limit.within(never());
  await clock.advance(99);
  expect(await state(later)).toBe('running');
  await clock.advance(1);
  expect(await state(later)).toBe('timedOut');
});

it('an error goes through', async () => {
  const { deadlines: limit } = deadlines();
  await expect(limit.within(Promise.reject(new Error('boom')))).rejects.toThrow('boom');
});

it('what can not be ended without a trace is waited for', async () => {
  const { clock, deadlines: limit } = deadlines();
  let done: (value: string) => void = () => {};
  const work = new Promise((resolve) => {
    done = resolve;
  });
  const errors: string[] = [];
  const waiting = limit.within(work, ({ kind }) => {
    errors.push(kind);
    return 'continues';
  });
  await clock.advance(100);
  expect([await state(waiting), errors]).toEqual(['running', ['timedOut']]);
  done('done');
  expect(await waiting).toBe('done');
});

it('what takes back what it has done is waited for, 5 seconds at most', async () => {
  const { clock, deadlines: limit } = deadlines();
  let takenBack: (error: Error) => void = () => {};
  const ended: Error[] = [];
  const end = (error: Error) => {
    ended.push(error);
    return 'rollsBack' as const;
  };
  const work = new Promise((_, reject) => {
    takenBack = reject;
  });
  const waiting = limit.within(work, end);
  const stuck = limit.within(never(), end);
  await clock.advance(100);
  expect([await state(waiting), await state(stuck), ended.length]).toEqual(['running', 'running', 2]);
  takenBack(ended[0]!);
  expect(await state(waiting)).toBe('timedOut');
  await clock.advance(4_999);
  expect(await state(stuck)).toBe('running');
  await clock.advance(1);
  expect(await state(stuck)).toBe('timedOut');
});
