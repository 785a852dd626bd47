import { equalsBytes } from '@ethereumjs/util';
import type { Hardfork, HardforkName } from '../protocol/hardfork.ts';
import type { Header } from './block.ts';
import { NO_UNCLES } from './header.ts';

const MINIMUM = 131_072n;
const BOUND_DIVISOR = 2048n;
const BOMB_PERIOD = 100_000n;

/** Blocks by which the difficulty bomb is delayed, newest hardfork first: EIP-649, 1234, 2384, 3554, 4345, 5133. */
const BOMB_DELAYS: readonly (readonly [HardforkName, bigint])[] = [
  ['grayGlacier', 11_400_000n],
  ['arrowGlacier', 10_700_000n],
  ['london', 9_700_000n],
  ['muirGlacier', 9_000_000n],
  ['constantinople', 5_000_000n],
  ['byzantium', 3_000_000n],
];

/** Difficulty of the proof-of-work block after `parent`: yellow paper 4.4.4, EIP-2, EIP-100 and the bomb delays. */
export function canonicalDifficulty(
  { number, timestamp }: Pick<Header, 'number' | 'timestamp'>,
  parent: Header,
  hardfork: Hardfork,
): bigint {
  const step = parent.difficulty / BOUND_DIVISOR;
  let difficulty = parent.difficulty + step * factorOf(timestamp - parent.timestamp, parent, hardfork);
  const delay = BOMB_DELAYS.find(([name]) => hardfork.atLeast(name))?.[1] ?? 0n;
  const period = number > delay ? (number - delay) / BOMB_PERIOD : 0n;
  if (period > 1n) difficulty += 1n << (period - 2n);
  return difficulty > MINIMUM ? difficulty : MINIMUM;
}

function factorOf(seconds: bigint, parent: Header, hardfork: Hardfork): bigint {
  if (!hardfork.atLeast('homestead')) return seconds < 13n ? 1n : -1n;
  // EIP-100: a parent with uncles raises the difficulty.
  const factor = hardfork.atLeast('byzantium')
    ? (equalsBytes(parent.unclesHash, NO_UNCLES) ? 1n : 2n) - seconds / 9n
    : 1n - seconds / 10n;
  return factor > -99n ? factor : -99n;
}
