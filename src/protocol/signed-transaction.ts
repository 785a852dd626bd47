import type { Address, EOACode7702AuthorizationListBytes } from '@ethereumjs/util';

/** The fields of every signed transaction. */
interface Signed {
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  /** absent = create */
  readonly to?: Address | undefined;
  /** wei */
  readonly value: bigint;
  readonly data: Uint8Array;
  /** 0 or 1, the parity of y; for type 0: 27 or 28, or by EIP-155 35 or 36 plus twice the chain id */
  readonly v?: bigint | undefined;
  readonly r?: bigint | undefined;
  readonly s?: bigint | undefined;
}

/** EIP-2930: each address with its slots of 32 bytes */
export type AccessListFields = readonly (readonly [address: Uint8Array, slots: readonly Uint8Array[]])[];

interface Typed extends Signed {
  readonly chainId: bigint;
  readonly accessList: AccessListFields;
}

interface GasPriced {
  /** wei per gas */
  readonly gasPrice: bigint;
}

/** EIP-1559, wei per gas */
export interface FeeMarket {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** EIP-4844 */
interface WithBlobs {
  /** wei per blob gas */
  readonly maxFeePerBlobGas: bigint;
  readonly blobVersionedHashes: readonly `0x${string}`[];
}

/**
 * A decoded transaction of type 0 to 4, without its sender, which follows from the signature. EthereumJS's transaction
 * objects have these fields, too.
 */
export type SignedTransaction =
  | (Signed & GasPriced & { readonly type: 0 })
  | (Typed & GasPriced & { readonly type: 1 })
  | (Typed & FeeMarket & { readonly type: 2 })
  | (Typed & FeeMarket & WithBlobs & { readonly type: 3 })
  | (Typed & FeeMarket & { readonly type: 4; readonly authorizationList: EOACode7702AuthorizationListBytes });
