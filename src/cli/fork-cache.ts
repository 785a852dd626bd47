import type { Command } from 'commander';
import { SystemClock } from '../clock.ts';
import { defaultFolder } from '../fork-cache/cache-folder.ts';
import { exportBlocks, importBlocks, type Transferred } from '../fork-cache/cache-transfer.ts';
import { type CachedFork, ForkCache } from '../fork-cache/fork-cache.ts';
import { FORK } from '../options/table/fork.ts';
import { size as bytes } from '../options/value-types.ts';
import { plural } from '../plural.ts';
import type { Io } from './main.ts';
import { exitAfterParsing, ownCommand } from './own-command.ts';

const ACTIONS = ['list', 'export', 'import', 'prune'] as const;

/** Defines the command line of `devnet fork-cache`. */
export function forkCacheLine(io: Io): Command {
  const line = ownCommand('fork-cache', io)
    .description(
      'Lists, exports, imports and prunes what was fetched for forked chains: list, export FILE, import FILE, prune. ' +
        'A FILE whose name ends with .gz is compressed.',
    )
    .argument('<action>', ACTIONS.join(', '))
    .argument('[file]', 'of export and import')
    .option('--fork-cache <dir>', "the folder (devnet/fork in the user's cache folder)")
    .option('--chain-id <id>', 'only blocks of this chain')
    .option('--block <n>', 'only the block with this number')
    .option('--fork-cache-size <bytes>', 'prune: what may stay, as 500M or 4G (2G)')
    .option('--all', 'prune: remove all blocks, or those of --chain-id and --block')
    .option('--json', 'list: a line of JSON for each block');
  // For completions; the command itself reports an invalid action.
  line.registeredArguments[0]!.argChoices = [...ACTIONS];
  return line;
}

interface Given {
  readonly forkCache?: string;
  readonly chainId?: string;
  readonly block?: string;
  readonly forkCacheSize?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

/** `devnet fork-cache ACTION`. @returns the exit code */
export async function forkCacheCommand(args: readonly string[], io: Io): Promise<number> {
  const line = forkCacheLine(io);
  const exit = exitAfterParsing(line, args);
  if (exit !== undefined) return exit;
  const [action, file] = line.args;
  const given = line.opts<Given>();
  const dir = given.forkCache ?? defaultFolder(io.env);
  const onError = (error: unknown) => io.stderr.write(`${(error as Error).message}\n`);
  const cache = new ForkCache({ dir, size: Number.MAX_SAFE_INTEGER }, { clock: new SystemClock(), onError });
  const chainId = wholeOf('--chain-id', given.chainId);
  const number = wholeOf('--block', given.block);
  const blocks = () => cache.blocks({ chainId, number });
  const print = (text: string) => io.stdout.write(`${text}\n`);
  switch (action) {
    case 'list':
      list(blocks(), { dir, json: given.json ?? false, print });
      break;
    case 'export': {
      const found = blocks();
      if (found.length === 0) throw new Error(`fork-cache export: there is no such block in ${dir}`);
      print(`Exported ${told(await exportBlocks(cache, found, fileOf(action, file)))} to ${file}`);
      break;
    }
    case 'import':
      print(`Imported ${told(await importBlocks(cache, fileOf(action, file)))} to ${dir}`);
      break;
    case 'prune': {
      const isAll = given.all ?? (chainId !== undefined || number !== undefined);
      const removed = isAll ? blocks().filter((block) => cache.remove(block)) : cache.prune(limitOf(given));
      const freed = removed.reduce((sum, { size }) => sum + size, 0);
      print(`Removed ${plural(removed.length, 'block')}, ${inUnits(freed)}`);
      break;
    }
    default:
      throw new Error(`fork-cache: expected ${ACTIONS.join(', ')}, got '${action}'`);
  }
  await io.flush();
  return 0;
}

function list(
  blocks: readonly CachedFork[],
  { dir, json, print }: { dir: string; json: boolean; print: (text: string) => void },
): void {
  if (json) {
    for (const { chainId, number, hash, size, used } of blocks)
      print(
        JSON.stringify({
          chainId: `${chainId}`,
          number: `${number}`,
          hash,
          size,
          used: new Date(used).toISOString(),
        }),
      );
    return;
  }
  const total = blocks.reduce((sum, { size }) => sum + size, 0);
  print(`${dir}: ${plural(blocks.length, 'block')}, ${inUnits(total)}`);
  for (const { chainId, number, hash, size, used } of blocks)
    print(
      `chain ${chainId}  block ${number}  ${hash}  ${inUnits(size)}  last used ${new Date(used).toISOString()}`,
    );
}

function told({ blocks, entries }: Transferred): string {
  return `${plural(blocks, 'block')} with ${plural(entries, 'entry', 'entries')}`;
}

function fileOf(action: string, file: string | undefined): string {
  if (file === undefined) throw new Error(`fork-cache ${action}: expected a FILE, got none`);
  return file;
}

function wholeOf(flag: string, text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  if (!/^(\d+|0x[\da-f]+)$/i.test(text)) throw new Error(`${flag}: expected a whole number, got '${text}'`);
  return BigInt(text);
}

/** Returns the size limit in bytes. */
function limitOf({ forkCacheSize: text }: Given): number {
  if (text === undefined) return FORK.forkCacheSize.default;
  const limit = bytes.read(bytes.fromText!(text) as number);
  if (limit === undefined) throw new Error(`--fork-cache-size: expected ${bytes.expected}, got '${text}'`);
  return limit;
}

function inUnits(size: number): string {
  if (size < 1024) return `${size} B`;
  const power = Math.min(4, Math.floor(Math.log2(size) / 10));
  return `${(size / 1024 ** power).toFixed(1)} ${['KiB', 'MiB', 'GiB', 'TiB'][power - 1]}`;
}
