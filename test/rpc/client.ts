import { SystemClock } from '../../src/clock.ts';
import { METHODS } from '../../src/rpc/all-methods.ts';
import type { RpcContext } from '../../src/rpc/context.ts';
import { Dispatcher } from '../../src/rpc/dispatch.ts';
import type { Call } from '../wire.ts';
import { fakeContext } from './fake-chain.ts';

/** Calls every method in process, as the EIP-1193 provider does. */
export function client(overrides: Partial<RpcContext> = {}): Call {
  const dispatcher = new Dispatcher(
    {},
    { methods: METHODS, context: fakeContext(overrides), clock: new SystemClock() },
  );
  return (method, ...params) => dispatcher.request(method, params);
}
