import { needs } from '../options/errors.ts';
import { resolveOptions } from '../options/options.ts';
import { plural } from '../plural.ts';
import type { Io } from './main.ts';
import { type Parsed, parse, type SubCommand } from './program.ts';
import { openProgress, type ProgressLine } from './progress.ts';

export const EXPORT: SubCommand = {
  name: 'export',
  description: 'Writes the chain of --data-dir as genesis.json and chain.rlp, which other clients import.',
  operands: '<dir>',
  flags: { '--from <block>': 'the state at this block as a genesis, without the blocks' },
  hidden: ['Server', 'Fork', 'Mining', 'Several machines'],
};

/** `devnet export DIR --data-dir D`, with the options with which the chain was made. @returns the exit code */
export async function exportCommand(args: readonly string[], io: Io): Promise<number> {
  const parsed = parse(args, io, EXPORT);
  if (parsed.kind === 'exit') return parsed.code;
  const progress = openProgress(parsed.options, io);
  try {
    return await exported(parsed, io, progress);
  } finally {
    progress?.[Symbol.dispose]();
  }
}

async function exported(
  parsed: Extract<Parsed, { kind: 'run' }>,
  io: Io,
  progress: ProgressLine | undefined,
): Promise<number> {
  const config = resolveOptions(parsed.options, progress?.report);
  if (config.dataDir === undefined) needs('export', 'dataDir');
  const [dir] = parsed.operands;
  // The flag has a value, so commander passes a string.
  const from = parsed.own.from as string | undefined;
  if (from !== undefined && !/^\d{1,15}$/.test(from))
    throw new Error(`--from: expected a block number, got '${from}'`);
  const { exportChain } = await import('../replay/export-chain.ts');
  const { number, hash } = await exportChain(config, dir!, {
    version: io.version,
    ...(from !== undefined && { from: BigInt(from) }),
    onProgress: progress?.report,
  });
  progress?.[Symbol.dispose]();
  if (!config.silent) {
    const what = from === undefined ? plural(number, 'block') : `the state at block ${from} as a genesis`;
    io.stdout.write(`Exported ${what} to ${dir}; the head is ${hash}\n`);
  }
  return 0;
}
