import { createTx, type TypedTransaction, type TypedTxData } from '@ethereumjs/tx';
import { bytesToHex } from '@ethereumjs/util';
import type { Hardfork } from '../../protocol/hardfork.ts';
import type { Message, Rules } from '../../protocol/types.ts';
import { NO_BLOBS, transactionGasCap } from '../../protocol/validity.ts';
import type { LibraryEnv } from './library-env.ts';

/** The caller checks the limits of the block, which may be others than mainnet's. */
const ANY_BLOBS = { maxBlobGasPerBlock: Number.MAX_SAFE_INTEGER };

/**
 * A message as a transaction of EthereumJS, which needs no signature here: its sender is known.
 * @param rules the nonce and the cap of EIP-7825 are left out where these don't demand them
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
  // The library's parameters are in the Common already. Given again, they would undo the overrides.
  const tx = createTx(fields as TypedTxData, { common: hardfork.common, params, freeze: false });
  // A transaction to its own sender is cheaper (EIP-2780), and the library asks only signed ones who that is.
  return Object.assign(tx, { gasLimit, isSigned: () => true, getSenderAddress: () => from });
}

/**
 * A call may have fields that its type or the hardfork doesn't know: it is of the type that has most of them. A deposit pays no fee,
 * like a transaction of type 0 without a price.
 */
function typeOf({ type, accessList, deposit }: Message, hardfork: Hardfork, { fees }: Rules): number {
  if (deposit) return 0;
  if (type > 2) return type;
  const wanted = type === 0 && accessList.length > 0 ? 1 : type;
  return fees ? wanted : Math.min(wanted, hardfork.has(1559) ? 2 : hardfork.has(2930) ? 1 : 0);
}

/**
 * The block in whose market a message pays: where the rules don't demand the base fee and the blob fee, these are what the message
 * offers. `runTx` has no option to leave these checks out. Code sees the block as it is.
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
