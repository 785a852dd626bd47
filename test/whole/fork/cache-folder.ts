import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';

const made: string[] = [];
/** Registers the hook of a test file: folders are removed after each test. To be called before the hook that closes chains. */
export function removeFoldersAfterEachTest(): void {
  afterEach(() => {
    for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
  });
}

/** An empty folder. */
export function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'devnet-fork-cache-'));
  made.push(dir);
  return dir;
}

/** Paths of the files of fork blocks in a cache. */
export function blockFiles(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(dir, name));
}
