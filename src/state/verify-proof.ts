import { RLP } from '@ethereumjs/rlp';
import { equalsBytes } from '@ethereumjs/util';
import { EMPTY_BYTES, EMPTY_CODE_HASH, EMPTY_ROOT } from './account.ts';
import { integerOf } from './integers.ts';
import { keccak256 } from './keccak.ts';

/** Thrown for an invalid Merkle proof. */
export class BadProof extends Error {}

/** The fields of an account in the state trie. */
export interface ProvedAccount {
  readonly nonce: bigint;
  /** wei */
  readonly balance: bigint;
  readonly codeHash: Uint8Array;
  readonly storageRoot: Uint8Array;
}

type Node = Uint8Array | readonly Node[];

/**
 * Verifies an account proof (EIP-1186).
 * @param nodes the proof's nodes, RLP, root first
 * @returns the account; an empty one if the proof shows that it doesn't exist
 * @throws BadProof
 */
export function proveAccount(
  root: Uint8Array,
  address: Uint8Array,
  nodes: readonly Uint8Array[],
): ProvedAccount {
  const value = provedValue(root, keccak256(address), nodes);
  if (!value) return { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH, storageRoot: EMPTY_ROOT };
  const fields = RLP.decode(value);
  if (!Array.isArray(fields) || fields.length !== 4) throw new BadProof('the leaf is no account');
  const [nonce, balance, storageRoot, codeHash] = fields as Uint8Array[];
  return {
    nonce: integerOf(nonce!),
    balance: integerOf(balance!),
    storageRoot: storageRoot!,
    codeHash: codeHash!,
  };
}

/** Verifies the proof of a slot, like {@link proveAccount}. @returns the slot's value without leading zeros; empty for zero */
export function proveSlot(
  storageRoot: Uint8Array,
  slot: Uint8Array,
  nodes: readonly Uint8Array[],
): Uint8Array {
  const value = provedValue(storageRoot, keccak256(slot), nodes);
  return value ? (RLP.decode(value) as Uint8Array) : EMPTY_BYTES;
}

/** Follows a key from the root. @returns its value; `undefined` if the proof shows that there is none @throws BadProof */
function provedValue(
  root: Uint8Array,
  key: Uint8Array,
  nodes: readonly Uint8Array[],
): Uint8Array | undefined {
  if (equalsBytes(root, EMPTY_ROOT)) return undefined;
  const path = nibblesOf(key);
  let at = 0;
  let used = 0;
  let next: Node = root;
  for (;;) {
    // A node of less than 32 bytes is embedded in its parent.
    const node: Node = Array.isArray(next) ? next : decoded(nodes[used++], next as Uint8Array);
    if (!Array.isArray(node)) throw new BadProof('a node is no list');
    if (node.length === 17) {
      if (at === path.length) return leafValue(node[16]);
      next = node[path[at++]!] as Node;
      if (next.length === 0) return undefined;
      continue;
    }
    if (node.length !== 2) throw new BadProof('a node has neither 2 nor 17 items');
    const [prefix, rest] = node as [Uint8Array, Node];
    const packed = nibblesOf(prefix);
    const flag = packed[0] ?? 0;
    const part = packed.slice(flag & 1 ? 1 : 2);
    const isHere = part.every((nibble, i) => path[at + i] === nibble);
    if (!isHere) return undefined;
    at += part.length;
    if (flag & 2) return at === path.length ? leafValue(rest) : undefined;
    next = rest;
  }
}

function decoded(bytes: Uint8Array | undefined, hash: Uint8Array): Node {
  if (!bytes) throw new BadProof('it ends before the value');
  if (!equalsBytes(keccak256(bytes), hash))
    throw new BadProof('a node has another hash than its parent says');
  return RLP.decode(bytes) as Node;
}

function leafValue(node: Node | undefined): Uint8Array | undefined {
  if (!(node instanceof Uint8Array)) throw new BadProof('a value is a list');
  return node.length === 0 ? undefined : node;
}

function nibblesOf(bytes: Uint8Array): number[] {
  return [...bytes].flatMap((byte) => [byte >> 4, byte & 15]);
}
