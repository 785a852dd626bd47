import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { replayFixture } from '../../src/replay/replay-file.ts';
import { type ReplayResult, replayRecording } from '../../src/replay/replay-recording.ts';
import { FUZZ } from '../fuzz.ts';

const dir = mkdtempSync(join(tmpdir(), 'devnet-damage-'));
afterAll(() => rmSync(dir, { recursive: true }));
const path = join(dir, 'changed.jsonl');
const folder = join(import.meta.dirname, '../../fixtures/recordings');

/** One bit, the one that makes letters of digits, and one that makes no UTF-8. */
const MASKS = [0x01, 0x40, 0x80];
/** Of the bytes inside a line; `npm run test:fuzz` takes them all. */
const STEP = Math.ceil(53 / FUZZ);
/** Of those where it begins and ends, and of the lines with outcomes. */
const EDGE_STEP = Math.ceil(3 / FUZZ);

interface Line {
  readonly number: number;
  readonly text: string;
  /** place in the file */
  readonly start: number;
}

function linesOf(file: Buffer): Line[] {
  const lines = file.toString('latin1').trimEnd().split('\n');
  let start = 0;
  return lines.map((text, i) => {
    const line = { number: i + 1, text, start };
    start += text.length + 1;
    return line;
  });
}

/** The block of the next line that holds an outcome; after the last one, the block that would have come. */
function blockAfter(lines: readonly Line[], { number }: Line): string {
  const next = lines.slice(number).find((line) => !isInput(line));
  const { sealed, block } = JSON.parse((next ?? lines.findLast((line) => !isInput(line))!).text);
  return next || block ? (sealed ?? block) : `${Number(sealed) + 1}`;
}

const isInput = ({ text }: Line) => !/^\{"(sealed|flashblock)"/.test(text);

/** Replays the file at `path` with one byte changed in place: writing the whole file takes longer than replaying it. */
async function replayChanged(file: Buffer, position: number, mask: number): Promise<ReplayResult> {
  const set = (byte: number) => {
    const handle = openSync(path, 'r+');
    writeSync(handle, Uint8Array.of(byte), 0, 1, position);
    closeSync(handle);
  };
  set(file[position]! ^ mask);
  try {
    return await replayRecording(path);
  } finally {
    set(file[position]!);
  }
}

it.each(readdirSync(folder))(
  'a changed byte of an input of %s is found, in its line and block',
  async (name) => {
    const file = readFileSync(join(folder, name));
    const lines = linesOf(file);
    writeFileSync(path, file);
    let tried = 0;
    for (const line of lines.filter(isInput)) {
      const block = blockAfter(lines, line);
      const { length } = line.text;
      for (let at = 0; at <= length; at++) {
        // Where a line begins and ends is what a reader goes by.
        const isEdge = at <= 12 || at >= length - 20;
        if (!(isEdge && (at + line.number) % EDGE_STEP === 0) && (at + line.number) % STEP !== 0) continue;
        for (const mask of FUZZ > 1 ? MASKS : [MASKS[(at + line.number) % MASKS.length]!]) {
          const { pass, difference } = await replayChanged(file, line.start + at, mask);
          expect({ at, mask, pass, line: difference?.line, block: difference?.block }).toEqual({
            at,
            mask,
            pass: false,
            line: line.number,
            block,
          });
          tried++;
        }
      }
    }
    expect(tried).toBeGreaterThan(250);
  },
);

it('a changed byte of an outcome is found too, in its line and block', async () => {
  const file = readFileSync(join(folder, 'automine.jsonl'));
  writeFileSync(path, file);
  const outcomes = linesOf(file).filter((any) => !isInput(any));
  for (const line of outcomes.filter((_, i) => i % EDGE_STEP === 0)) {
    const { sealed, block } = JSON.parse(line.text);
    for (let at = 0; at < line.text.length; at += 1 + Math.ceil(120 / FUZZ)) {
      expect(await replayChanged(file, line.start + at, 1)).toMatchObject({
        pass: false,
        difference: { line: line.number, block: sealed ?? block },
      });
    }
  }
});

it('a line that was cut off by the end of a process is no damage, wherever it was cut', async () => {
  const file = readFileSync(join(folder, 'manual.jsonl'));
  const { start, text } = linesOf(file).at(-1)!;
  for (let length = 0; length <= text.length + 1; length += Math.ceil(4 / FUZZ)) {
    writeFileSync(path, file.subarray(0, start + length));
    expect(await replayRecording(path)).toMatchObject({ pass: true });
  }
});

it('a recording is one still when its first line was changed', async () => {
  const file = readFileSync(join(folder, 'manual.jsonl'));
  file[4]! ^= 1;
  writeFileSync(path, file);
  const { pass, cases } = await replayFixture(path);
  expect(pass).toBe(false);
  expect(cases['changed.jsonl']!.difference).toMatchObject({ line: 1, block: '1', field: 'checksum' });
});
