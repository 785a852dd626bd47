import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { giveWay } from '../turns.ts';

/** Most folders that are read, and most entries that are looked at. */
const MAX_FOLDERS = 10_000;
const MAX_NAMES = 200_000;

/**
 * The `.json` files in a folder and its subfolders, as sorted paths relative to it. Each folder is read once, so that cyclic links do no
 * harm; folders that can't be read count as empty.
 * @param skip names of folders that are left out
 */
export async function jsonFilesBelow(root: string, skip: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = [];
  const seen = new Set<string>();
  const open = [''];
  let names = 0;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const path = join(root, folder);
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined || seen.has(real) || seen.size >= MAX_FOLDERS) continue;
    seen.add(real);
    for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
      if (names++ >= MAX_NAMES) return found.sort();
      const name = folder === '' ? entry.name : join(folder, entry.name);
      if (await isFolder(entry, join(root, name))) {
        if (!skip.has(entry.name)) open.push(name);
      } else if (entry.name.endsWith('.json')) found.push(name);
    }
    await giveWay();
  }
  return found.sort();
}

async function isFolder(
  entry: { isDirectory(): boolean; isSymbolicLink(): boolean },
  path: string,
): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
