import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** LevelDB's log format: blocks of 32 KiB that contain records of checksum (4 bytes), length (2), type (1) and data. */
const BLOCK_BYTES = 32_768;
const HEADER_BYTES = 7;

/**
 * Looks for damage in LevelDB's own logs before LevelDB opens them: it would silently drop a record that fails its
 * checksum, with the rest of that log block, and then delete the log. An incomplete record at the end isn't damage, because
 * a killed process leaves one.
 * @param database LevelDB's directory, which may be missing
 * @returns the name of a damaged log
 * @see https://github.com/google/leveldb/blob/main/doc/log_format.md
 */
export function findDamagedLog(database: string): string | undefined {
  let names: string[];
  try {
    names = readdirSync(database);
  } catch {
    return undefined;
  }
  return names.find((name) => name.endsWith('.log') && !isWhole(readFileSync(join(database, name))));
}

function isWhole(log: Buffer): boolean {
  for (let at = 0; at + HEADER_BYTES <= log.length; ) {
    const left = BLOCK_BYTES - (at % BLOCK_BYTES);
    if (left < HEADER_BYTES) {
      at += left;
      continue;
    }
    const length = log.readUInt16LE(at + 4);
    const end = at + HEADER_BYTES + length;
    // A file system may leave zeros where power loss interrupted a write.
    const blank = length === 0 && log[at + 6] === 0;
    if (blank || end > log.length) return true;
    if (HEADER_BYTES + length > left) return false;
    if (mask(crc32c(log, at + 6, end)) !== log.readUInt32LE(at)) return false;
    at = end;
  }
  return true;
}

/** LevelDB's masked form of a checksum: rotated, plus a constant. Used because the data may contain checksums itself. */
function mask(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

/** CRC-32C (Castagnoli), whose reversed polynomial is 0x82f63b78. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

function crc32c(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0xffffffff;
  for (let i = start; i < end; i++) crc = TABLE[(crc ^ bytes[i]!) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
