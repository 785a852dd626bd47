import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = /^devnet-\d+-[A-Za-z0-9]+$/;
const OWNER_FILE = 'owner.json';

/** Whose a temporary directory is. A process id means something on its host only (containers may share a /tmp). */
interface Owner {
  readonly pid: number;
  readonly host: string;
}

/** A directory for a chain that nobody wants to keep. */
export interface TemporaryDirectory {
  /** where the chain's data directory goes */
  readonly path: string;
  /** Deletes the directory and all in it. */
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
  return { path: join(dir, 'chain'), remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Deletes the temporary directories whose process is dead. Those of live ones and of others' are left alone. */
export function sweepTemporaryDirectories(root: string = tmpdir()): void {
  for (const name of readdirSync(root)) {
    if (!NAME.test(name)) continue;
    const dir = join(root, name);
    try {
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
