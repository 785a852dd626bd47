import { needs } from '../options/checks.ts';
import { resolveOptions } from '../options.ts';
import type { Io } from './main.ts';
import { parse } from './program.ts';
import { progressBar } from './progress.ts';

/** `devnet export DIR --data-dir D`, with the options that the chain was made with. @returns the exit code */
export async function exportCommand(args: readonly string[], io: Io): Promise<number> {
  const parsed = parse(args, io, {
    name: 'export',
    description: 'Writes the chain of --data-dir as genesis.json and chain.rlp, which other clients import.',
    operands: '<dir>',
  });
  if (parsed.kind === 'exit') return parsed.code;
  const config = resolveOptions(parsed.options);
  if (config.dataDir === undefined) needs('export', 'dataDir');
  const { exportChain } = await import('../replay/export-chain.ts');
  const [dir] = parsed.operands;
  const { number, hash } = await exportChain(config, dir!, {
    version: io.version,
    onProgress: progressBar(io.stdout, 'Exporting'),
  });
  if (!config.silent) io.stdout.write(`Exported ${number} blocks to ${dir}; the head is ${hash}\n`);
  return 0;
}
