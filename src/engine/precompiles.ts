import { type ExecResult, getActivePrecompiles, type PrecompileFunc } from '@ethereumjs/evm';
import type { Hardfork } from '../protocol/hardfork.ts';
import { loadKzg } from '../protocol/kzg.ts';
import { rollupPrecompiles } from '../protocol/op-stack/rollup-precompiles.ts';
import { SignatureOverrides } from '../protocol/signature-overrides.ts';
import { DevnetEVM } from './ethereumjs/devnet-evm.ts';

/** The result of running a precompile. */
export interface PrecompileResult {
  readonly gasUsed: bigint;
  readonly output: Uint8Array;
  /** EthereumJS's name of the halt; absent = it succeeded */
  readonly error?: string;
}

/** Runs the precompiles of a hardfork outside of a run of EthereumJS's EVM. */
export interface PrecompileRunner {
  /** addresses as numbers, for example 1 for ECRECOVER */
  readonly numbers: readonly number[];
  /** Returns a promise for the first call of EIP-4844's point evaluation, since that loads a library. */
  run(number: number, input: Uint8Array, gas: bigint): PrecompileResult | Promise<PrecompileResult>;
}

/** The library's precompiles by address, 40 hex digits without 0x: a copy that the caller may change. */
export function activePrecompiles(hardfork: Hardfork): Map<string, PrecompileFunc> {
  return rollupPrecompiles(getActivePrecompiles(hardfork.common), hardfork);
}

const ECRECOVER = 0x01;
/** EIP-4844 */
const POINT_EVALUATION = 0x0a;

let isKzgLoaded = false;

/** @param signatures signatures for which ECRECOVER returns a chosen account */
export function precompilesOf(hardfork: Hardfork, signatures = new SignatureOverrides()): PrecompileRunner {
  const functions = new Map(
    [...activePrecompiles(hardfork)].map(([address, run]) => [Number.parseInt(address, 16), run]),
  );
  // Created lazily: it takes milliseconds, and most chains run no precompile that the core doesn't implement.
  let evm: DevnetEVM | undefined;
  function run(number: number, data: Uint8Array, gas: bigint): PrecompileResult | Promise<PrecompileResult> {
    if (number === POINT_EVALUATION && !isKzgLoaded) {
      return loadKzg().then(() => {
        isKzgLoaded = true;
        return run(number, data, gas);
      });
    }
    evm ??= new DevnetEVM({ hardfork, signatures });
    const result = functions.get(number)!({ data, gasLimit: gas, common: evm.common, _EVM: evm });
    if (result instanceof Promise) return result.then(resultOf);
    const signer = number === ECRECOVER && !result.exceptionError ? signatures.answer(data) : undefined;
    return resultOf(signer ? { ...result, returnValue: signer } : result);
  }
  return { numbers: [...functions.keys()], run };
}

function resultOf({ executionGasUsed, returnValue, exceptionError }: ExecResult): PrecompileResult {
  return {
    gasUsed: executionGasUsed,
    output: returnValue,
    ...(exceptionError && { error: exceptionError.error }),
  };
}
