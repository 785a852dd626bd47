import type { OnProgress } from '../progress.ts';
import type { ChainState } from '../state/chain-state.ts';
import type { GenesisAlloc } from '../state/genesis.ts';
import { hexKey } from '../state/hex-key.ts';
import { MemorySource } from '../state/node-cache.ts';
import type { PackedAccounts } from '../state/packed-accounts.ts';
import { PackedWrites } from '../state/packed-writes.ts';
import { stateOfAlloc } from '../state/state-of-alloc.ts';
import type { StateParts } from './state-parts.ts';

export interface HeadStateDeps {
  /** receives all that has to be stored */
  readonly parts: StateParts;
  /** computes the root of a state; by default the state's own tries compute it */
  readonly computeRoot?: ((state: ChainState) => void) | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Builds the state from a file's accounts, and from the accounts of a new chain that the file lacks.
 * @param alloc the accounts of the new chain
 * @returns its root
 */
export async function headStateOf(
  alloc: GenesisAlloc,
  accounts: PackedAccounts,
  { parts, computeRoot = () => {}, onProgress }: HeadStateDeps,
): Promise<Uint8Array> {
  const source = new MemorySource();
  let state = stateOfAlloc(without(alloc, accounts));
  const keep = () => {
    parts.addState(state);
    source.store(state.unstored());
    state = state.asStored(source);
  };
  keep();
  const total = accounts.size;
  let done = 0;
  for await (const part of new PackedWrites(accounts, () => undefined).parts()) {
    state = state.fold(part);
    computeRoot(state);
    keep();
    done += part.records.length;
    onProgress?.({ task: 'Making the state', done, total, unit: 'accounts' });
  }
  return state.root;
}

/** Number of leading address bytes that are compared first: they rule out most addresses that aren't in the list. */
const PREFIX = 4;

function without(alloc: GenesisAlloc, accounts: PackedAccounts): GenesisAlloc {
  const rest = new Map(alloc);
  const prefixes = new Set([...alloc.keys()].map((key) => Number.parseInt(key.slice(2, 2 + 2 * PREFIX), 16)));
  for (let record = 0; record < accounts.size; record++) {
    const address = accounts.startOfAddress(record);
    if (prefixes.has(accounts.view.getUint32(address))) rest.delete(hexKey(accounts.addressOf(record)));
  }
  return rest;
}
