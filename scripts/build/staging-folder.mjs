import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Creates an empty folder beside `target`, to be filled. `target` stays unchanged until the folder replaces it. Removes folders that
 * interrupted builds left behind.
 * @param {string} target path of the folder to replace; it need not exist
 * @returns {{ folder: string, replaceTarget(): void }}
 */
export function openStagingFolder(target) {
  const nameOf = (what, pid) => join(dirname(target), `${basename(target)}.${what}-${pid}`);
  for (const name of readdirSync(dirname(target))) {
    const [, what, pid] = /^(.*\.(?:building|replaced))-(\d+)$/.exec(name) ?? [];
    if (what?.startsWith(`${basename(target)}.`) && !isAlive(Number(pid)))
      rmSync(join(dirname(target), name), { recursive: true, force: true });
  }
  const folder = nameOf('building', process.pid);
  mkdirSync(folder, { recursive: true });
  return {
    folder,
    replaceTarget: () => {
      const replaced = nameOf('replaced', process.pid);
      try {
        renameSync(target, replaced);
      } catch (error) {
        if (error.code !== 'ENOENT') throw error;
      }
      renameSync(folder, target);
      rmSync(replaced, { recursive: true, force: true });
    },
  };
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
