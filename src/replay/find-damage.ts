import { isIntact } from '../recorder/lines.ts';
import { isCutOff, rawLines } from './read-recording.ts';

/** The first line of a recording that isn't as it was written. */
export interface Damage {
  /** from 1 */
  readonly line: number;
  /** It says what came of inputs: which block it is about only the replay knows, since its number may be what changed. */
  readonly isOutput: boolean;
  /** number of the block that the recording says came next; `undefined` after the last one */
  readonly next: string | undefined;
}

/** Where a line of an output begins, with the number of its block. */
const OUTPUT = /^\{"(?:sealed":"|flashblock":\d+,"block":")(\d+)"/;
/** The same behind another line, where the end between the two was changed. */
const JOINED = /"sum":"[0-9a-f]{8}"\}.\{"(?:sealed":"|flashblock":\d+,"block":")(\d+)"/s;

/**
 * Reads a recording without running it: every line has a checksum.
 * @returns `undefined` when all lines are as they were written
 */
export async function findDamage(path: string): Promise<Damage | undefined> {
  let damage: Omit<Damage, 'next'> | undefined;
  for await (const raw of rawLines(path)) {
    const intact = isIntact(raw.bytes);
    if (!damage) {
      if (intact || isCutOff(raw)) continue;
      const text = raw.bytes.toString('latin1');
      const joined = JOINED.exec(text);
      // No single byte takes both away, and inputs have neither.
      const isOutput = !joined && (text.includes('"hash":"0x') || text.includes('"stateRoot":"0x'));
      damage = { line: raw.number, isOutput };
      if (joined) return { ...damage, next: joined[1] };
    } else if (intact) {
      const output = OUTPUT.exec(raw.bytes.toString('latin1', 0, 80));
      if (output) return { ...damage, next: output[1] };
    }
  }
  return damage && { ...damage, next: undefined };
}
