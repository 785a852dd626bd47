import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = /^devnet-\d+-[A-Za-z0-9]+(\.gone)?$/;
/** Ends the name of a directory that nobody uses any more, whoever its owner was. */
const GONE = '.gone';
const OWNER_FILE = 'owner.json';
/** Bytes that are deleted within some 50 ms; starting a process that does it takes as long. */
const SMALL = 64 * 1024 * 1024;
const DELETE = "require('node:fs').rmSync(process.argv[1], { recursive: true, force: true })";

/** Whose a temporary directory is. A process id means something on its host only (containers may share a /tmp). */
interface Owner {
  readonly pid: number;
  readonly host: string;
}

/** A directory for a chain that nobody wants to keep. */
export interface TemporaryDirectory {
  /** where the chain's data directory goes */
  readonly path: string;
  /** Deletes the directory and all in it; a big one goes a little later, by a process of its own. */
  remove(): void;
}

/**
 * Makes `devnet-<pid>-<random>`, after deleting those that killed processes left.
 * @param root the directory it is made in; the system's for temporary files unless told otherwise
 */
export function createTemporaryDirectory(root: string = tmpdir()): TemporaryDirectory {
  sweepTemporaryDirectories(root);
  const dir = mkdtempSync(join(root, `devnet-${process.pid}-`));
  const owner: Owner = { pid: process.pid, host: hostname() };
  writeFileSync(join(dir, OWNER_FILE), JSON.stringify(owner));
  return { path: join(dir, 'chain'), remove: () => remove(dir) };
}

function remove(dir: string): void {
  if (sizeOf(dir) <= SMALL) {
    rmSync(dir, { recursive: true, force: true });
    return;
  }
  // Should that process not get to it, the next start sweeps it.
  const gone = `${dir}${GONE}`;
  renameSync(dir, gone);
  const env = { ...process.env, NODE_OPTIONS: '' };
  spawn(process.execPath, ['-e', DELETE, gone], { detached: true, stdio: 'ignore', windowsHide: true, env })
    .on('error', () => {})
    .unref();
}

/** Bytes of the files in a directory and below. */
function sizeOf(dir: string): number {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' }).reduce(
    (sum, name) => sum + statSync(join(dir, name)).size,
    0,
  );
}

/** Deletes the temporary directories whose process is dead. Those of live ones and of others' are left alone. */
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
      if (owner.host === hostname() && isDead(owner.pid)) rmSync(dir, { recursive: true, force: true });
    } catch {
      // Another process swept it first, is just making it, or it belongs to another user: not ours to delete.
    }
  }
}

function isDead(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
