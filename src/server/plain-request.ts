import { FORWARDED } from './forwarded.ts';
import { isHostAllowed } from './host-check.ts';

/** What the head of a request says about the bytes after it. */
export interface PlainHead {
  /** Content-Length, bytes */
  readonly length: number;
  /** whether the client wants the connection closed after the answer */
  readonly closes: boolean;
}

const REQUEST_LINE = 'POST / HTTP/1.1';
/** A header in the usual form: no tabs, and spaces only after the colon (at most one) and inside the value. */
const HEADER = /^([A-Za-z0-9_-]+): ?([!-~](?:[ -~]*[!-~])?|)$/;
const PART_OF_HEADER = /^([A-Za-z0-9_-]+(:[ -~]*)?)?\r?$/;
const LENGTH = /^(0|[1-9][0-9]{0,8})$/;
/** Headers that change how a request is read, whether it is executed, or when it is answered. */
const UNUSUAL = new Set([
  'content-encoding',
  FORWARDED,
  'devnet-position',
  'expect',
  'http2-settings',
  'proxy-connection',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Maximum length of a head that is read here, bytes. Node's HTTP server accepts 16 KiB. */
export const HEAD_LIMIT = 8 * 1024;

/** Number of cached heads (clients repeat theirs), and the maximum length of each in characters. */
const REMEMBERED = 1_000;
const MAX_REMEMBERED = 1_024;

export interface PlainHeadOptions {
  /** bytes */
  readonly bodyLimit: number;
  readonly allowedHosts: ReadonlySet<string>;
}

/**
 * Reads the heads of plain requests, and caches them. A plain request is HTTP/1.1, POST to `/`, with one allowed Host, one Content-Length
 * within the limit, and nothing that changes how the message is framed (RFC 9112) or encoded.
 */
export class PlainHeads {
  readonly #options: PlainHeadOptions;
  readonly #known = new Map<string, PlainHead>();

  constructor(options: PlainHeadOptions) {
    this.#options = options;
  }

  /**
   * Reads a head.
   * @param head from the request line up to and including the empty line
   * @returns `undefined` if the request isn't plain, or malformed
   */
  read(head: string): PlainHead | undefined {
    const known = this.#known.get(head);
    if (known) return known;
    const read = this.#read(head);
    if (!read || head.length > MAX_REMEMBERED) return read;
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    // Stores a copy, because a slice would keep the whole original text in memory.
    this.#known.set(Buffer.from(head, 'latin1').toString('latin1'), read);
    return read;
  }

  /** Whether the beginning of a head may become a plain head. */
  mayBecomePlain(part: string): boolean {
    const lines = part.split('\r\n');
    const last = lines.pop()!;
    if (lines.length === 0) return `${REQUEST_LINE}\r`.startsWith(last);
    const isPlain = lines.shift() === REQUEST_LINE && readHeaders(lines) !== undefined;
    return isPlain && PART_OF_HEADER.test(last);
  }

  #read(head: string): PlainHead | undefined {
    const [first, ...lines] = head.slice(0, -4).split('\r\n');
    const headers = first === REQUEST_LINE ? readHeaders(lines) : undefined;
    if (!headers) return undefined;
    const { length, host, connection } = headers;
    if (length === undefined || length > this.#options.bodyLimit) return undefined;
    if (host === undefined || !isHostAllowed(host, this.#options.allowedHosts)) return undefined;
    return { length, closes: connection === 'close' };
  }
}

interface Headers {
  length?: number;
  host?: string;
  connection?: string;
}

/** @returns `undefined` if one of the lines doesn't belong to a plain request */
function readHeaders(lines: readonly string[]): Headers | undefined {
  const headers: Headers = {};
  for (const line of lines) {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined) return undefined;
    switch (name.toLowerCase()) {
      case 'content-length':
        if (headers.length !== undefined || !LENGTH.test(value)) return undefined;
        headers.length = Number(value);
        break;
      case 'host':
        if (headers.host !== undefined) return undefined;
        headers.host = value;
        break;
      case 'connection':
        if (headers.connection !== undefined || !/^(keep-alive|close)$/i.test(value)) return undefined;
        headers.connection = value.toLowerCase();
        break;
      default:
        if (UNUSUAL.has(name.toLowerCase())) return undefined;
    }
  }
  return headers;
}
