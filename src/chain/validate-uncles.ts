import { bytesToHex } from '@ethereumjs/util';
import type { HardforkSchedule } from '../protocol/hardfork.ts';
import type { Block } from './block.ts';
import { BadBlock, expectSame, refuse } from './block-fault.ts';
import { canonicalDifficulty } from './difficulty.ts';
import { hashHeader } from './header.ts';
import { validateHeader } from './validate-header.ts';

/** Maximum number of generations by which an uncle may be older than the block, and its parent than the block's (yellow paper 11.1). */
export const UNCLE_GENERATIONS = 7;

/**
 * Checks the uncles of a block (yellow paper 11.1): each has a valid header, is a child of a recent ancestor but not of the
 * parent, isn't an ancestor itself, and is included only once.
 * @param ancestors newest first, as far back as {@link UNCLE_GENERATIONS}
 * @throws BadBlock
 */
export function validateUncles(
  { uncles }: Pick<Block, 'uncles'>,
  ancestors: readonly Pick<Block, 'header' | 'hash' | 'uncles'>[],
  schedule: HardforkSchedule,
): void {
  const parents = new Map(ancestors.map((block) => [bytesToHex(block.hash), block]));
  const named = new Set(
    ancestors.flatMap((block) => block.uncles.map((uncle) => bytesToHex(hashHeader(uncle)))),
  );
  for (const [i, uncle] of uncles.entries()) {
    const at = `uncles[${i}]`;
    const hash = bytesToHex(hashHeader(uncle));
    if (named.has(hash)) refuse(at, 'one that was not named before', hash);
    named.add(hash);
    if (parents.has(hash)) refuse(at, 'no ancestor of the block', hash);
    const parent = parents.get(bytesToHex(uncle.parentHash));
    if (!parent || parent === ancestors[0])
      refuse(`${at}.parentHash`, `one of the ${UNCLE_GENERATIONS} before the parent`, uncle.parentHash);
    const hardfork = schedule.at(uncle.number, uncle.timestamp, uncle.difficulty);
    try {
      validateHeader(uncle, parent, hardfork, schedule);
      expectSame('difficulty', canonicalDifficulty(uncle, parent.header, hardfork), uncle.difficulty);
    } catch (error) {
      if (!(error instanceof BadBlock)) throw error;
      const { field, expected, got } = error.fault;
      refuse(`${at}.${field}`, expected, got);
    }
  }
}
