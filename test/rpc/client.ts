import { SystemClock } from '../../src/clock.ts';
import type { RpcContext } from '../../src/rpc/context.ts';
import { Dispatcher } from '../../src/rpc/dispatch.ts';
import { METHODS } from '../../src/rpc/methods.ts';
import { fakeContext } from './fake-chain.ts';

/** Calls every method in process, as the EIP-1193 provider does. */
export function client(overrides: Partial<RpcContext> = {}) {
  const dispatcher = new Dispatcher(
    {},
    { methods: METHODS, context: fakeContext(overrides), clock: new SystemClock() },
  );
  // biome-ignore lint/suspicious/noExplicitAny: answers are wire JSON, which tests look into freely
  return (method: string, ...params: unknown[]): Promise<any> => dispatcher.request(method, params);
}
