import type { Output } from '../log/colors.ts';

const WIDTH = 30;

/** How far something is. */
export interface Progress {
  /** of `total`: of a file, or files that are done */
  readonly bytes: number;
  readonly total: number;
  /** of the last block that is done */
  readonly number?: bigint;
}

/** A bar on a terminal; `undefined` where the output goes elsewhere, which stays free of it. */
export function progressBar(output: Output, doing = 'Importing'): ((progress: Progress) => void) | undefined {
  if (!output.isTTY) return undefined;
  let shown = -1;
  return ({ number, bytes, total }) => {
    const percent = Math.floor((100 * bytes) / Math.max(1, total));
    if (percent === shown) return;
    shown = percent;
    const filled = Math.floor((WIDTH * percent) / 100);
    const bar = '#'.repeat(filled).padEnd(WIDTH, '.');
    const block = number === undefined ? '' : `, block ${number}`;
    output.write(`\r${doing} [${bar}] ${percent} %${block}${percent === 100 ? '\n' : ''}`);
  };
}
