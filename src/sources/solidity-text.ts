import type { SourceFile } from './source-file.ts';

/** Finds what files define by their text, where the compiler's syntax tree isn't at hand. */
export function readSolidity(_files: readonly SourceFile[]): void {}
