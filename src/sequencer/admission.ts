import type { BlockView, Transaction } from '../chain/block.ts';
import type { Chain } from '../chain/chain.ts';
import type { ChainReader } from '../chain/refs.ts';
import { DevnetError } from '../errors.ts';
import type { AdmissionRules } from '../mempool/admission.ts';
import type { Mempool } from '../mempool/mempool.ts';
import type { AccountState } from '../state/view.ts';

/**
 * Puts a transaction into the mempool, judged by its sender's account in the newest view: the block being built where
 * it shows, else the head.
 * @param added runs at once when it is in
 * @throws DevnetError -32003 when it is not admitted
 */
export async function admit(
  transaction: Transaction,
  rules: AdmissionRules,
  { chain, mempool }: { chain: Pick<Chain, 'newest' | 'latest'>; mempool: Mempool },
  added?: () => void,
): Promise<void> {
  let view: BlockView;
  let code: Uint8Array;
  let account: AccountState | undefined;
  do {
    view = chain.newest;
    // Awaited only where it is a promise: otherwise there is no gap in which the view could become old.
    const held = view.state.getCode(transaction.from);
    code = held instanceof Promise ? await held : held;
    const found = view.state.getAccount(transaction.from);
    account = found instanceof Promise ? await found : found;
  } while (view !== chain.newest);
  try {
    mempool.add(transaction, { nonce: account?.nonce ?? 0n, balance: account?.balance ?? 0n, code }, rules);
  } catch (error) {
    throw await explained(error, transaction, chain.latest);
  }
  added?.();
}

/** cast and forge take the nonce from the sealed block, and send the next transaction once the last is pre-confirmed. */
async function explained(error: unknown, { from, tx }: Transaction, sealed: BlockView): Promise<unknown> {
  if (!(error instanceof DevnetError) || !isNonceTooLow(error)) return error;
  const nonce = (await sealed.state.getAccount(from))?.nonce ?? 0n;
  return nonce > tx.nonce ? error : new DevnetError('poolNonceTooLow', { ...error.payload!, sealed: nonce });
}

function isNonceTooLow(error: DevnetError): error is DevnetError<'poolNonceTooLow'> {
  return error.name === 'poolNonceTooLow';
}

/**
 * A deposit has no nonce that would tell that it was there: another one with its hash would hide it.
 * @throws DevnetError -32003 when it stands in a block
 */
export function refuseKnown({ hash }: Transaction, chain: Pick<ChainReader, 'findTransaction'>): void {
  const place = chain.findTransaction(hash);
  if (place) throw new DevnetError('depositKnown', { block: place.block.header.number });
}
