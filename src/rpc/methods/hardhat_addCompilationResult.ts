import type { Codec } from '../codec/codec.ts';
import { invalid, isObject } from '../codec/codec.ts';
import { string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

const json: Codec<object> = {
  decode: (value, path) => (isObject(value) ? value : invalid(path, 'an object of standard JSON', value)),
};

/**
 * Adds a run of the Solidity compiler to the build infos of `--artifacts`, for stack traces: the compiler's version, and its input and
 * output as standard JSON. If several contracts have the same code, the one added last is used. The node keeps it until it stops.
 * @returns true
 */
export const hardhat_addCompilationResult = defineMethod({
  kind: 'read',
  params: [string, json, json],
  handler: ({ stackTraces }, solcVersion, input, output) => {
    stackTraces.add({ solcVersion, input, output });
    return true;
  },
});
