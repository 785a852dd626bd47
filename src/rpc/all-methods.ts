import type { RpcMethod } from './define-method.ts';
import * as methods from './methods/index.ts';

/** Every method in `methods/index.ts`, by its main name; see `aliases.ts` for the other names. */
export const METHODS: readonly RpcMethod[] = Object.entries(methods).map(([name, method]) => ({
  ...method,
  name,
}));
