import { type Address, setLengthRight } from '@ethereumjs/util';
import type { BlockView } from '../../chain/block.ts';
import { DevnetError } from '../../errors.ts';
import { keccak256 } from '../../state/keccak.ts';
import type { Overlay } from '../../state/overlay.ts';
import { TrieState } from '../../state/trie-state.ts';
import { type Hex, hex, word } from '../codec/hex.ts';

/** maximum number of slots in one answer */
const MAX_SLOTS = 10_000;

/**
 * geth's `debug_storageRangeAt`: returns values by hashed slot. `key` is the slot itself if the block's transactions wrote it, else null,
 * because the trie contains only hashes.
 * @param state overlay over the state of the parent or of the block
 * @param start hashed slot, padded with zeros on the right
 * @throws DevnetError -32000 for a forked state, which isn't a trie
 */
export function storageRange(
  view: BlockView,
  state: Overlay,
  account: Address,
  start: Uint8Array,
  limit: number,
): { storage: Record<Hex, { key: Hex | null; value: Hex }>; nextKey: Hex | null } {
  const { base } = state;
  if (!(base instanceof TrieState) || !(view.state instanceof TrieState))
    throw new DevnetError('server', { reason: 'a forked state has no storage ranges' });
  const writes = state.writes();
  const preimages = new Map<string, Hex>();
  for (const slot of writes.storage.get(account.toString())?.slots.keys() ?? [])
    preimages.set(hex(keccak256(Buffer.from(slot.slice(2), 'hex'))), slot as Hex);
  const from = setLengthRight(start.subarray(0, 32), 32);
  const range = base.fold(writes).storageEntries(account, from, Math.min(limit, MAX_SLOTS));
  return {
    storage: Object.fromEntries(
      range.entries.map(({ hashedSlot, value }) => [
        hex(hashedSlot),
        { key: preimages.get(hex(hashedSlot)) ?? null, value: word(value) },
      ]),
    ),
    nextKey: range.next ? hex(range.next) : null,
  };
}
