import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

/** The result of reading a request's body. */
export type Body =
  | { readonly kind: 'text'; readonly bytes: Buffer }
  | { readonly kind: 'tooLarge' }
  /** The Content-Encoding isn't supported. */
  | { readonly kind: 'encoded'; readonly encoding: string }
  /** The body can't be decompressed by its Content-Encoding. */
  | { readonly kind: 'garbled'; readonly encoding: string }
  /** The connection ended early. */
  | { readonly kind: 'aborted' };

/** A body that exceeds the limit is read up to this many times the limit; then it is answered without reading the rest. */
const DRAIN = 4;

/** Decompression by Content-Encoding (RFC 9110, 8.4.1), off the main thread. */
const DECODERS = { gzip: promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) };

/** The supported Content-Encodings, as a header value. */
export const ENCODINGS = Object.keys(DECODERS).join(', ');

/**
 * Reads a request's body as UTF-8, compressed or not, whatever its Content-Type. A body over the limit is still read to its end and
 * discarded, so that the client can read the answer instead of seeing a broken connection; past {@link DRAIN} times the limit it is
 * answered at once.
 * @param limit maximum number of bytes, both of the body as sent and of its decompressed content
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Body> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() || 'identity';
  const name = encoding === 'x-gzip' ? 'gzip' : encoding;
  const known = Object.hasOwn(DECODERS, name) || name === 'identity';
  const bytes = await readBytes(request, limit);
  if ('kind' in bytes) return bytes;
  if (!known) return { kind: 'encoded', encoding };
  if (name === 'identity') return { kind: 'text', bytes };
  try {
    // Decompression stops at the limit, so that a decompression bomb needs no more memory than an ordinary body.
    const unpacked = await DECODERS[name as keyof typeof DECODERS](bytes, { maxOutputLength: limit });
    return { kind: 'text', bytes: unpacked };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return { kind: 'tooLarge' };
    return { kind: 'garbled', encoding };
  }
}

type Unread = Extract<Body, { kind: 'tooLarge' | 'aborted' }>;

/** Reads a body without decompressing it; see {@link readBody}. */
export function readBytes(request: IncomingMessage, limit: number): Promise<Buffer | Unread> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else {
        chunks = [];
        if (size > limit * DRAIN) {
          request.pause();
          resolve({ kind: 'tooLarge' });
        }
      }
    });
    request.on('end', () => {
      if (size > limit) {
        resolve({ kind: 'tooLarge' });
        return;
      }
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
    request.on('error', () => resolve({ kind: 'aborted' }));
    request.on('close', () => resolve({ kind: 'aborted' }));
  });
}
