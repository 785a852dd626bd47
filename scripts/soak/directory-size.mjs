import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Size in MiB of all files in a directory and its subdirectories. Files may appear and disappear meanwhile. */
export function directorySize(directory) {
  const sizes = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map(
    (name) => statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1024 / 1024;
}
