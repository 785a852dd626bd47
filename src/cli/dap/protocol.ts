import type { Readable } from 'node:stream';
import type { DebugProtocol } from '@vscode/debugprotocol';

/** Maximum size in bytes of a message, and of its header. */
const MAX_MESSAGE = 4 * 2 ** 20;
const MAX_HEADER = 4 * 2 ** 10;
const END_OF_HEADER = '\r\n\r\n';

/**
 * Reads the messages of an editor, in the base protocol of the Debug Adapter Protocol: a header with `Content-Length` in bytes, an empty
 * line, and JSON. The reader of @vscode/debugadapter limits no message, and goes on behind a broken header.
 * @throws Error if the bytes are something else; the rest can't be read then
 */
export async function* readRequests(input: Readable): AsyncGenerator<DebugProtocol.Request> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of input) {
    bytes = Buffer.concat([bytes, Buffer.from(chunk)]);
    for (;;) {
      const end = bytes.indexOf(END_OF_HEADER);
      if (end < 0 ? bytes.length > MAX_HEADER : end > MAX_HEADER)
        throw new Error('expected a header of the Debug Adapter Protocol');
      if (end < 0) break;
      const length = lengthIn(bytes.toString('latin1', 0, end));
      const start = end + END_OF_HEADER.length;
      if (bytes.length < start + length) break;
      const request = requestIn(bytes.toString('utf8', start, start + length));
      bytes = bytes.subarray(start + length);
      if (request) yield request;
    }
  }
}

function lengthIn(header: string): number {
  const [, digits] = /^Content-Length: *(\d{1,10})\s*$/im.exec(header) ?? [];
  const length = digits === undefined ? Number.NaN : Number(digits);
  if (!(length <= MAX_MESSAGE))
    throw new Error(`expected Content-Length of at most ${MAX_MESSAGE} bytes, got ${digits ?? 'none'}`);
  return length;
}

/**
 * The library expects arguments, and that paths are said to be paths: the protocol lets editors leave both out.
 * @returns `undefined` if the message isn't a request, such as a response
 */
function requestIn(text: string): DebugProtocol.Request | undefined {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw new Error('expected JSON behind the header');
  }
  const { seq, type, command, arguments: args } = (message ?? {}) as Partial<DebugProtocol.Request>;
  if (type !== 'request' || typeof seq !== 'number' || typeof command !== 'string') return undefined;
  return {
    seq,
    type,
    command,
    arguments: { ...(command === 'initialize' && { pathFormat: 'path' }), ...args },
  };
}

/** Encodes a message. */
export function messageBytes(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}${END_OF_HEADER}`, 'latin1'), body]);
}
