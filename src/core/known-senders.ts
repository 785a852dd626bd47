// Senders that were recovered lately, by the hashes of their transactions. Tests that go back to a snapshot send the same transactions
// again, and to recover a sender takes longer than to run a transfer. What is known here is true of any chain, so it stays when the
// state is emptied.
import { SENDERS, SENDERS_SIZE, TX_FROM, TX_HASH } from './layout';
import { copyWord, equal } from './words';

/** an entry: hash, sender as a word */
const SENDER: usize = 32;
const SIZE_BITS: u32 = 6;

/** Where the sender of the transaction is, if it is known. */
function entryOfHash(): usize {
  return SENDERS + ((<usize>load<u32>(TX_HASH) << SIZE_BITS) & (SENDERS_SIZE - 1));
}

/** Looks for the sender of the transaction that was decoded last. @returns whether it is known: it is in its place then */
export function knowsSender(): bool {
  const entry = entryOfHash();
  if (!equal(entry, TX_HASH)) return false;
  copyWord(TX_FROM, entry + SENDER);
  return true;
}

export function rememberSender(): void {
  const entry = entryOfHash();
  copyWord(entry, TX_HASH);
  copyWord(entry + SENDER, TX_FROM);
}
