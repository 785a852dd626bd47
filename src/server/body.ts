import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

/** What became of reading a body. */
export type Body =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tooLarge' }
  /** It has a Content-Encoding that isn't read. */
  | { readonly kind: 'encoded'; readonly encoding: string }
  /** It isn't what its Content-Encoding says. */
  | { readonly kind: 'garbled'; readonly encoding: string }
  /** The caller went away. */
  | { readonly kind: 'aborted' };

/** How much of a body over the limit is read and thrown away before the caller is cut off, in multiples of it. */
const DRAIN = 4;

/** Content-Encoding -> what undoes it (RFC 9110, 8.4.1), off the main thread. */
const DECODERS = { gzip: promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) };

/** What a body may come in. */
export const ENCODINGS = Object.keys(DECODERS).join(', ');

/**
 * Reads a request's body as UTF-8, whatever its Content-Type says, and whether it is compressed or not. The rest of a body over the limit is thrown away, so
 * that the caller gets to read the answer instead of a broken connection; past {@link DRAIN} times the limit it is
 * answered at once.
 * @param limit bytes, of the body as it comes and of what is in it
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Body> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() || 'identity';
  const name = encoding === 'x-gzip' ? 'gzip' : encoding;
  const known = Object.hasOwn(DECODERS, name) || name === 'identity';
  const bytes = await readBytes(request, limit);
  if ('kind' in bytes) return bytes;
  if (!known) return { kind: 'encoded', encoding };
  if (name === 'identity') return { kind: 'text', text: bytes.toString('utf8') };
  try {
    // It is given up where it would become larger: a bomb takes no more than a body may.
    const text = await DECODERS[name as keyof typeof DECODERS](bytes, { maxOutputLength: limit });
    return { kind: 'text', text: text.toString('utf8') };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return { kind: 'tooLarge' };
    return { kind: 'garbled', encoding };
  }
}

type Unread = Extract<Body, { kind: 'tooLarge' | 'aborted' }>;

/** The bytes of a body as they come; see {@link readBody}. */
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
