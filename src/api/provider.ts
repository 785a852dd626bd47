import type { MessageListener } from '../rpc/in-process-provider.ts';
import type { RpcMethods } from './rpc-methods.ts';

/** The name of a method that the node has, or any other text. An editor suggests names only beside a `string` in this form. */
type MethodName = keyof RpcMethods | (string & {});

/** Of a method by its name; of any other text, what JSON-RPC allows. */
export type RpcParams<Name extends string> = Name extends keyof RpcMethods
  ? Readonly<Parameters<RpcMethods[Name]>>
  : readonly unknown[] | Readonly<Record<string, unknown>>;

/** What a method answers; `unknown` for a text that isn't a method's name. */
export type RpcResult<Name extends string> = Name extends keyof RpcMethods
  ? ReturnType<RpcMethods[Name]>
  : unknown;

/** A request: `params` may be left out where the method needs none. */
export type RpcCall<Name extends string> = { readonly method: Name } & (readonly [] extends RpcParams<Name>
  ? { readonly params?: RpcParams<Name> | undefined }
  : { readonly params: RpcParams<Name> });

/** EIP-1193 */
export interface Provider {
  /** @throws DevnetError with `code`, and `data` where the error has some */
  request<Name extends MethodName>(call: RpcCall<Name>): Promise<RpcResult<Name>>;
  /** Notifications of `eth_subscribe`. */
  on(event: 'message', listener: MessageListener): this;
  removeListener(event: 'message', listener: MessageListener): this;
}
