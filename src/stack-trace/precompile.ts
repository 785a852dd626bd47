import type { Frame } from '../engine/tracers/frames.ts';

/**
 * The message that made another one fail, by Hardhat's rule: the last message that it sent, if that failed with the same data.
 * @returns `undefined` if the message failed by itself
 */
export function causeOf<M extends { readonly output: Uint8Array; readonly error?: string | undefined }>(
  { output }: M,
  sent: M | undefined,
): M | undefined {
  return sent?.error !== undefined && Buffer.compare(output, sent.output) === 0 ? sent : undefined;
}

/** @param address with 0x; default 0 */
export function precompileNumber(address = '0x0'): number {
  return Number(BigInt(address));
}

/** Hardhat 2.28 names the precompiles up to Cancun, 1 to 10, in its errors; for those of BLS12-381 it says "without a reason string". */
export const NAMED_PRECOMPILES = 10;

/** Hardhat's sentence for a precompile that failed. */
export function precompileText(precompile: number): string {
  return `Transaction reverted: call to precompile ${precompile} failed`;
}

/**
 * Hardhat's sentence for a call that failed because of a precompile. It needs no sources.
 * @param root the call, with its inner calls
 * @returns `undefined` if no precompile is the cause
 */
export function precompileSentence(root: Frame): string | undefined {
  let failed = root;
  for (let cause: Frame | undefined = root; cause; cause = causeOf(failed, failed.calls.at(-1)))
    failed = cause;
  const number = precompileNumber(failed.to?.toString());
  return failed.precompile && number <= NAMED_PRECOMPILES ? precompileText(number) : undefined;
}
