import { createCustomCommon, Mainnet } from '@ethereumjs/common';
import {
  EVMError,
  type ExecResult,
  getActivePrecompiles,
  type PrecompileFunc,
  type PrecompileInput,
} from '@ethereumjs/evm';
import type { Hardfork, Rollup } from '../hardfork.ts';

const P256_VERIFY = '0000000000000000000000000000000000000100';
/** EIP-7951 */
const ETHEREUM_P256_GAS = 6_900n;
/** RIP-7212 (specs.optimism.io/protocol/fjord/exec-engine.html) */
const FJORD_P256_GAS = 3_450n;

/**
 * Maximum input size of precompiles in bytes, by address: of Granite, and of Isthmus and Jovian
 * (specs.optimism.io/protocol/jovian/exec-engine.html). They limit the cost of a fault proof of the block.
 */
const MAX_INPUT: Readonly<Record<Rollup, ReadonlyMap<number, number>>> = {
  holocene: new Map([[0x08, 112_687]]),
  jovian: new Map([
    [0x08, 81_984],
    [0x0c, 288_960],
    [0x0e, 278_784],
    [0x0f, 156_672],
  ]),
};

const NUMBERS = new WeakMap<PrecompileFunc, number>();

/** The number of a precompile of {@link rollupPrecompiles}, that is, its address in the hardfork, even if it was moved. */
export function numberOf(precompile: PrecompileFunc): number {
  return NUMBERS.get(precompile)!;
}

/**
 * The precompiles of a hardfork. On OP chains the input of some is limited in size, and P256VERIFY exists before Osaka.
 * @param ethereum Ethereum's precompiles by address (40 hex digits)
 */
export function rollupPrecompiles(
  ethereum: ReadonlyMap<string, PrecompileFunc>,
  hardfork: Pick<Hardfork, 'rollup' | 'common'>,
): Map<string, PrecompileFunc> {
  const all = precompilesOf(ethereum, hardfork);
  for (const [address, run] of all) NUMBERS.set(run, Number.parseInt(address, 16));
  return all;
}

function precompilesOf(
  ethereum: ReadonlyMap<string, PrecompileFunc>,
  { rollup, common }: Pick<Hardfork, 'rollup' | 'common'>,
): Map<string, PrecompileFunc> {
  const all = new Map(ethereum);
  if (rollup === undefined) return all;
  for (const [number, most] of MAX_INPUT[rollup]) {
    const address = number.toString(16).padStart(40, '0');
    const run = all.get(address);
    if (run) all.set(address, (input) => (input.data.length > most ? tooLong(input) : run(input)));
  }
  if (!common.isActivatedEIP(7951)) {
    const osaka = createCustomCommon({ chainId: 1 }, Mainnet, { hardfork: 'osaka' });
    const verify = getActivePrecompiles(osaka).get(P256_VERIFY)!;
    all.set(P256_VERIFY, (input) => cheaper(verify, input));
  }
  return all;
}

/** Fails like any precompile: all gas is used. */
function tooLong({ gasLimit }: PrecompileInput): ExecResult {
  return failed('input of a precompile longer than the OP Stack allows', gasLimit);
}

function cheaper(verify: PrecompileFunc, input: PrecompileInput): ExecResult {
  if (input.gasLimit < FJORD_P256_GAS) return failed(EVMError.errorMessages.OUT_OF_GAS, input.gasLimit);
  // The type allows a promise, but only other precompiles return one.
  const result = verify({ ...input, gasLimit: ETHEREUM_P256_GAS }) as ExecResult;
  return { ...result, executionGasUsed: FJORD_P256_GAS };
}

function failed(reason: string, gasLimit: bigint): ExecResult {
  return {
    returnValue: new Uint8Array(),
    executionGasUsed: gasLimit,
    exceptionError: new EVMError(reason as EVMError['error']),
  };
}
