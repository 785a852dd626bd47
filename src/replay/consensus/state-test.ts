import { Address, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import type { EnvHeader } from '../../chain/block.ts';
import type { Hardfork } from '../../protocol/hardfork.ts';
import { keccak256 } from '../../state/keccak.ts';
import type { ConsensusCase } from './fixture.ts';

/** Hex quantities of the block of a state test. Those that a hardfork doesn't have are absent or ignored. */
export interface StateTestEnv {
  readonly currentCoinbase: string;
  readonly currentNumber: string;
  readonly currentTimestamp: string;
  readonly currentGasLimit: string;
  readonly currentDifficulty?: string;
  /** since the merge */
  readonly currentRandom?: string;
  /** since London */
  readonly currentBaseFee?: string;
  /** since Cancun */
  readonly currentExcessBlobGas?: string;
  /** since Amsterdam (EIP-7843) */
  readonly slotNumber?: string;
}

/** The transaction of a state test: `data`, `gasLimit`, `value` and `accessLists` are selected by the indexes of each post. */
export interface StateTestTransaction {
  readonly nonce: string;
  readonly gasPrice?: string;
  readonly maxFeePerGas?: string;
  readonly maxPriorityFeePerGas?: string;
  readonly maxFeePerBlobGas?: string;
  readonly gasLimit: readonly string[];
  /** absent or empty for a creation */
  readonly to?: string;
  readonly value: readonly string[];
  readonly data: readonly string[];
  /** `null` for a transaction without one (EIP-2930) */
  readonly accessLists?: readonly (readonly StateTestAccess[] | null)[];
  readonly blobVersionedHashes?: readonly string[];
  readonly authorizationList?: readonly StateTestAuthorization[];
  readonly sender?: string;
  readonly secretKey?: string;
}

export interface StateTestAccess {
  readonly address: string;
  readonly storageKeys: readonly string[];
}

/** EIP-7702 */
export interface StateTestAuthorization {
  readonly chainId: string;
  readonly address: string;
  readonly nonce: string;
  readonly v?: string;
  readonly yParity?: string;
  readonly r: string;
  readonly s: string;
}

/** The expected result of the transaction at one hardfork, with one choice of data, gas limit and value. */
export interface StateTestPost {
  readonly indexes: { readonly data: number; readonly gas: number; readonly value: number };
  /** state root after the transaction */
  readonly hash: string;
  /** keccak256 of the RLP of its logs */
  readonly logs: string;
  /** the signed transaction */
  readonly txbytes?: string;
  /** the state after the transaction, as an allocation */
  readonly state?: unknown;
  /** why the transaction must be rejected; absent = it must be executed */
  readonly expectException?: string;
}

/** One test of a GeneralStateTests file (ethereum/tests, execution-spec-tests). */
export interface StateTest {
  readonly env: StateTestEnv;
  readonly pre: unknown;
  readonly transaction: StateTestTransaction;
  /** by hardfork name, as in BlockchainTests */
  readonly post: Readonly<Record<string, readonly StateTestPost[]>>;
  readonly config?: ConsensusCase['config'];
}

/** One run of a state test. */
export interface StateTestCase {
  readonly test: StateTest;
  /** name of the hardfork */
  readonly fork: string;
  readonly post: StateTestPost;
}

/** Whether the content of a JSON file has the GeneralStateTests format: tests by name, each with posts by hardfork. */
export function isStateTestFile(json: unknown): json is Record<string, StateTest> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return false;
  const tests = Object.entries(json).filter(([name]) => name !== '_info');
  return (
    tests.length > 0 &&
    tests.every(
      ([, value]) =>
        isObject(value) &&
        isObject(value.env) &&
        isObject(value.transaction) &&
        isObject(value.post) &&
        Object.values(value.post).every(Array.isArray),
    )
  );
}

/** The runs of a file, named `test/hardfork/index of the post`. */
export function stateTestCases(file: Readonly<Record<string, StateTest>>): [name: string, StateTestCase][] {
  return Object.entries(file)
    .filter(([name]) => name !== '_info')
    .flatMap(([name, test]) =>
      Object.entries(test.post).flatMap(([fork, posts]) =>
        posts.map((post, i): [string, StateTestCase] => [`${name}/${fork}/${i}`, { test, fork, post }]),
      ),
    );
}

/** The header fields of a test's block that a hardfork has. @param hardforkOf returns the hardfork of a block */
export function headerOfTest(
  env: StateTestEnv,
  hardforkOf: (number: bigint, timestamp: bigint) => Hardfork,
): EnvHeader {
  const number = BigInt(env.currentNumber);
  const timestamp = BigInt(env.currentTimestamp);
  const hardfork = hardforkOf(number, timestamp);
  const isMerged = hardfork.atLeast('paris');
  return {
    number,
    timestamp,
    coinbase: new Address(hexToBytes(env.currentCoinbase as PrefixedHexString)),
    gasLimit: BigInt(env.currentGasLimit),
    difficulty: isMerged ? 0n : BigInt(env.currentDifficulty ?? 0),
    mixHash: isMerged ? wordOf(env.currentRandom ?? '0x0') : new Uint8Array(32),
    // Old fixtures have no base fee: geth's test tools use 10 wei then.
    ...(hardfork.has(1559) && { baseFeePerGas: BigInt(env.currentBaseFee ?? 10) }),
    ...(hardfork.has(4844) && { excessBlobGas: BigInt(env.currentExcessBlobGas ?? 0) }),
  };
}

/** The hash of a block before the test's: keccak256 of its number as decimal text. */
export function testBlockHash(number: bigint): Uint8Array {
  return keccak256(new TextEncoder().encode(String(number)));
}

function wordOf(quantity: string): Uint8Array {
  return hexToBytes(`0x${BigInt(quantity).toString(16).padStart(64, '0')}`);
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of a file, of which each member is checked
function isObject(value: any): value is Record<string, any> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
