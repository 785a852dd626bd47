import { createReadStream } from 'node:fs';

/** Length of a whole RLP item in bytes, from its prefix; `undefined` while the prefix is incomplete. */
function itemLength(bytes: Uint8Array): number | undefined {
  const first = bytes[0];
  if (first === undefined) return undefined;
  if (first < 0x80) return 1;
  const length = first - (first < 0xc0 ? 0x80 : 0xc0);
  if (length <= 55) return 1 + length;
  const size = length - 55;
  if (bytes.length < 1 + size) return undefined;
  let payload = 0;
  for (let i = 1; i <= size; i++) payload = payload * 256 + bytes[i]!;
  return 1 + size + payload;
}

/**
 * Reads the RLP items of a file one after the other. Keeps only as much of the file in memory as the next item needs.
 * @throws Error when the file can't be read, or ends inside an item
 */
export async function* rlpItems(path: string): AsyncGenerator<Uint8Array> {
  let held: Uint8Array = new Uint8Array(0);
  const waiting: Uint8Array[] = [];
  let have = 0;
  let need = 1;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    waiting.push(chunk as Buffer);
    have += (chunk as Buffer).length;
    // Chunks are joined only when an item is complete, so that a large item isn't copied with each chunk.
    if (have < need) continue;
    held = Buffer.concat([held, ...waiting.splice(0)]);
    for (;;) {
      const length = itemLength(held);
      need = length ?? held.length + 1;
      if (length === undefined || held.length < length) break;
      yield Uint8Array.from(held.subarray(0, length));
      held = held.subarray(length);
    }
    have = held.length;
  }
  if (have > 0) throw new Error(`${path} ends inside a block: ${have} bytes are left over`);
}
