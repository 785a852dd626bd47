import { type Codec, invalid, isObject, object, optional, withDefault } from '../codec/codec.ts';
import { blockOverrides, stateOverrides } from '../codec/overrides.ts';
import { boolean, number, string, uint64 } from '../codec/values.ts';

/** A JSON object whose fields are read later. */
const anyObject: Codec<Readonly<Record<string, unknown>>> = {
  decode: (value, path) => (isObject(value) ? value : invalid(path, 'an object', value)),
};

const off = withDefault(boolean, false);

const fields = {
  /** the struct logger when absent or empty */
  tracer: optional(string),
  tracerConfig: optional(anyObject),
  enableMemory: off,
  /** memory that Hardhat 2 shows unless told */
  disableMemory: off,
  disableStack: off,
  disableStorage: off,
  enableReturnData: off,
  /** steps; 0 = all */
  limit: withDefault(number, 0),
};

/** geth's TraceConfig. `timeout` and `reexec` are taken and not used: nothing is pruned, `--rpc-timeout` holds. */
const config = object('a trace configuration', fields);
export type TraceConfig = ReturnType<(typeof config)['decode']>;
export const traceConfig: Codec<TraceConfig> = withDefault(config, config.decode({}, ''));

/** geth's TraceCallConfig. */
const callConfig = object('a trace configuration', {
  ...fields,
  stateOverrides: optional(stateOverrides),
  blockOverrides: optional(blockOverrides),
  /** the call sees the state that the block's transaction at this index found */
  txIndex: optional(uint64),
});
export const traceCallConfig: Codec<ReturnType<(typeof callConfig)['decode']>> = withDefault(
  callConfig,
  callConfig.decode({}, ''),
);
