import { DevnetError, type ErrorData } from '../errors.ts';
import { isObject } from './codec/codec.ts';
import { JsonText } from './json-text.ts';

export type Id = number | string | null;

/** The error object of JSON-RPC. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: ErrorData;
}

/** A request that can be answered. `id` is `undefined` for a notification, which is never answered. */
export interface ValidCall {
  readonly id: Id | undefined;
  readonly method: string;
  readonly params: readonly unknown[];
  readonly error?: never;
}

/** A parsed request. Its `id` is null for a body that isn't a request. */
export type Call = ValidCall | { readonly id: Id | undefined; readonly error: RpcError };

const invalidRequest = (id: Id, reason: string): Call => ({
  id,
  error: new DevnetError('invalidRequest', { reason }),
});

const isId = (id: unknown): id is Id =>
  typeof id === 'string' || id === null || (typeof id === 'number' && Number.isFinite(id));

/** Parses a JSON-RPC 2.0 request. */
export function readCall(body: unknown): Call {
  if (!isObject(body)) return invalidRequest(null, 'the request is not an object');
  const { jsonrpc, id, method, params } = body;
  if (id !== undefined && !isId(id)) return invalidRequest(null, 'id must be a number, a string or null');
  if (jsonrpc !== '2.0') return invalidRequest(id ?? null, 'jsonrpc must be "2.0"');
  if (typeof method !== 'string') return invalidRequest(id ?? null, 'method must be a string');
  if (params === undefined || params === null) return { id, method, params: [] };
  if (!Array.isArray(params))
    return { id, error: new DevnetError('invalidParams', { reason: 'params must be an array' }) };
  return { id, method, params };
}

export function succeeded(id: Id, result: unknown): string {
  const [before, after] = enclosure(id);
  return before + (result instanceof JsonText ? result.text : JSON.stringify(result ?? null)) + after;
}

/** The parts of a response before and after the JSON of its result. */
export function enclosure(id: Id): [before: string, after: string] {
  return [`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`, '}'];
}

export function failed(id: Id, { code, message, data }: RpcError): string {
  // JSON.stringify leaves out `data` when it is undefined.
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify({ code, message, data })}}`;
}
