import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Clock } from '../clock.ts';

/** How often it is looked whether the parent is still there, in milliseconds. */
const EVERY = 500;

/** npm and npx start commands with this shell between them, unless the shell replaces itself with the command. */
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ash', 'ksh']);

/** What is known of a process. */
interface ProcessFacts {
  /** id of the process that started it, or of the one that took it over when that ended */
  readonly parent: number;
  /** name of its program, without the folder */
  readonly name: string;
}

/** How a process learns of others; tests hand in their own. */
export interface Processes {
  /** id of the process that started this one */
  readonly parent: number;
  /** @returns `undefined` where there is no such process, or the system doesn't tell */
  facts(pid: number): ProcessFacts | undefined;
}

/** Whether npm, npx, pnpm, yarn or bun started this process: each sets one of these variables. */
export function isStartedByPackageManager(env: Readonly<Record<string, string | undefined>>): boolean {
  return env.npm_lifecycle_event !== undefined || env.npm_command !== undefined;
}

/**
 * Calls `onEnd` once when the process that started this one has ended. With a shell between it and npm, npm counts too: a
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
  // On Windows the id stays when the parent has ended.
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

/** A line of `/proc/PID/stat`: the id, the name in parentheses (it may have such itself), the state, the parent's id. */
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
