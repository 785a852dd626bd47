import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = /^devnet-\d+-[A-Za-z0-9]+(\.gone)?$/;
/** Suffix of directories that any process may delete. */
const GONE = '.gone';
const OWNER_FILE = 'owner.json';
/**
 * Directories up to this size in bytes are deleted by this process: that takes up to 50 ms, as long as starting another
 * process.
 */
const SMALL = 64 * 1024 * 1024;
const DELETE = "require('node:fs').rmSync(process.argv[1], { recursive: true, force: true })";

/** The process that uses a temporary directory. Its id is valid only on its host, because containers may share a /tmp. */
interface Owner {
  readonly pid: number;
  readonly host: string;
  /** the process's start time, if the system provides it: after the restart of a container, another process may have the same id */
  readonly began?: string | undefined;
}

/** A temporary directory for a chain. */
export interface TemporaryDirectory {
  /** path for the chain's data directory */
  readonly path: string;
  /** the directory itself, for other data with the same lifetime */
  readonly root: string;
  /** Deletes the directory with its contents; a large one is deleted in the background, by another process. */
  remove(): void;
}

/**
 * Creates `devnet-<pid>-<random>`, after deleting the directories of killed processes.
 * @param root parent directory; default: the system's directory for temporary files
 */
export function createTemporaryDirectory(root: string = tmpdir()): TemporaryDirectory {
  sweepTemporaryDirectories(root);
  const dir = mkdtempSync(join(root, `devnet-${process.pid}-`));
  const owner: Owner = { pid: process.pid, host: hostname(), began: beginningOf(process.pid) };
  writeFileSync(join(dir, OWNER_FILE), JSON.stringify(owner));
  return { path: join(dir, 'chain'), root: dir, remove: () => remove(dir) };
}

function remove(dir: string): void {
  if (sizeOf(dir) <= SMALL) {
    rmSync(dir, { recursive: true, force: true });
    return;
  }
  // If that process fails, the next start deletes the directory.
  const gone = `${dir}${GONE}`;
  renameSync(dir, gone);
  const env = { ...process.env, NODE_OPTIONS: '' };
  spawn(process.execPath, ['-e', DELETE, gone], { detached: true, stdio: 'ignore', windowsHide: true, env })
    .on('error', () => {})
    .unref();
}

/** Size in bytes of all files in a directory and its subdirectories. */
function sizeOf(dir: string): number {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' }).reduce(
    (sum, name) => sum + statSync(join(dir, name)).size,
    0,
  );
}

/**
 * Deletes the temporary directories whose process has ended, but not those of running processes and of other hosts.
 */
export function sweepTemporaryDirectories(root: string = tmpdir()): void {
  for (const name of readdirSync(root)) {
    if (!NAME.test(name)) continue;
    const dir = join(root, name);
    try {
      if (name.endsWith(GONE)) {
        rmSync(dir, { recursive: true, force: true });
        continue;
      }
      const owner: Owner = JSON.parse(readFileSync(join(dir, OWNER_FILE), 'utf8'));
      if (owner.host === hostname() && isDead(owner)) rmSync(dir, { recursive: true, force: true });
    } catch {
      // Another process has deleted the directory or is creating it, or it belongs to another user: leave it.
    }
  }
}

function isDead({ pid, began }: Owner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  // Another process may have the same id by now.
  const now = beginningOf(pid);
  return began !== undefined && now !== undefined && began !== now;
}

/** Start time of a process, in the system's own unit; `undefined` if unknown. */
function beginningOf(pid: number): string | undefined {
  try {
    // proc(5): field 22, the 20th after the name in parentheses, which may contain spaces and parentheses.
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')[19];
  } catch {
    return undefined;
  }
}
