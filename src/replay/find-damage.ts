import { isIntact } from '../checked-line.ts';
import { isCutOff, rawLines } from './read-recording.ts';

/** The first line of a recording with a wrong checksum. */
export interface Damage {
  /** line number, from 1 */
  readonly line: number;
  /** Whether it is a result, not an input. The replay determines its block, since the number in the line may be damaged. */
  readonly isOutput: boolean;
  /** number of the next block in the recording after this line; `undefined` if there is none */
  readonly next: string | undefined;
}

/** The beginning of a result line, with the number of its block. */
const OUTPUT = /^\{"(?:sealed":"|flashblock":\d+,"block":")(\d+)"/;
/** A result line joined to the preceding line, because the newline between them was changed. */
const JOINED = /"sum":"[0-9a-f]{8}"\}.\{"(?:sealed":"|flashblock":\d+,"block":")(\d+)"/s;

/** Checks the checksums of a recording's lines, without running it. @returns `undefined` when all lines are intact */
export async function findDamage(path: string): Promise<Damage | undefined> {
  let damage: Omit<Damage, 'next'> | undefined;
  for await (const raw of rawLines(path)) {
    const intact = isIntact(raw.bytes);
    if (!damage) {
      if (intact || isCutOff(raw)) continue;
      const text = raw.bytes.toString('latin1');
      const joined = JOINED.exec(text);
      // Input lines have neither of these fields, and a single changed byte can't damage both.
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
