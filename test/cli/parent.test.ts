import { expect, it } from 'vitest';
import {
  isStartedByPackageManager,
  type Processes,
  systemProcesses,
  watchParent,
} from '../../src/cli/parent.ts';
import { ManualClock } from '../../src/clock.ts';

/** Processes by id, of which `own` is the one that watches. */
function tree(facts: Record<number, { parent: number; name: string }>, own: number) {
  const processes: Processes = {
    get parent() {
      return facts[own]!.parent;
    },
    facts: (pid) => facts[pid],
  };
  const clock = new ManualClock();
  let ended = 0;
  watchParent(() => ended++, { clock, processes });
  return {
    facts,
    endedAfter: async (ms: number) => {
      await clock.advance(ms);
      return ended;
    },
  };
}

it('the end of the parent is reported once, within half a second', async () => {
  const { facts, endedAfter } = tree({ 2: { parent: 1, name: 'node' }, 3: { parent: 2, name: 'node' } }, 3);
  expect(await endedAfter(5_000)).toBe(0);
  facts[3] = { parent: 1, name: 'node' };
  expect(await endedAfter(500)).toBe(1);
  expect(await endedAfter(5_000)).toBe(1);
});

it('the end of npm is reported although the shell between it and the command waits', async () => {
  const { facts, endedAfter } = tree(
    { 2: { parent: 1, name: 'npm run' }, 3: { parent: 2, name: 'sh' }, 4: { parent: 3, name: 'node' } },
    4,
  );
  expect(await endedAfter(5_000)).toBe(0);
  facts[3] = { parent: 1, name: 'sh' };
  expect(await endedAfter(500)).toBe(1);
});

it('what started a parent that is no shell does not count', async () => {
  const { facts, endedAfter } = tree(
    { 2: { parent: 1, name: 'bash' }, 3: { parent: 2, name: 'npm exec' }, 4: { parent: 3, name: 'node' } },
    4,
  );
  facts[3] = { parent: 1, name: 'npm exec' };
  expect(await endedAfter(5_000)).toBe(0);
});

it.each([
  [{ npm_lifecycle_event: 'start' }, true],
  [{ npm_command: 'exec' }, true],
  [{ PATH: '/bin' }, false],
])('with the environment %j a package manager started it: %s', (env, expected) => {
  expect(isStartedByPackageManager(env)).toBe(expected);
});

it.skipIf(process.platform === 'win32')('the system tells the parent and the name of a process', () => {
  expect(systemProcesses.facts(process.pid)?.parent).toBe(process.ppid);
  expect(systemProcesses.facts(process.pid)?.name).toMatch(/\w/);
  expect(systemProcesses.facts(2 ** 30)).toBeUndefined();
});
