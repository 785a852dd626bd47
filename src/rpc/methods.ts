import type { RpcMethod } from './define-method.ts';
import * as methods from './methods/index.ts';

/** Every method by its own name; other names for them are aliases. */
export const METHODS: readonly RpcMethod[] = Object.values(methods);
