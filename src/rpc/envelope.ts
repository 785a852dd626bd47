import { DevnetError, type ErrorData } from '../errors.ts';
import { isObject } from './codec/codec.ts';
import { JsonText } from './json-text.ts';

export type Id = number | string | null;

/** The error object of JSON-RPC. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: ErrorData;
  /** Solidity stack frames */
  readonly solidity?: string;
}

/** A valid request. `id` is `undefined` for a notification, which is never answered. */
export interface ValidCall {
  readonly id: Id | undefined;
  readonly method: string;
  readonly params: readonly unknown[];
  readonly error?: never;
}

/** A parsed request. `id` is null for a body that isn't a request. An invalid request has a `method` only if it names one. */
export type Call =
  | ValidCall
  | { readonly id: Id | undefined; readonly method?: string | undefined; readonly error: RpcError };

const invalidRequest = (id: Id, reason: string, method?: unknown): Call => ({
  id,
  method: typeof method === 'string' ? method : undefined,
  error: new DevnetError('invalidRequest', { reason }),
});

const isId = (id: unknown): id is Id =>
  typeof id === 'string' || id === null || (typeof id === 'number' && Number.isFinite(id));

/** Parses a JSON-RPC 2.0 request. */
export function readCall(body: unknown): Call {
  if (!isObject(body)) return invalidRequest(null, 'the request is not an object');
  const { jsonrpc, id, method, params } = body;
  if (id !== undefined && !isId(id))
    return invalidRequest(null, 'id must be a number, a string or null', method);
  if (jsonrpc !== '2.0') return invalidRequest(id ?? null, 'jsonrpc must be "2.0"', method);
  if (typeof method !== 'string') return invalidRequest(id ?? null, 'method must be a string');
  if (params === undefined || params === null) return { id, method, params: [] };
  if (!Array.isArray(params))
    return { id, method, error: new DevnetError('invalidParams', { reason: 'params must be an array' }) };
  return { id, method, params };
}

/**
 * A response whose result is already encoded in UTF-8 and is sent in this form. Converting a long result to a string and encoding it again
 * would take as long as a simulation.
 */
export class EncodedResponse {
  /** the text before the result, the result as JSON in UTF-8, and the text after it */
  readonly parts: readonly [before: string, result: Uint8Array, after: string];
  /** bytes */
  readonly length: number;

  constructor(before: string, result: Uint8Array, after: string) {
    this.parts = [before, result, after];
    this.length = Buffer.byteLength(before) + result.length + after.length;
  }

  get bytes(): Buffer {
    const [before, result, after] = this.parts;
    return Buffer.concat([Buffer.from(before), result, Buffer.from(after)], this.length);
  }

  get text(): string {
    return this.bytes.toString();
  }
}

/** A result of at least this many bytes isn't converted to a string. */
const LONG_RESULT = 4_096;

export function succeeded(id: Id, result: unknown): string | EncodedResponse {
  const before = beforeResult(id);
  if (!(result instanceof JsonText)) return `${before}${JSON.stringify(result ?? null)}${AFTER_RESULT}`;
  const { bytes } = result;
  return bytes && bytes.length >= LONG_RESULT
    ? new EncodedResponse(before, bytes, AFTER_RESULT)
    : before + result.text + AFTER_RESULT;
}

/** The part of a response before the JSON of its result. */
export function beforeResult(id: Id): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
}

const AFTER_RESULT = '}';

/** @param error why the result is incomplete, if a part of it was sent before the error occurred. Clients look at `error` first */
export function afterResult(error?: RpcError): string {
  return error ? `,${errorMember(error)}}` : AFTER_RESULT;
}

export function failed(id: Id, error: RpcError): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${errorMember(error)}}`;
}

function errorMember({ code, message, data, solidity: stack }: RpcError): string {
  // JSON.stringify omits undefined members.
  return `"error":${JSON.stringify({ code, message, data, stack })}`;
}
