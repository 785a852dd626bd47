import { RLP } from '@ethereumjs/rlp';
import { concatBytes } from '@ethereumjs/util';
import type { Transaction } from '../../chain/block.ts';
import { DevnetError } from '../../errors.ts';
import { keccak256 } from '../../state/keccak.ts';
import { type Awaitable, orElse } from '../../state/view.ts';
import type { RpcContext } from '../context.ts';

/**
 * Submits a transaction to the sequencer. If it is rejected, the reason is remembered for `devnet_transactionStatus`.
 * @throws DevnetError -32003 if it isn't admitted
 */
export function submit(
  { sequencer, lifecycles, cause }: Pick<RpcContext, 'sequencer' | 'lifecycles' | 'cause'>,
  transaction: Transaction,
): Awaitable<void> {
  return orElse(
    () => sequencer.submit(transaction, cause),
    (error) => {
      remember(lifecycles, () => hashOf(transaction), error);
      throw error;
    },
  );
}

/**
 * Decodes a transaction that was sent as bytes. If it is rejected, the reason is remembered, too.
 * @throws the error that `decode` throws
 */
export function decodeSent(
  { lifecycles }: Pick<RpcContext, 'lifecycles'>,
  raw: Uint8Array,
  decode: (raw: Uint8Array) => Transaction,
): Transaction {
  try {
    return decode(raw);
  } catch (error) {
    remember(lifecycles, () => hashOfRaw(raw), error);
    throw error;
  }
}

const BLOB_TYPE = 3;

/** Remembers why a transaction was rejected, except for bytes that aren't a transaction: no client would ask for their hash. */
function remember(lifecycles: RpcContext['lifecycles'], hash: () => Uint8Array, error: unknown): void {
  if (error instanceof DevnetError && error.kind !== 'invalidParams')
    lifecycles.refuse(hash(), error.message);
}

function hashOf(transaction: Transaction): Uint8Array {
  try {
    return transaction.hash;
  } catch {
    // The transaction is decoded lazily, and that failed.
    return hashOfRaw(transaction.raw);
  }
}

/** Returns the hash of raw bytes. For a blob transaction it excludes the sidecar (EIP-4844), which may be the invalid part. */
function hashOfRaw(raw: Uint8Array): Uint8Array {
  if (raw[0] !== BLOB_TYPE) return keccak256(raw);
  try {
    const [fields] = RLP.decode(raw.subarray(1));
    if (Array.isArray(fields)) return keccak256(concatBytes(raw.subarray(0, 1), RLP.encode(fields)));
  } catch {}
  return keccak256(raw);
}
