import type { Executed } from '../evm/types.ts';
import type { Overlay } from '../state/overlay.ts';
import type { Receipt, Transaction } from './block.ts';
import { bloomOf } from './bloom.ts';
import type { OpenBlock } from './open-block.ts';

/**
 * The receipt of a transaction that was executed in the open block.
 * @param cumulativeGasUsed in the block, this transaction included
 * @param written what the block's transactions wrote over `open.state`, this one included
 */
export function receiptOf(
  { tx }: Transaction,
  outcome: Executed,
  cumulativeGasUsed: bigint,
  { fork, env, state }: OpenBlock,
  written: Overlay,
): Receipt {
  return {
    type: tx.type,
    // EIP-658 put the status where the state root had been.
    ...(fork.atLeast('byzantium')
      ? { status: outcome.success }
      : { stateRoot: state.fold(written.writes()).root }),
    gasUsed: outcome.gasUsed,
    cumulativeGasUsed,
    logsBloom: bloomOf(outcome.logs),
    logs: outcome.logs,
    ...(outcome.createdAddress && { contractAddress: outcome.createdAddress }),
    effectiveGasPrice: outcome.effectiveGasPrice,
    ...(tx.type === 3 && { blobGasUsed: outcome.blobGasUsed, blobGasPrice: env.blobBaseFee ?? 0n }),
    ...(outcome.depositNonce !== undefined && { depositNonce: outcome.depositNonce }),
  };
}

/** The room that a message needs in a block: gas at its limit, and blob gas. */
export function fitsBlock(
  message: { readonly gasLimit: bigint; readonly blobVersionedHashes?: readonly Uint8Array[] },
  { env, fork }: OpenBlock,
  used: { readonly gas: bigint; readonly blobGas: bigint },
): 'fits' | 'gas' | 'blobs' {
  if (message.gasLimit > env.gasLimit - used.gas) return 'gas';
  if (!fork.blobs) return 'fits';
  const blobGas = BigInt(message.blobVersionedHashes?.length ?? 0) * fork.param('blobGasPerBlob');
  return used.blobGas + blobGas > fork.blobs.max ? 'blobs' : 'fits';
}
