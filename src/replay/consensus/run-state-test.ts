import { RLP } from '@ethereumjs/rlp';
import { createTx, type TypedTxData } from '@ethereumjs/tx';
import { bytesToHex, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import type { EnvHeader, Transaction } from '../../chain/block.ts';
import { envOf } from '../../chain/block-env.ts';
import { type Engine, TRANSACTION_RULES } from '../../engine/engine.ts';
import { messageOf } from '../../engine/message.ts';
import { DevnetError } from '../../errors.ts';
import { construct, type TransactionDecoder } from '../../mempool/decode.ts';
import type { Hardfork } from '../../protocol/hardfork.ts';
import type { Executed, Log } from '../../protocol/types.ts';
import { NEW_ACCOUNT } from '../../state/account.ts';
import { keccak256 } from '../../state/keccak.ts';
import { Overlay } from '../../state/overlay.ts';
import type { TrieState } from '../../state/trie-state.ts';
import type { ComparedFixture } from './compared-fixture.ts';
import { stateOf } from './fixture.ts';
import { stateDifference } from './state-difference.ts';
import {
  headerOfTest,
  type StateTestCase,
  type StateTestPost,
  type StateTestTransaction,
  testBlockHash,
} from './state-test.ts';

/** EIP-4844 */
const BLOB_TYPE = 3;

/** The dependencies of a state test. */
export interface StateTestDeps {
  readonly engine: Engine;
  readonly decoder: TransactionDecoder;
  /** also runs the transaction under other rules */
  readonly compared?: ComparedFixture | undefined;
}

/** The result of a state test. */
export interface StateTestResult {
  /** state root at the end, `0x` hex */
  readonly stateRoot: string;
  /** the first difference from the fixture */
  readonly error?: string;
}

/**
 * Runs the transaction of a state test on its state, as the only one in a block without system calls, rewards and withdrawals. Compares the
 * state root, the logs, and whether it was rejected.
 * @throws Error for a test that can't be run
 */
export async function runStateTest(
  { test, post }: StateTestCase,
  { engine, decoder, compared }: StateTestDeps,
): Promise<StateTestResult> {
  const { schedule } = engine;
  const header = headerOfTest(test.env, (number, timestamp) => schedule.at(number, timestamp, 0n));
  const hardfork = engine.hardforkOf(header);
  const env = envOf(header, engine, testBlockHash);
  const before = stateOf(test.pre);
  const state = new Overlay(before);
  let transaction: Transaction;
  let executed: Executed;
  try {
    const raw =
      post.txbytes === undefined
        ? signed(test.transaction, post, hardfork)
        : bytesOf(post.txbytes, 'txbytes');
    transaction = decoder.decode(raw, hardfork.common);
    refuseWhatFitsNoBlock(transaction, header, hardfork);
    const outcome = await engine.execute(messageOf(transaction), env, state, TRANSACTION_RULES);
    if (outcome.kind === 'invalid') throw outcome.error;
    executed = outcome;
  } catch (error) {
    if (!(error instanceof DevnetError)) throw error;
    return refused(post, before, error);
  }
  // Even a tip of 0 touches the coinbase: before EIP-161 that creates an empty account.
  if (!hardfork.has(161) && !(await state.getAccount(header.coinbase)))
    state.setAccount(header.coinbase, NEW_ACCOUNT);
  await compared?.transaction(transaction, header, { env, state: before });
  const after = before.fold(state.writes());
  return withRoot(after, differenceOf(post, executed, after));
}

/** Rejects a transaction with more gas or blobs than a block may have. @throws DevnetError */
function refuseWhatFitsNoBlock({ tx }: Transaction, { gasLimit }: EnvHeader, hardfork: Hardfork): void {
  if (tx.gasLimit > gasLimit)
    throw new DevnetError('transactionRejected', {
      reason: `exceeds block gas limit: ${tx.gasLimit} > ${gasLimit}`,
    });
  if (tx.type !== BLOB_TYPE || !hardfork.blobs) return;
  const blobGas = BigInt(tx.blobVersionedHashes.length) * hardfork.param('blobGasPerBlob');
  if (blobGas > hardfork.blobs.max)
    throw new DevnetError('transactionRejected', {
      reason: `exceeds the blob gas of a block: ${blobGas} > ${hardfork.blobs.max}`,
    });
}

function refused(post: StateTestPost, before: TrieState, error: DevnetError): StateTestResult {
  if (post.expectException === undefined)
    return withRoot(before, `the transaction was refused: ${error.message}`);
  return withRoot(before, rootDifference(post, before));
}

function differenceOf(post: StateTestPost, { logs }: Executed, after: TrieState): string | undefined {
  if (post.expectException !== undefined)
    return `expected ${post.expectException}, but the transaction was executed`;
  const wrong = rootDifference(post, after);
  if (wrong !== undefined) return wrong;
  const hash = bytesToHex(keccak256(RLP.encode(logs.map(logFields))));
  return hash === post.logs.toLowerCase() ? undefined : `logs: expected ${post.logs}, got ${hash}`;
}

function rootDifference({ hash, state: expected }: StateTestPost, state: TrieState): string | undefined {
  const root = bytesToHex(state.root);
  if (root === hash.toLowerCase()) return undefined;
  const where = expected === undefined ? '' : ` (${stateDifference(expected, state)})`;
  return `hash: expected the state root ${hash}, got ${root}${where}`;
}

function withRoot(state: TrieState, error: string | undefined): StateTestResult {
  return { stateRoot: bytesToHex(state.root), ...(error !== undefined && { error }) };
}

const logFields = ({ address, topics, data }: Log) => [address.bytes, [...topics], data];

/**
 * Signs the transaction that a post selects, for fixtures without a signed transaction.
 * @throws DevnetError if the hardfork doesn't support the transaction, Error if there is no key
 */
function signed(
  { secretKey, ...fields }: StateTestTransaction,
  { indexes: { data, gas, value } }: StateTestPost,
  { common }: Hardfork,
): Uint8Array {
  if (secretKey === undefined) throw new Error('there is neither txbytes nor a secretKey to sign with');
  const chosen = {
    data: pick(fields.data, data, 'data'),
    gasLimit: pick(fields.gasLimit, gas, 'gasLimit'),
    value: pick(fields.value, value, 'value'),
  };
  const accessList = fields.accessLists?.[data] ?? undefined;
  const { to, nonce, gasPrice, maxFeePerGas, maxPriorityFeePerGas, maxFeePerBlobGas } = fields;
  const { blobVersionedHashes, authorizationList } = fields;
  const isFeeMarket = maxFeePerGas !== undefined;
  const type = authorizationList
    ? 4
    : maxFeePerBlobGas !== undefined
      ? BLOB_TYPE
      : isFeeMarket
        ? 2
        : accessList
          ? 1
          : 0;
  const tx = {
    ...{ type, nonce, ...chosen },
    ...(to && { to }),
    ...(isFeeMarket ? { maxFeePerGas, maxPriorityFeePerGas: maxPriorityFeePerGas ?? '0x0' } : { gasPrice }),
    ...(type > 0 && { chainId: common.chainId(), accessList: accessList ?? [] }),
    ...(type === BLOB_TYPE && { maxFeePerBlobGas, blobVersionedHashes }),
    ...(authorizationList && {
      authorizationList: authorizationList.map(({ v, yParity = v, ...rest }) => ({ ...rest, yParity })),
    }),
  };
  const key = bytesOf(secretKey, 'secretKey');
  // biome-ignore format: one step
  return construct(() => createTx(tx as TypedTxData, { common, allowUnlimitedInitCodeSize: true }).sign(key).serialize());
}

function pick(values: readonly string[], index: number, name: string): string {
  const value = values[index];
  if (value === undefined) throw new Error(`transaction.${name}: there is no index ${index}`);
  return value === '' ? '0x' : value;
}

function bytesOf(text: string, name: string): Uint8Array {
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(text)) throw new Error(`${name}: not hex bytes`);
  return hexToBytes(text as PrefixedHexString);
}
