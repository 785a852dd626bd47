import type { BlockView, Transaction } from '../chain/block.ts';
import type { Chain } from '../chain/chain.ts';
import { type Inclusion, unmetCondition } from '../chain/conditions.ts';
import type { ChainReader } from '../chain/refs.ts';
import { DevnetError } from '../errors.ts';
import type { AdmissionRules } from '../mempool/admission.ts';
import type { Mempool } from '../mempool/mempool.ts';
import { DEPOSIT_TYPE } from '../protocol/op-stack/deposit-transaction.ts';
import { rollupFees } from '../protocol/op-stack/rollup-fees.ts';
import { EMPTY_BYTES, hasCode } from '../state/account.ts';
import type { AccountState, StateView } from '../state/view.ts';

/**
 * Adds a transaction to the mempool. It is checked against its sender's account in the newest view: the open block in
 * the modes that pre-confirm, else the head.
 * @param deps.next the next block, for conditions of the transaction's inclusion
 * @param options.added called synchronously once the mempool holds the transaction, with the transaction that it replaced, if any
 * @param options.isWanted called before the transaction is added; throws if its call has timed out
 * @throws DevnetError -32003 when the transaction is not admitted
 */
export async function admit(
  transaction: Transaction,
  rules: AdmissionRules,
  {
    chain,
    mempool,
    next,
  }: { chain: Pick<Chain, 'newest' | 'latest'>; mempool: Mempool; next: () => Inclusion },
  {
    added,
    isWanted,
  }: {
    added?: ((replaced: Transaction | undefined) => void) | undefined;
    isWanted?: (() => void) | undefined;
  } = {},
): Promise<void> {
  let view: BlockView;
  let code: Uint8Array;
  let account: AccountState | undefined;
  let rollupCost = 0n;
  let unmet: string | undefined;
  do {
    view = chain.newest;
    // Awaits only real promises: without an await, no newer view can appear before the transaction is added.
    const found = view.state.getAccount(transaction.from);
    account = found instanceof Promise ? await found : found;
    const held = account && hasCode(account) ? view.state.getCode(transaction.from) : EMPTY_BYTES;
    code = held instanceof Promise ? await held : held;
    if (rules.optimism) rollupCost = await rollupCostOf(transaction, view.state);
    if (transaction.conditions) unmet = await unmetCondition(transaction.conditions, next(), view.state);
  } while (view !== chain.newest);
  if (unmet) throw new DevnetError('conditionUnmet', { reason: unmet });
  isWanted?.();
  const same = mempool.at(transaction.from, transaction.tx.nonce);
  try {
    const { nonce = 0n, balance = 0n } = account ?? {};
    mempool.add(transaction, { nonce, balance, code, rollupCost }, rules);
  } catch (error) {
    throw await explained(error, transaction, chain.latest);
  }
  added?.(same && !mempool.has(same.hash) ? same : undefined);
}

/** The OP Stack's charges besides gas, in wei: the L1 fee, and the operator fee for the full gas limit. */
async function rollupCostOf({ tx, raw }: Transaction, state: StateView): Promise<bigint> {
  const fees = tx.type === DEPOSIT_TYPE ? undefined : await rollupFees(raw, state);
  return fees ? fees.l1Fee + fees.operatorFee(tx.gasLimit) : 0n;
}

/**
 * Adds the nonce at `latest` to a "nonce too low" error, if it differs from the one in the newest view: cast and forge read
 * the nonce at `latest`, but send the next transaction when the last one is only pre-confirmed.
 */
async function explained(error: unknown, { from, tx }: Transaction, sealed: BlockView): Promise<unknown> {
  if (!(error instanceof DevnetError) || !isNonceTooLow(error)) return error;
  const nonce = (await sealed.state.getAccount(from))?.nonce ?? 0n;
  return nonce > tx.nonce ? error : new DevnetError('poolNonceTooLow', { ...error.payload!, sealed: nonce });
}

function isNonceTooLow(error: DevnetError): error is DevnetError<'poolNonceTooLow'> {
  return error.kind === 'poolNonceTooLow';
}

/**
 * Rejects a deposit that is already in a block. A deposit has no nonce that would prevent including it twice, and the
 * second inclusion would hide the first under the same hash.
 * @param upTo number of the last block that stays, if the blocks above it are about to be replaced
 * @throws DevnetError -32003 when a block of the chain contains the transaction
 */
export function refuseKnown(
  { hash }: Transaction,
  chain: Pick<ChainReader, 'findTransaction'>,
  upTo: bigint | undefined,
): void {
  const place = chain.findTransaction(hash);
  if (place && (upTo === undefined || place.block.header.number <= upTo))
    throw new DevnetError('depositKnown', { block: place.block.header.number });
}
