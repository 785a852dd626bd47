import type { IncomingMessage } from 'node:http';

/** What became of reading a body. */
export type Body =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tooLarge' }
  /** The caller went away. */
  | { readonly kind: 'aborted' };

/** How much of a body over the limit is read and thrown away before the caller is cut off, in multiples of it. */
const DRAIN = 4;

/**
 * Reads a request's body as UTF-8, whatever its Content-Type says. The rest of a body over the limit is thrown away, so
 * that the caller gets to read the answer instead of a broken connection; past {@link DRAIN} times the limit it is
 * answered at once.
 * @param limit bytes
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Body> {
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
      const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      resolve({ kind: 'text', text: bytes.toString('utf8') });
    });
    request.on('error', () => resolve({ kind: 'aborted' }));
    request.on('close', () => resolve({ kind: 'aborted' }));
  });
}
