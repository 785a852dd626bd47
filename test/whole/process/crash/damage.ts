import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { layoutOf } from '../../../../src/chain/store/data-dir.ts';
import { LOG_BEGINNING, readLogs } from '../../../../src/chain/store/write-ahead-log.ts';
import type { Random } from '../../../random.ts';

/**
 * Leaves a torn write behind the last whole change, as a kill in the middle of the write does: the beginning of a change,
 * or bytes of which some came out wrong.
 */
export function tear(dir: string, random: Random): void {
  for (const path of layoutOf(dir).logs) {
    const [log] = readLogs([path]);
    if (!log) continue;
    const end = log.frames.at(-1)!.to;
    const { from, to } = random.pick(log.frames);
    const torn = Buffer.from(log.bytes.subarray(from, from + 1 + random.below(to - from - 1)));
    if (random.chance(0.5)) torn[random.below(torn.length)]! ^= 1 << random.below(8);
    writeFileSync(
      path,
      Buffer.concat([log.bytes.subarray(0, end), torn, log.bytes.subarray(end + torn.length)]),
    );
  }
}

/** Flips a bit, or cuts the end off, of a file that holds announced changes. @returns what was done */
export function harm(dir: string, random: Random): string | undefined {
  const names = (readdirSync(dir, { recursive: true }) as string[]).filter((name) =>
    /ahead-|\.log$|\.ldb$|last-batch$/.test(name),
  );
  const name = random.pick(names);
  const path = join(dir, name);
  const bytes = readFileSync(path);
  if (bytes.length <= LOG_BEGINNING.length) return undefined;
  const at = random.below(bytes.length);
  if (random.chance(0.2)) {
    writeFileSync(path, bytes.subarray(0, at));
    return `${name} cut at ${at} of ${bytes.length}`;
  }
  bytes[at]! ^= 1 << random.below(8);
  writeFileSync(path, bytes);
  return `${name} flipped at ${at} of ${bytes.length}`;
}
