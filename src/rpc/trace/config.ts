import { type Codec, invalid, isObject, object, optional, withDefault } from '../codec/codec.ts';
import { blockOverrides, stateOverrides } from '../codec/overrides.ts';
import { boolean, number, string, uint64 } from '../codec/values.ts';
import { duration } from './duration.ts';

/** A JSON object whose fields are decoded later, by the tracer. */
const anyObject: Codec<Readonly<Record<string, unknown>>> = {
  decode: (value, path) => (isObject(value) ? value : invalid(path, 'an object', value)),
};

const off = withDefault(boolean, false);

const fields = {
  /** name of a native tracer, or a tracer in JavaScript; the struct logger when absent or empty */
  tracer: optional(string),
  tracerConfig: optional(anyObject),
  /** time limit of a tracer in JavaScript, in milliseconds */
  timeout: withDefault(duration, 5_000),
  enableMemory: off,
  /** used by Hardhat 2, which includes memory by default */
  disableMemory: off,
  disableStack: off,
  disableStorage: off,
  enableReturnData: off,
  /** maximum number of steps; 0 for all */
  limit: withDefault(number, 0),
};

/** geth's TraceConfig without `reexec` (states are never regenerated). `--rpc-timeout` limits everything except tracers in JavaScript. */
const config = object('a trace configuration', fields);
export type TraceConfig = ReturnType<(typeof config)['decode']>;
export const traceConfig: Codec<TraceConfig> = withDefault(config, config.decode({}, ''));

/** geth's TraceCallConfig. */
const callConfig = object('a trace configuration', {
  ...fields,
  stateOverrides: optional(stateOverrides),
  blockOverrides: optional(blockOverrides),
  /** run the call on the state before the block's transaction at this index */
  txIndex: optional(uint64),
});
export const traceCallConfig: Codec<ReturnType<(typeof callConfig)['decode']>> = withDefault(
  callConfig,
  callConfig.decode({}, ''),
);
