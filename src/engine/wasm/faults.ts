import * as core from '../../core/memory/faults.ts';

const FAULTS = {
  [core.MALFORMED]: 'malformed',
  [core.UNKNOWN_TYPE]: 'unknownType',
  [core.WRONG_CHAIN]: 'wrongChain',
  [core.BAD_SIGNATURE]: 'badSignature',
  [core.NONCE_TOO_LOW]: 'nonceTooLow',
  [core.NONCE_TOO_HIGH]: 'nonceTooHigh',
  [core.NONCE_AT_MAXIMUM]: 'nonceAtMaximum',
  [core.ABOVE_GAS_CAP]: 'aboveGasCap',
  [core.SENDER_HAS_CODE]: 'senderHasCode',
  [core.TIP_ABOVE_FEE_CAP]: 'tipAboveFeeCap',
  [core.FEE_CAP_TOO_LOW]: 'feeCapTooLow',
  [core.BLOBS_CREATE]: 'blobsCreate',
  [core.NO_BLOBS]: 'noBlobs',
  [core.TOO_MANY_BLOBS]: 'tooManyBlobs',
  [core.BLOB_VERSION]: 'blobVersion',
  [core.BLOB_FEE_TOO_LOW]: 'blobFeeTooLow',
  [core.AUTHORIZATIONS_CREATE]: 'authorizationsCreate',
  [core.NO_AUTHORIZATIONS]: 'noAuthorizations',
  [core.INSUFFICIENT_FUNDS]: 'insufficientFunds',
  [core.INTRINSIC_GAS]: 'intrinsicGas',
  [core.INIT_CODE_SIZE]: 'initCodeSize',
  [core.ABOVE_BLOCK_GAS]: 'aboveBlockGas',
  [core.ABOVE_BLOCK_BLOB_GAS]: 'aboveBlockBlobGas',
} as const;

/** The rule that a transaction breaks. */
export type Fault = NonNullable<(typeof FAULTS)[keyof typeof FAULTS]>;

export function faultName(code: number): Fault {
  return FAULTS[code as keyof typeof FAULTS]!;
}
