import type { Header } from '../../chain/block.ts';
import { type BlockDraft, type BlockPlan, draftBlock, type Parent } from '../../chain/block-draft.ts';
import { nextBaseFee } from '../../chain/fees.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Hardfork } from '../../protocol/hardfork.ts';
import type { BlockEnv } from '../../protocol/types.ts';
import { ZERO_HASH } from '../../state/account.ts';
import type { PlannedBlock } from './plan.ts';

/** The inputs for the header fields of a simulated block, besides its plan. */
export interface DraftBase extends Pick<Header, 'coinbase' | 'gasLimit'> {
  readonly parent: Parent;
  /** the open block's base fee, if this block continues the open block */
  readonly openBaseFee?: bigint | undefined;
  readonly validation: boolean;
}

/** Drafts a simulated block. Its header fields are planned or overridden ones, or else follow from its parent. */
export function draftSimulated(
  { number, time, blockOverrides = {} }: Pick<PlannedBlock, 'number' | 'time' | 'blockOverrides'>,
  base: DraftBase,
  { engine, hashOf }: { readonly engine: Engine; readonly hashOf: BlockEnv['blockHash'] },
): BlockDraft {
  const { parent, coinbase, gasLimit } = base;
  const { prevRandao, blobBaseFee, withdrawals } = blockOverrides;
  const { hardfork, difficulty } = rulesAt(number, time, blockOverrides.difficulty, parent, engine);
  const baseFeePerGas = blockOverrides.baseFeePerGas ?? baseFeeOf(base, hardfork);
  const plan: { -readonly [K in keyof BlockPlan]: BlockPlan[K] } = {
    timestamp: time,
    coinbase,
    gasLimit,
    prevRandao: prevRandao ?? ZERO_HASH,
    // On an OP chain the next block's base fee depends on `extraData`.
    extraData: hardfork.rollup ? parent.header.extraData : new Uint8Array(),
    difficulty,
    parentBeaconBlockRoot: blockOverrides.beaconRoot ?? ZERO_HASH,
  };
  if (withdrawals) plan.withdrawals = withdrawals;
  if (baseFeePerGas !== undefined) plan.baseFeePerGas = baseFeePerGas;
  const draft = draftBlock(parent, plan, engine, hashOf);
  return blobBaseFee === undefined ? draft : { ...draft, env: { ...draft.env, blobBaseFee } };
}

/** Without validation the base fee is 0, so that calls are free. */
function baseFeeOf({ validation, openBaseFee, parent }: DraftBase, hardfork: Hardfork): bigint | undefined {
  if (!validation) return hardfork.has(1559) ? 0n : undefined;
  return openBaseFee ?? nextBaseFee(parent.header, hardfork);
}

/**
 * The block's hardfork and difficulty. Before the merge the difficulty is the given one, or else the parent's; since
 * the merge it is always 0.
 */
function rulesAt(
  number: bigint,
  time: bigint,
  given: bigint | undefined,
  parent: Parent,
  { schedule }: Engine,
): { hardfork: Hardfork; difficulty: bigint } {
  const { mergeBlock } = schedule;
  const inherited = mergeBlock !== undefined && number >= mergeBlock ? 0n : parent.header.difficulty;
  const hardfork = schedule.at(number, time, inherited);
  return { hardfork, difficulty: hardfork.atLeast('paris') ? 0n : (given ?? inherited) };
}
