import { crc32 } from 'node:zlib';

/** Length of `,"sum":"01234567"}` in bytes. */
const TAIL = 18;

/** Appends a checksum to the JSON of an object, so that a changed byte of the line is detected. */
export function withChecksum(json: string): string {
  const bare = json.slice(0, -1);
  return `${bare},"sum":"${sumOf(bare)}"}`;
}

/** Whether a line's checksum is right. Checks the bytes, because different invalid UTF-8 decodes to the same text. */
export function isIntact(line: Buffer): boolean {
  const end = line.length - TAIL;
  return end > 0 && line.toString('latin1', end) === `,"sum":"${sumOf(line.subarray(0, end))}"}`;
}

/** The object of a line, without its checksum, which isn't checked. @throws SyntaxError when it isn't JSON */
export function contentOf(line: Buffer): unknown {
  return JSON.parse(`${line.toString('utf8', 0, Math.max(0, line.length - TAIL))}}`);
}

const sumOf = (bare: string | Buffer) => crc32('}', crc32(bare)).toString(16).padStart(8, '0');
