import type { Codec } from '../codec/codec.ts';
import { invalid, isObject } from '../codec/codec.ts';
import { string } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

const json: Codec<object> = {
  decode: (value, path) => (isObject(value) ? value : invalid(path, 'an object of standard JSON', value)),
};

/**
 * Adds one run of the Solidity compiler to those of `--artifacts`, for stack traces: its version, and its input and output as
 * standard JSON. Of equal code the contract that was added last counts. It lasts until the node stops.
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
