import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { USUAL_FOLDERS } from '../sources/artifact-folder.ts';
import { stackText, tellSource } from '../stack-trace/stack-text.ts';
import type { StackTrace } from '../stack-trace/stack-trace.ts';
import type { EthereumProvider } from './http-provider.ts';

/** Methods that execute the transaction object in their first parameter -> the block if the second parameter is absent. */
const EXECUTING: ReadonlyMap<string, string> = new Map([
  ['eth_call', 'latest'],
  ['eth_estimateGas', 'pending'],
  ['eth_sendTransaction', 'pending'],
]);

/** -32015: the call failed without a revert */
const VM_ERROR = -32_015;

interface Failed extends Error {
  readonly code?: number;
  readonly data?: unknown;
  readonly transaction?: string;
  readonly solidity?: string;
}

/**
 * Wraps a provider so that the stacks of its errors start in the Solidity source: for a failed call or sent transaction, the Solidity
 * frames are above the JavaScript frames. Sends no requests if the project has no build info.
 * @param artifacts folder of the project's compiled contracts; by default `artifacts` and `out`
 */
export function tellingSource(provider: EthereumProvider, artifacts?: string): EthereumProvider {
  const roots = artifacts === undefined ? USUAL_FOLDERS : [artifacts];
  const request = async (call: { readonly method: string; readonly params?: readonly unknown[] }) => {
    try {
      return await (provider.request as (asked: typeof call) => Promise<unknown>)(call);
    } catch (error) {
      const executed = executedBy(call.method, call.params ?? [], error as Failed);
      const isTold = (error as Failed).solidity !== undefined;
      if (executed && !isTold && roots.some((root) => existsSync(join(root, 'build-info')))) {
        const asked = { method: 'devnet_stackTrace' as const, params: executed as never };
        const trace = (await provider.request(asked).catch(() => null)) as StackTrace | null;
        if (trace) tellSource(error as Error, stackText(trace));
      }
      throw error;
    }
  };
  return new Proxy(provider, {
    get: (target, name) => {
      if (name === 'request') return request;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Returns what failed: the transaction, or the call and its block. */
function executedBy(
  method: string,
  params: readonly unknown[],
  { code, data, transaction }: Failed,
): readonly unknown[] | undefined {
  if (transaction !== undefined) return [transaction];
  const at = EXECUTING.get(method);
  // Calls with overrides aren't executed again.
  const isFailure = typeof data === 'string' || code === VM_ERROR;
  if (at === undefined || !isFailure || (params[2] ?? undefined) !== undefined) return undefined;
  return [params[0], params[1] ?? at];
}
