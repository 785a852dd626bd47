import { createHash } from 'node:crypto';
import { equalsBytes } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';

const BLOB_BYTES = 131_072;
/** size of a commitment or proof: a compressed BLS12-381 point */
const POINT_BYTES = 48;
/** EIP-7594: one proof per cell */
const CELLS_PER_BLOB = 128;

type Values = Uint8Array | Values[];

/** Whether a blob transaction has its sidecar: its first element is then the list of the transaction's fields. */
export function isNetworkForm(values: readonly Values[]): boolean {
  return Array.isArray(values[0]);
}

/**
 * Checks the sidecar of a blob transaction and removes it, because blocks contain only the versioned hashes. Checks counts,
 * sizes and the hashes of the commitments, but not KZG proofs: these would need the ceremony's trusted setup and tens of
 * milliseconds per blob, and a chain with one node doesn't need proofs of availability.
 * @param values `[tx, blobs, commitments, proofs]` (EIP-4844) or `[tx, 1, blobs, commitments, cellProofs]` (EIP-7594)
 * @param keep called with each blob and its versioned hash
 * @returns the transaction's fields
 * @throws DevnetError -32003
 */
export function withoutSidecar(
  values: Values[],
  keep: (versionedHash: Uint8Array, blob: Uint8Array) => void = () => {},
): Values[] {
  const isCells = values.length === 5;
  if (!isCells && values.length !== 4) fail(`expected 4 or 5 elements, got ${values.length}`);
  if (isCells && !(values[1] instanceof Uint8Array && values[1].length === 1 && values[1][0] === 1))
    fail('unknown wrapper version');
  const fields = values[0] as Values[];
  const [blobs, commitments, proofs] = values.slice(-3).map(strings);
  const hashes = strings(fields[10]);
  const count = hashes.length;
  if (count === 0) fail('no blobs');
  const lists = [
    ['blobs', blobs!, count, BLOB_BYTES],
    ['commitments', commitments!, count, POINT_BYTES],
    ['proofs', proofs!, isCells ? count * CELLS_PER_BLOB : count, POINT_BYTES],
  ] as const;
  for (const [name, list, length, size] of lists) {
    if (list.length !== length) fail(`expected ${length} ${name}, got ${list.length}`);
    if (list.some((item) => item.length !== size)) fail(`${name} must have ${size} bytes each`);
  }
  for (const [i, commitment] of commitments!.entries()) {
    const versioned = createHash('sha256').update(commitment).digest();
    versioned[0] = 1;
    if (!equalsBytes(versioned, hashes[i]!)) fail(`commitment ${i} doesn't match its versioned hash`);
  }
  for (const [i, blob] of blobs!.entries()) keep(hashes[i]!, blob);
  return fields;
}

function strings(value: Values | undefined): Uint8Array[] {
  if (!Array.isArray(value) || !value.every((item) => item instanceof Uint8Array))
    return fail('expected a list of byte strings');
  return value;
}

function fail(reason: string): never {
  throw new DevnetError('transactionRejected', { reason: `invalid blob sidecar: ${reason}` });
}
