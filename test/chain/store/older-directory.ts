import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Level } from 'level';
import { decodeBatchRecord, encodeBatchRecord, HEAD_BYTES } from '../../../src/chain/store/batch-record.ts';
import { metaKey, PREFIX } from '../../../src/chain/store/keys.ts';

/** The value as the database keeps it, with the checksum of key and value. */
function stored(key: Uint8Array, value: Uint8Array): Buffer {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(value, crc32(key)));
  return Buffer.concat([value, checksum]);
}

/** Makes a closed data directory what a version of the program without records of logs would have left. */
export async function forgetLogRecords(dir: string): Promise<void> {
  const level = new Level<Uint8Array, Buffer>(join(dir, 'db'), {
    keyEncoding: 'view',
    valueEncoding: 'buffer',
  });
  await level.open();
  const coverage = Buffer.from(metaKey('logs'));
  const isNew = (key: Uint8Array) => key[0] === PREFIX.logs || coverage.equals(key);
  const batch = level.batch();
  for await (const [key, value] of level.iterator()) {
    if (isNew(key)) batch.del(key);
    if (key[0] !== PREFIX.batch) continue;
    const bytes = value.subarray(0, -4);
    const kept = decodeBatchRecord(bytes).written.filter((entry) => !isNew(entry.key));
    const record = encodeBatchRecord(bytes.subarray(0, HEAD_BYTES), kept);
    batch.put(key, stored(key, record));
  }
  await batch.write();
  await level.close();
}
