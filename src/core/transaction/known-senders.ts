// A cache of recovered senders, by transaction hash. Tests that revert to a snapshot send the same transactions again, and recovering a
// sender takes longer than running a transfer. The hash covers the signature, so the same hash has the same sender on every chain: the
// entries are kept when the state is reset.
import { SENDERS, SENDERS_SIZE, TX_FROM, TX_HASH } from '../memory/layout.ts';
import { copyWord, equal } from '../memory/words.ts';

/** an entry: hash, sender as a word */
const SENDER: usize = 32;
const SIZE_BITS: u32 = 6;

/** The entry where the sender of the transaction is cached, if it is. */
function entryOfHash(): usize {
  return SENDERS + ((<usize>load<u32>(TX_HASH) << SIZE_BITS) & (SENDERS_SIZE - 1));
}

/** Whether the sender of the transaction decoded last is cached. If so, it is written to TX_FROM. */
export function knowsSender(): bool {
  const entry = entryOfHash();
  if (!equal(entry, TX_HASH)) return false;
  copyWord(TX_FROM, entry + SENDER);
  return true;
}

/** Caches the sender at TX_FROM of the transaction decoded last. */
export function rememberSender(): void {
  const entry = entryOfHash();
  copyWord(entry, TX_HASH);
  copyWord(entry + SENDER, TX_FROM);
}
