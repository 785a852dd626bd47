import type { ImportProgress } from '../replay/import-chain.ts';
import type { Output } from './program.ts';

const WIDTH = 30;

/** A bar on a terminal; `undefined` where the output goes elsewhere, which stays free of it. */
export function progressBar(
  output: Output,
  doing = 'Importing',
): ((progress: ImportProgress) => void) | undefined {
  if (!output.isTTY) return undefined;
  let shown = -1;
  return ({ number, bytes, total }) => {
    const percent = Math.floor((100 * bytes) / Math.max(1, total));
    if (percent === shown) return;
    shown = percent;
    const filled = Math.floor((WIDTH * percent) / 100);
    const bar = '#'.repeat(filled).padEnd(WIDTH, '.');
    output.write(`\r${doing} [${bar}] ${percent} %, block ${number}${percent === 100 ? '\n' : ''}`);
  };
}
