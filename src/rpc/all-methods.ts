import type { RpcMethod } from './define-method.ts';
import * as methods from './methods/index.ts';

/** Every method that `methods/index.ts` lists, by its own name; see `aliases.ts` for the other names. */
export const METHODS: readonly RpcMethod[] = Object.entries(methods).map(([name, method]) => ({
  ...method,
  name,
}));
