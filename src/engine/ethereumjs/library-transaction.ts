import { createTx, type TypedTransaction, type TypedTxData } from '@ethereumjs/tx';
import { bytesToHex } from '@ethereumjs/util';
import type { Hardfork } from '../../protocol/hardfork.ts';
import type { Message, Rules } from '../../protocol/types.ts';
import { NO_BLOBS, transactionGasCap } from '../../protocol/validity.ts';
import type { LibraryEnv } from './library-env.ts';

/** The caller checks the block's blob limits, which may differ from mainnet's. */
const ANY_BLOBS = { maxBlobGasPerBlock: Number.MAX_SAFE_INTEGER };

/**
 * Converts a message to a transaction of EthereumJS. It needs no signature, since its sender is known.
 * @param rules if they don't demand the nonce or the cap of EIP-7825, the field is left 0
 * @throws Error of the library when the message breaks a rule that can be checked without a state
 */
export function libraryTransaction(message: Message, hardfork: Hardfork, rules: Rules): TypedTransaction {
  const { from, to, gasLimit, value, data, maxFeePerGas, maxPriorityFeePerGas } = message;
  const type = typeOf(message, hardfork, rules);
  if (type === 3 && hardfork.rollup) throw new Error(NO_BLOBS);
  const cap = transactionGasCap(hardfork);
  if (rules.gasCap && cap !== undefined && gasLimit > cap) throw new Error('the gas limit is above the cap');
  const fees =
    type < 2
      ? { gasPrice: maxFeePerGas < maxPriorityFeePerGas ? maxFeePerGas : maxPriorityFeePerGas }
      : { maxFeePerGas, maxPriorityFeePerGas };
  const fields = {
    type,
    nonce: rules.nonce ? message.nonce : 0n,
    gasLimit: rules.gasCap ? gasLimit : 0n,
    to,
    value,
    data,
    accessList: message.accessList.map(({ address, storageKeys }) => [address.bytes, [...storageKeys]]),
    ...fees,
    ...(message.blobVersionedHashes && {
      blobVersionedHashes: message.blobVersionedHashes.map((hash) => bytesToHex(hash)),
      maxFeePerBlobGas: message.maxFeePerBlobGas ?? 0n,
    }),
    ...(message.authorizationList && { authorizationList: message.authorizationList }),
  };
  const params = { ...hardfork.overrides };
  for (const eip of [4844, 7691]) params[eip] = { ...params[eip], ...ANY_BLOBS };
  // The library's parameters are already in the Common. Passing them again would undo the overrides.
  const tx = createTx(fields as TypedTxData, { common: hardfork.common, params, freeze: false });
  // A transaction to its own sender is cheaper (EIP-2780). The library reads the sender only if the transaction is signed.
  return Object.assign(tx, { gasLimit, isSigned: () => true, getSenderAddress: () => from });
}

/**
 * The type of the library's transaction. A call may have fields that its type or the hardfork doesn't have: the call then gets the type
 * that supports the most of them. A deposit pays no fee, so it becomes a transaction of type 0 with a gas price of 0.
 */
function typeOf({ type, accessList, deposit }: Message, hardfork: Hardfork, { fees }: Rules): number {
  if (deposit) return 0;
  if (type > 2) return type;
  const wanted = type === 0 && accessList.length > 0 ? 1 : type;
  return fees ? wanted : Math.min(wanted, hardfork.has(1559) ? 2 : hardfork.has(2930) ? 1 : 0);
}

/**
 * The block whose base fee and blob fee the message pays. Where the rules don't demand the fees, they are lowered to what the message
 * offers: `runTx` has no option to skip these checks. Contract code still sees the block's real fees.
 */
export function marketOf(block: LibraryEnv['block'], message: Message, rules: Rules): LibraryEnv['block'] {
  const { header } = block;
  const { maxFeePerGas, maxPriorityFeePerGas, maxFeePerBlobGas = 0n } = message;
  const offersNothing = !rules.fees && maxFeePerGas === 0n && maxPriorityFeePerGas === 0n;
  const isLow = header.baseFeePerGas !== undefined && maxFeePerGas < header.baseFeePerGas;
  const baseFeePerGas = isLow && (offersNothing || !rules.baseFee) ? maxFeePerGas : header.baseFeePerGas;
  const isFreeOfBlobFee = !rules.fees && maxFeePerBlobGas === 0n;
  return {
    header: {
      ...header,
      ...(baseFeePerGas !== undefined && { baseFeePerGas }),
      ...(isFreeOfBlobFee && { getBlobGasPrice: () => 0n }),
    },
  };
}
