import type { MessageListener } from '../rpc/in-process-provider.ts';
import type { RpcMethods } from './rpc-methods.ts';

/** The name of a method, or any other string. An editor suggests the names only if `string` has this form. */
type MethodName = keyof RpcMethods | (string & {});

/** The parameters of a method by its name; for any other string, those that JSON-RPC allows. */
export type RpcParams<Name extends string> = Name extends keyof RpcMethods
  ? Readonly<Parameters<RpcMethods[Name]>>
  : readonly unknown[] | Readonly<Record<string, unknown>>;

/** The result of a method by its name; `unknown` for any other string. */
export type RpcResult<Name extends string> = Name extends keyof RpcMethods
  ? ReturnType<RpcMethods[Name]>
  : unknown;

/** A request: `params` may be omitted if the method needs none. */
export type RpcCall<Name extends string> = { readonly method: Name } & (readonly [] extends RpcParams<Name>
  ? { readonly params?: RpcParams<Name> | undefined }
  : { readonly params: RpcParams<Name> });

/** EIP-1193 */
export interface Provider {
  /** @throws DevnetError with `code`, and `data` if the error has data */
  request<Name extends MethodName>(call: RpcCall<Name>): Promise<RpcResult<Name>>;
  /** Notifications of `eth_subscribe`. */
  on(event: 'message', listener: MessageListener): this;
  removeListener(event: 'message', listener: MessageListener): this;
}
