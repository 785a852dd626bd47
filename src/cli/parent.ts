import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Clock } from '../clock.ts';

/** Milliseconds between two checks whether the parent is still running. */
const EVERY = 500;

/** npm and npx start commands through one of these shells, unless the shell replaces itself with the command. */
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ash', 'ksh']);

/** Properties of a process. */
interface ProcessFacts {
  /** id of the process that started it, or of the process that adopted it when that one ended */
  readonly parent: number;
  /** name of its program, without the folder */
  readonly name: string;
}

/** Access to other processes; tests pass their own. */
export interface Processes {
  /** id of the process that started this one */
  readonly parent: number;
  /** @returns `undefined` if there is no such process, or if the operating system doesn't provide this */
  facts(pid: number): ProcessFacts | undefined;
}

/** Whether npm, npx, pnpm, yarn or bun started this process: each sets one of these variables. */
export function isStartedByPackageManager(env: Readonly<Record<string, string | undefined>>): boolean {
  return env.npm_lifecycle_event !== undefined || env.npm_command !== undefined;
}

/**
 * Calls `onEnd` once when the process that started this one has ended. If that is a shell started by npm, the end of npm counts, too: a
 * shell waits for its command even if npm was killed.
 */
export function watchParent(
  onEnd: () => void,
  { clock, processes }: { clock: Clock; processes: Processes },
): Disposable {
  const { parent } = processes;
  const shell = processes.facts(parent);
  const above = shell && SHELLS.has(shell.name) ? shell.parent : undefined;
  const hasEnded = () => processes.parent !== parent || (above && processes.facts(parent)?.parent !== above);
  const timer = clock.every(EVERY, () => {
    if (!hasEnded()) return;
    timer[Symbol.dispose]();
    onEnd();
  });
  return timer;
}

/** The processes of this system. */
export const systemProcesses: Processes = {
  // On Windows, the parent's id doesn't change when the parent ends.
  get parent() {
    return process.platform === 'win32' && !isAlive(process.ppid) ? 0 : process.ppid;
  },
  facts: (pid) => {
    try {
      if (process.platform === 'linux') return factsFromStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
      if (process.platform === 'win32') return undefined;
      const text = execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], { encoding: 'utf8' });
      const [, parent, name] = /^\s*(\d+)\s+(.*?)\s*$/.exec(text)!;
      return { parent: Number(parent), name: basename(name!).replace(/^-/, '') };
    } catch {
      return undefined;
    }
  },
};

/** Parses `/proc/PID/stat`: the id, the name in parentheses (which may itself contain parentheses), the state, the parent's id. */
function factsFromStat(line: string): ProcessFacts {
  const end = line.lastIndexOf(')');
  const [, parent] = line.slice(end + 2).split(' ');
  return { parent: Number(parent), name: line.slice(line.indexOf('(') + 1, end) };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
