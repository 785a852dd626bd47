import { RpcError, Unreachable } from './rpc-client.ts';
import { Refused } from './transport.ts';

/** The reason why the remote node of a forked chain doesn't give a usable response. */
export interface Failure {
  /** one line that completes the sentence "the node did not answer: ..." */
  readonly reason: string;
  /** advice for the user; one line that completes the sentence "can't fork from ...: ...; ..." */
  readonly advice: string;
  /** Whether the same request may succeed later: HTTP 429 or 5xx, a timeout, a lost connection. */
  readonly mayPass: boolean;
  /** Whether the node asks for fewer requests (HTTP 429). */
  readonly isTooMany: boolean;
  /** pause that the node asks for (Retry-After), milliseconds; 0 if it doesn't */
  readonly pause: number;
}

const CHECK_URL = 'check that the URL is that of an Ethereum JSON-RPC endpoint';
const CHECK_PORT = 'check host and port of the URL, and that a node runs there';
const CHECK_NAME = "check the host's name in the URL, and this machine's network";
const CHECK_TLS = 'check that the URL should begin with https or wss, and the certificate of its host';
const CHECK_KEY = 'check the key in the URL, or give one with --fork-header';

/** Error codes of Node.js and of its HTTP client -> reason, and advice. */
const CODES: Readonly<Record<string, readonly [reason: string, advice: string]>> = {
  ECONNREFUSED: ['the connection was refused', CHECK_PORT],
  EHOSTUNREACH: ['there is no way to the host', CHECK_PORT],
  ENETUNREACH: ['there is no way to the network', CHECK_NAME],
  EADDRNOTAVAIL: ['there is no such address', CHECK_PORT],
  ENOTFOUND: ["the host can't be found", CHECK_NAME],
  EAI_AGAIN: ["the host can't be found, since the name server didn't answer", CHECK_NAME],
  ECONNRESET: ['the connection was lost', CHECK_PORT],
  EPIPE: ['the connection was lost', CHECK_PORT],
  ETIMEDOUT: ['the host did not answer', CHECK_PORT],
  UND_ERR_SOCKET: ['the connection was lost', CHECK_PORT],
  UND_ERR_CONNECT_TIMEOUT: ['the host did not answer', CHECK_PORT],
  UND_ERR_HEADERS_TIMEOUT: ['the host did not answer', CHECK_PORT],
  UND_ERR_BODY_TIMEOUT: ['the host did not answer', CHECK_PORT],
};

/** Codes of temporary failures. */
const PASSING =
  /^(ECONNRESET|EPIPE|ETIMEDOUT|UND_ERR_(SOCKET|CONNECT_TIMEOUT|HEADERS_TIMEOUT|BODY_TIMEOUT))$/;
const TLS = /^(ERR_(SSL|TLS)_|EPROTO$|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

/** An HTTP status other than 200, without a JSON-RPC response. */
export class BadStatus extends Error {
  readonly status: number;
  /** see {@link Failure.pause} */
  readonly pause: number;

  /** @param said the node's own description, if any */
  constructor(status: number, said?: string, pause = 0) {
    super(`HTTP ${status}${said ? `: ${said}` : ''}`);
    this.status = status;
    this.pause = pause;
  }
}

/** No response within the time limit of an attempt. */
export class TimedOut extends Error {
  /** @param ms the limit, which the option `--timeout` sets */
  constructor(ms: number) {
    super(`no answer within ${ms} ms (--timeout)`);
  }
}

/** Whether an HTTP status is worth another attempt: timeout, too early, too many requests, and server errors. */
export function isPassing(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** Whether a node reports that it doesn't have the state of such an old block; an archive node would. */
export function isShortOfState({ message }: Error): boolean {
  return /missing trie node|state .*(?:not available|unavailable|pruned)|header not found|(?:is|been) pruned|archive/i.test(
    message,
  );
}

/** @param error the error of a request to the node */
export function failureOf(error: unknown): Failure {
  const failure = (reason: string, advice: string, mayPass = false): Failure => ({
    reason: oneLine(reason),
    advice,
    mayPass,
    isTooMany: false,
    pause: 0,
  });
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof BadStatus) return { ...ofStatus(error.status, message), pause: error.pause };
  if (error instanceof RpcError && !(error instanceof Unreachable)) {
    const { status } = error;
    if (status !== undefined && status >= 400)
      return ofStatus(status, new BadStatus(status, message).message);
    return failure(`error ${error.code}, ${message}`, CHECK_URL);
  }
  if (error instanceof TimedOut)
    return failure(
      message,
      'check the URL and the network, or wait longer with --timeout and --retries',
      true,
    );
  if (error instanceof Refused) return failure(message, CHECK_URL);
  if (error instanceof Unreachable) return failure('the connection was lost', CHECK_PORT, true);
  const { cause } = error as { cause?: unknown };
  const inner = cause instanceof Error ? cause : (error as Error);
  const code = 'code' in inner && typeof inner.code === 'string' ? inner.code : undefined;
  const [text, advice] = (code !== undefined && CODES[code]) || [];
  if (text !== undefined) return failure(`${text} (${code})`, advice!, PASSING.test(code!));
  if (code !== undefined && TLS.test(code)) return failure(`no secure connection (${code})`, CHECK_TLS);
  return failure(code ?? (inner.message || message), CHECK_URL);
}

function ofStatus(status: number, reason: string): Failure {
  const isTooMany = status === 429;
  const mayPass = isPassing(status);
  return { reason: oneLine(reason), advice: adviceFor(status), mayPass, isTooMany, pause: 0 };
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403 || status === 407) return CHECK_KEY;
  if (status === 404 || status === 405 || status === 410)
    return 'check the path of the URL, which has to lead to an Ethereum JSON-RPC endpoint';
  if (status === 429)
    return 'the node takes fewer requests: wait, use a URL with a key of your own, or ask more patiently with --retries and --fork-retry-backoff';
  if (status >= 500) return 'the fault is at that node: try again later, or use the URL of another one';
  return CHECK_URL;
}

/** A remote node's text, shortened to one line for a message. */
export function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 197)}...` : line;
}

/**
 * A URL for messages: scheme, host, and the first characters of the path. The rest of the path, the query, user name and password may
 * contain keys.
 */
export function shownUrl(url: string): string {
  const { protocol, host, pathname, search } = new URL(url);
  const path = pathname === '/' ? '' : pathname;
  const shown = path.slice(0, 4);
  return `${protocol}//${host}${shown}${shown.length < path.length || search !== '' ? '...' : ''}`;
}
