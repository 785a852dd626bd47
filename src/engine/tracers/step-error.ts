import type { RunStep } from '../run-listener.ts';

const MAX_WORDS = 1024;
const NOTHING = [0, 0] as const;

/** Ranges of opcodes (first, last), with the number of stack words that they pop and push. */
const RANGES = [
  ...[[0x01, 0x07, 2, 1] as const, [0x08, 0x09, 3, 1] as const, [0x0a, 0x0b, 2, 1] as const],
  ...[[0x10, 0x14, 2, 1] as const, [0x15, 0x15, 1, 1] as const, [0x16, 0x18, 2, 1] as const],
  ...[[0x19, 0x19, 1, 1] as const, [0x1a, 0x1d, 2, 1] as const, [0x1e, 0x1e, 1, 1] as const],
  ...[[0x20, 0x20, 2, 1] as const, [0x30, 0x30, 0, 1] as const, [0x31, 0x31, 1, 1] as const],
  ...[[0x32, 0x34, 0, 1] as const, [0x35, 0x35, 1, 1] as const, [0x36, 0x36, 0, 1] as const],
  ...[[0x37, 0x37, 3, 0] as const, [0x38, 0x38, 0, 1] as const, [0x39, 0x39, 3, 0] as const],
  ...[[0x3a, 0x3a, 0, 1] as const, [0x3b, 0x3b, 1, 1] as const, [0x3c, 0x3c, 4, 0] as const],
  ...[[0x3d, 0x3d, 0, 1] as const, [0x3e, 0x3e, 3, 0] as const, [0x3f, 0x40, 1, 1] as const],
  ...[[0x41, 0x48, 0, 1] as const, [0x49, 0x49, 1, 1] as const, [0x4a, 0x4b, 0, 1] as const],
  ...[[0x50, 0x50, 1, 0] as const, [0x51, 0x51, 1, 1] as const, [0x52, 0x53, 2, 0] as const],
  ...[[0x54, 0x54, 1, 1] as const, [0x55, 0x55, 2, 0] as const, [0x56, 0x56, 1, 0] as const],
  ...[[0x57, 0x57, 2, 0] as const, [0x58, 0x5a, 0, 1] as const, [0x5c, 0x5c, 1, 1] as const],
  ...[[0x5d, 0x5d, 2, 0] as const, [0x5e, 0x5e, 3, 0] as const, [0x5f, 0x7f, 0, 1] as const],
  ...[[0xf0, 0xf0, 3, 1] as const, [0xf1, 0xf2, 7, 1] as const, [0xf3, 0xf3, 2, 0] as const],
  ...[[0xf4, 0xf4, 6, 1] as const, [0xf5, 0xf5, 4, 1] as const, [0xfa, 0xfa, 6, 1] as const],
  ...[[0xfd, 0xfd, 2, 0] as const, [0xff, 0xff, 1, 0] as const],
];

/** By opcode: number of stack words popped and pushed. */
const WORDS: readonly (readonly [takes: number, gives: number])[] = Array.from({ length: 256 }, (_, code) => {
  if (code >= 0x80 && code <= 0x8f) return [code - 0x7f, code - 0x7e];
  if (code >= 0x90 && code <= 0x9f) return [code - 0x8e, code - 0x8e];
  if (code >= 0xa0 && code <= 0xa4) return [code - 0x9e, 0];
  const [, , takes, gives] = RANGES.find(([first, last]) => code >= first && code <= last) ?? [0, 0, 0, 0];
  return [takes, gives];
});

/** geth's error of an opcode that can't run. geth detects the other errors while the opcode runs. */
export function errorBeforeRun(step: RunStep): string | undefined {
  const { stackHeight } = step;
  const [takes, gives] = step.name === 'INVALID' ? NOTHING : WORDS[step.opcode]!;
  if (stackHeight < takes) return `stack underflow (${stackHeight} <=> ${takes})`;
  const most = MAX_WORDS + takes - gives;
  if (stackHeight > most) return `stack limit reached ${stackHeight} (${most})`;
  return step.isOutOfGas ? 'out of gas' : undefined;
}
