import type { Header } from '../chain/block.ts';
import { DevnetError } from '../errors.ts';
import type { OnProgress } from '../progress.ts';
import { object, optional } from '../rpc/codec/codec.ts';
import { hex } from '../rpc/codec/hex.ts';
import { data } from '../rpc/codec/values.ts';
import { keccak256 } from '../state/keccak.ts';
import type { TrieState } from '../state/trie-state.ts';
import { anvilStates } from './anvil-states.ts';
import type { Dump, OwnPart } from './read-dump.ts';
import type { StateParts } from './state-parts.ts';

/** The states of a file, except the newest one. */
export interface OldStates {
  /** state roots of blocks whose state differs from the root in the header, because of dev writes */
  readonly roots: ReadonlyMap<bigint, Uint8Array>;
  /** the first block from which on the states of all blocks are known */
  readonly states: bigint;
  /** root of the state that a reset restores */
  readonly genesisRoot: Uint8Array;
}

const piece = object('a piece of a state', {
  node: optional(data),
  code: optional(data),
  key: optional(data),
});

/** Reads the older states from devnet's own part of a file. @param parts receives the pieces of the states */
export function ownStates(
  { roots, states, beginning, pieces: piecesOf }: OwnPart,
  parts: StateParts,
  onProgress?: OnProgress,
): OldStates {
  const pieces = piecesOf();
  const total = pieces.length;
  for (const [i, json] of pieces.entries()) {
    onProgress?.({ task: 'Loading the older states of the state file', done: i, total, unit: 'parts' });
    const { node, code, key } = piece.decode(json.parse(), `state.devnet.pieces[${i}]`);
    if (node) parts.add('nodes', [keccak256(node), node]);
    if (code) parts.add('code', [keccak256(code), code]);
    if (key) parts.add('preimages', [keccak256(key), key]);
  }
  return { roots: new Map(roots), states, genesisRoot: beginning };
}

/**
 * Reads the older states from a file that anvil wrote, if they are there and readable. anvil's genesis header has no usable state root:
 * unless the file contains the genesis state, the genesis state of a new chain is used.
 * @param linked the chain's blocks, the genesis block first
 * @param deps.genesisState the genesis state of a new chain
 * @param deps.parts receives the pieces of the states
 */
export function foreignStates(
  { history }: Dump,
  linked: readonly { readonly header: Header; readonly hash: Uint8Array }[],
  deps: {
    genesisState: TrieState;
    parts: StateParts;
    onWarning?: (message: string) => void;
    onProgress?: OnProgress | undefined;
  },
): OldStates {
  const { genesisState, parts, onWarning, onProgress } = deps;
  const genesis = linked[0]!.header.number;
  const numbers = new Map(linked.map(({ hash, header }) => [hex(hash), header.number]));
  const known = new Map<bigint, Uint8Array>();
  try {
    let done = 0;
    for (const [hash, state] of history ? anvilStates(history) : []) {
      onProgress?.({ task: 'Loading the older states of the state file', done: done++, unit: 'states' });
      const number = numbers.get(hex(hash));
      if (number === undefined) continue;
      parts.addState(state);
      known.set(number, state.root);
    }
  } catch (error) {
    if (!(error instanceof DevnetError) && !(error instanceof SyntaxError)) throw error;
    onWarning?.(`the old states of the state file are not loaded: ${error.message}`);
    known.clear();
  }
  let states = linked.at(-1)!.header.number;
  while (known.has(states - 1n)) states--;
  if (!known.has(genesis)) {
    parts.addState(genesisState);
    known.set(genesis, genesisState.root);
  }
  return { roots: known, states, genesisRoot: known.get(genesis)! };
}
