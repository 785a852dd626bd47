import type { Frame } from '../engine/tracers/frames.ts';
import type { TracedMessage } from '../engine/tracers/messages.ts';

/**
 * The message that made another one fail, as Hardhat sees it: the last that this one sent, if it failed with the same data.
 * @returns `undefined` where the message failed by itself
 */
export function causeOf({ output, last }: TracedMessage): TracedMessage | undefined {
  const sent = last?.message;
  return sent?.error !== undefined && Buffer.compare(output, sent.output) === 0 ? sent : undefined;
}

export function precompileNumber({ address }: TracedMessage): number {
  return Number(BigInt(address ?? '0x0'));
}

/** Hardhat 2.28 names the precompiles up to Cancun's, 1 to 10, in its errors; those of BLS12-381 fail "without a reason string". */
export const NAMED_PRECOMPILES = 10;

/** Hardhat's sentence for a precompile that failed. */
export function precompileText(precompile: number): string {
  return `Transaction reverted: call to precompile ${precompile} failed`;
}

/**
 * Hardhat's sentence for a call that failed because a precompile did. No sources are needed to know that.
 * @param root the call with those that it made
 * @returns `undefined` where no precompile is the cause
 */
export function precompileSentence(root: Frame): string | undefined {
  let failed = root;
  // As in `causeOf`.
  for (let sent = failed.calls.at(-1); sent?.error !== undefined; sent = failed.calls.at(-1)) {
    if (Buffer.compare(failed.output, sent.output) !== 0) break;
    failed = sent;
  }
  const number = Number(BigInt(failed.to?.toString() ?? '0x0'));
  return failed.precompile && number <= NAMED_PRECOMPILES ? precompileText(number) : undefined;
}
