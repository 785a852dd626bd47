import { equalsBytes } from '@ethereumjs/util';
import { type Awaitable, andThen } from '../../state/view.ts';
import type { CurrentTask } from '../current-task.ts';
import type { Assembler } from '../mining/assembler.ts';
import type { Turn } from '../turn.ts';
import { type RewindDeps, rewindAs } from './rewind.ts';

export interface AllOrNothingDeps extends RewindDeps {
  readonly assembler: Assembler;
  readonly current: CurrentTask;
}

/**
 * Runs a task of several steps. If the task fails, or its call times out before the task has ended, everything is rolled back:
 * blocks, state, mempool, settings, chain time, and the open block.
 * @throws the error of the task, or the error with which the call was answered
 */
export function allOrNothing<T>(turn: Turn, deps: AllOrNothingDeps, task: () => Awaitable<T>): Awaitable<T> {
  const { chain, mempool, settings, current } = deps;
  const { latest } = chain;
  const open = turn.producer.preconfirmed;
  const { sealDue } = turn.producer;
  const before = {
    putBack: settings.keep(),
    start: turn.producer.keep(),
    pool: mempool.freeze(),
    version: mempool.version,
  };
  const undo = (error: unknown): Awaitable<never> => {
    current.forbidExpiry();
    current.failed(error);
    const isSame =
      equalsBytes(chain.latest.hash, latest.hash) &&
      chain.isShown &&
      turn.producer.preconfirmed?.view === open?.view &&
      turn.producer.sealDue === sealDue;
    before.putBack();
    if (isSame && mempool.version === before.version) throw error;
    const rewinding = rewindAs(
      turn,
      {
        number: latest.header.number,
        stateRoot: latest.state.root,
        head: latest,
        start: before.start,
      },
      { restorePool: () => mempool.restore(before.pool()) },
      deps,
    );
    return andThen(rewinding, () => {
      throw error;
    });
  };
  current.allowExpiry('end');
  let result: Awaitable<T>;
  try {
    result = task();
  } catch (error) {
    return undo(error);
  }
  if (result instanceof Promise) return inTime(result, deps).catch(undo);
  current.forbidExpiry();
  return result;
}

async function inTime<T>(task: Promise<T>, { assembler, current }: AllOrNothingDeps): Promise<T> {
  const result = await task;
  // A step at which a replay can end the task, too.
  await assembler.progress(undefined);
  current.assertInTime();
  current.forbidExpiry();
  return result;
}
