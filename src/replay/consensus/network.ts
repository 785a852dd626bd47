import type { CustomCrypto } from '@ethereumjs/common';
import { configOf } from '../../protocol/genesis-config.ts';
import { scheduleOf } from '../../protocol/genesis-schedule.ts';
import { HARDFORKS, type HardforkName, type HardforkSchedule } from '../../protocol/hardfork.ts';

/** Hardforks by their names in the Ethereum Foundation's tests. Most names begin with a capital letter, or are in capitals. */
const FORKS: Readonly<Record<string, HardforkName>> = {
  ...Object.fromEntries(
    HARDFORKS.map((name) => [
      name.startsWith('bpo') ? name.toUpperCase() : name[0]!.toUpperCase() + name.slice(1),
      name,
    ]),
  ),
  Frontier: 'chainstart',
  EIP150: 'tangerineWhistle',
  EIP158: 'spuriousDragon',
  ConstantinopleFix: 'petersburg',
  Merge: 'paris',
};

/** The rules of a test's chain. */
export interface Network {
  readonly schedule: HardforkSchedule;
  /** total difficulty at which proof of stake begins; `undefined` for never */
  readonly terminalDifficulty: bigint | undefined;
}

/** Options of a fixture in addition to the network's name. */
export interface NetworkOptions {
  readonly chainId: bigint;
  /** blob schedule (EIP-7840), in the format of geth's genesis.json */
  readonly blobSchedule?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The rules of a named network: one hardfork, or two with the point where the second begins, as in
 * `BerlinToLondonAt5`, `ParisToShanghaiAtTime15k` and `ArrowGlacierToMergeAtDiffC0000`.
 * @throws Error for an unknown hardfork
 */
export function networkOf(name: string, options: NetworkOptions, crypto: CustomCrypto): Network {
  const transition = /^(\w+?)To(\w+?)At(Time|Diff)?([0-9a-f]+)(k)?$/i.exec(name);
  const [, first = name, second, kind, digits = '', thousands] = transition ?? [];
  const at = Number.parseInt(digits, kind === 'Diff' ? 16 : 10) * (thousands ? 1000 : 1);
  const from = forkNamed(first, name);
  const to = second === undefined ? undefined : forkNamed(second, name);
  const config = configOf(options.chainId, from, to && kind !== 'Diff' ? { name: to, at } : undefined);
  if (kind === 'Diff') config.terminalTotalDifficulty = at;
  if (options.blobSchedule) config.blobSchedule = options.blobSchedule;
  const terminal = config.terminalTotalDifficulty as number | undefined;
  return {
    schedule: scheduleOf(config, crypto),
    terminalDifficulty: terminal === undefined ? undefined : BigInt(terminal),
  };
}

function forkNamed(name: string, network: string): HardforkName {
  const hardfork = FORKS[name];
  if (!hardfork) throw new Error(`the network ${network} isn't known`);
  return hardfork;
}
