import type { Readable } from 'node:stream';

/** A message from an editor. */
export interface Request {
  readonly seq: number;
  readonly type: 'request';
  readonly command: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** A message to an editor, without its sequence number. */
export type Reply =
  | {
      readonly type: 'response';
      readonly request_seq: number;
      readonly command: string;
      readonly success: boolean;
      readonly message?: string;
      readonly body?: unknown;
    }
  | { readonly type: 'event'; readonly event: string; readonly body?: unknown };

/** Maximum size in bytes of a message, and of its header. */
const MAX_MESSAGE = 4 * 2 ** 20;
const MAX_HEADER = 4 * 2 ** 10;
const END_OF_HEADER = '\r\n\r\n';

/**
 * Reads the messages of an editor, in the base protocol of the Debug Adapter Protocol: a header with `Content-Length` in bytes, an empty
 * line, and JSON.
 * @throws Error if the bytes are something else; the rest can't be read then
 */
export async function* readRequests(input: Readable): AsyncGenerator<Request> {
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

/** @returns `undefined` if the message isn't a request, such as a response */
function requestIn(text: string): Request | undefined {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw new Error('expected JSON behind the header');
  }
  const { seq, type, command, arguments: args } = (message ?? {}) as Partial<Request>;
  if (type !== 'request' || typeof seq !== 'number' || typeof command !== 'string') return undefined;
  return {
    seq,
    type,
    command,
    arguments: typeof args === 'object' && args !== null ? args : {},
  };
}

/** Encodes a message. @param seq its sequence number: 1 for the first message of a connection */
export function messageBytes(seq: number, reply: Reply): Buffer {
  const body = Buffer.from(JSON.stringify({ seq, ...reply }), 'utf8');
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}${END_OF_HEADER}`, 'latin1'), body]);
}
