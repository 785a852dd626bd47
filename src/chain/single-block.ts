import { startOf } from '../evm/block-maker.ts';
import { type Engine, TRANSACTION_RULES } from '../evm/engine.ts';
import type { BlockEnv } from '../evm/types.ts';
import type { ChainState } from '../state/chain-state.ts';
import type { EncodedEntries } from '../state/encoded-entries.ts';
import { type Awaitable, andThen } from '../state/view.ts';
import type { Block, Transaction, TrieBlock } from './block.ts';
import { type BlockPlan, draftBlock } from './block-draft.ts';
import { assembleSingle } from './block-seal.ts';
import { EncodedTransaction } from './encoded-transaction.ts';
import type { LogTerm } from './log-terms.ts';

/** EIP-4844 */
const BLOB_TYPE = 3;

/** A block that isn't stored yet, whose records are among what its state adds to the store. */
export interface RecordedBlock {
  /** without its state */
  readonly block: Block;
  readonly state: ChainState;
  /** what has to be stored, see {@link SingleBlock.entries} */
  readonly entries: EncodedEntries;
  readonly logTerms: readonly LogTerm[];
}

/**
 * Makes a block of one transaction, or of none, in one step of the engine, which takes a fraction of the time of
 * {@link WholeBlock}.
 * @param hashOf hashes of the blocks before the parent
 * @returns `undefined` when it has to be made otherwise, or the transaction can't be in it
 */
export function makeSingle(
  parent: TrieBlock,
  plan: BlockPlan,
  transaction: Transaction | undefined,
  deps: { readonly engine: Engine; readonly gasCap: boolean; readonly hashOf: BlockEnv['blockHash'] },
): Awaitable<RecordedBlock | undefined> {
  if (plan.withdrawals?.length) return undefined;
  // A blob transaction's receipt has more fields. An impersonated sender isn't in the encoding.
  if (transaction && (transaction.impersonated || transaction.raw[0] === BLOB_TYPE)) return undefined;
  const { engine, gasCap, hashOf } = deps;
  const draft = draftBlock(parent, plan, engine, hashOf);
  const encoded = transaction instanceof EncodedTransaction ? transaction : undefined;
  const single = transaction && {
    raw: transaction.raw,
    from: encoded ? encoded.knownSender : transaction.from,
    rules: { ...TRANSACTION_RULES, gasCap },
  };
  return andThen(engine.singleBlock(parent.state, startOf(draft), single), (made) => {
    if (!made) return undefined;
    if (encoded && made.sent) encoded.accept(made.sent);
    const { state, entries, logTerms } = made;
    return { block: assembleSingle(draft, transaction, made), state, entries, logTerms };
  });
}
