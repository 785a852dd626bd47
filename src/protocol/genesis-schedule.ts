import type { CustomCrypto } from '@ethereumjs/common';
import { hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import {
  type BlobSchedule,
  HARDFORKS,
  type Hardfork,
  type HardforkName,
  type HardforkSchedule,
  hardforkOf,
  isSince,
} from './hardfork.ts';

/** Hardforks activated by block number, oldest first, with their field in a geth genesis.json. */
export const BY_NUMBER: readonly (readonly [HardforkName, string])[] = [
  ['homestead', 'homesteadBlock'],
  ['dao', 'daoForkBlock'],
  ['tangerineWhistle', 'eip150Block'],
  ['spuriousDragon', 'eip158Block'],
  ['byzantium', 'byzantiumBlock'],
  ['constantinople', 'constantinopleBlock'],
  ['petersburg', 'petersburgBlock'],
  ['istanbul', 'istanbulBlock'],
  ['muirGlacier', 'muirGlacierBlock'],
  ['berlin', 'berlinBlock'],
  ['london', 'londonBlock'],
  ['arrowGlacier', 'arrowGlacierBlock'],
  ['grayGlacier', 'grayGlacierBlock'],
];

/** Hardforks activated by timestamp, after the merge, with their field in a geth genesis.json. */
export const BY_TIME: readonly (readonly [HardforkName, string])[] = HARDFORKS.filter((name) =>
  isSince(name, 'shanghai'),
).map((name) => [name, `${name}Time`]);

/** A hardfork and the block number or timestamp from which it applies. */
interface Step {
  readonly name: HardforkName;
  readonly from: bigint;
}

/**
 * The hardfork schedule in the `config` of a geth genesis.json. As in geth, a header with a difficulty is before the merge. For a header
 * without one, `mergeNetsplitBlock` decides, if it is set.
 * @throws Error naming the field: not a number, out of order, or a hardfork that this node doesn't know
 */
export function scheduleOf(
  config: Readonly<Record<string, unknown>>,
  crypto: CustomCrypto,
): HardforkSchedule {
  const field = (name: string) => integerOf(config[name], `config.${name}`);
  const chainId = field('chainId');
  if (chainId === undefined) throw new Error('config.chainId: missing');
  refuseUnknown(config);
  const supportsDao = config.daoForkSupport === true;
  const daoBlock = field('daoForkBlock');
  // A chain that rejects the DAO fork keeps its previous rules.
  const byNumber = steps(
    BY_NUMBER.filter(([name]) => name !== 'dao' || supportsDao),
    field,
  );
  // As in geth: Petersburg activates with Constantinople unless the config names its block.
  if (field('petersburgBlock') === undefined) {
    const at = byNumber.findIndex(({ name }) => name === 'constantinople');
    if (at >= 0) byNumber.splice(at + 1, 0, { name: 'petersburg', from: byNumber[at]!.from });
  }
  const byTime = steps(BY_TIME, field);
  const netsplit = field('mergeNetsplitBlock');
  const total = field('terminalTotalDifficulty');
  const mergeBlock = netsplit ?? (total === 0n ? 0n : undefined);
  const merges = mergeBlock !== undefined || total !== undefined || byTime.length > 0;
  const blobs = blobSchedules(config.blobSchedule, byTime);
  const deposits = config.depositContractAddress;
  const hardforks = new Map<HardforkName, Hardfork>();
  const hardforkNamed = (name: HardforkName): Hardfork => {
    let hardfork = hardforks.get(name);
    if (!hardfork) {
      hardfork = hardforkOf(chainId, name, crypto, blobs.get(name));
      hardforks.set(name, hardfork);
    }
    return hardfork;
  };
  return {
    chainId,
    ...(deposits !== undefined && deposits !== null && { depositContract: addressOf(deposits) }),
    ...(mergeBlock !== undefined && { mergeBlock }),
    ...(daoBlock !== undefined && { daoFork: { block: daoBlock, supported: supportsDao } }),
    boundaries: {
      blocks: [
        ...new Set([...byNumber.map(({ from }) => from), ...(netsplit === undefined ? [] : [netsplit])]),
      ],
      times: [...new Set(byTime.map(({ from }) => from))],
    },
    at: (number, timestamp, difficulty = 0n) => {
      const merged = merges && difficulty === 0n && number >= (mergeBlock ?? 0n);
      const byBlock = active(byNumber, number) ?? 'chainstart';
      if (!merged) return hardforkNamed(byBlock);
      return hardforkNamed(active(byTime, timestamp) ?? 'paris');
    },
  };
}

function active(steps: readonly Step[], at: bigint): HardforkName | undefined {
  return steps.findLast(({ from }) => from <= at)?.name;
}

function steps(
  hardforks: readonly (readonly [HardforkName, string])[],
  field: (name: string) => bigint | undefined,
): Step[] {
  const activations: Step[] = [];
  for (const [name, key] of hardforks) {
    const from = field(key);
    if (from === undefined) continue;
    const before = activations.at(-1);
    if (before && before.from > from)
      throw new Error(`config.${key}: ${from} is before ${before.name}, which starts at ${before.from}`);
    activations.push({ name, from });
  }
  return activations;
}

/** Throws on unknown hardforks: ignoring one would result in a different chain. */
function refuseUnknown(config: Readonly<Record<string, unknown>>): void {
  const known = new Set(BY_TIME.map(([, key]) => key));
  for (const [key, value] of Object.entries(config)) {
    if (key.endsWith('Time') && !known.has(key) && value !== null)
      throw new Error(`config.${key}: a hardfork that this node doesn't know`);
  }
}

function blobSchedules(json: unknown, byTime: readonly Step[]): Map<string, BlobSchedule> {
  const schedules = new Map<string, BlobSchedule>();
  if (json === undefined || json === null) return schedules;
  for (const [name, entry] of Object.entries(json as Record<string, Record<string, unknown>>)) {
    const at = `config.blobSchedule.${name}`;
    const [target, max, updateFraction] = ['target', 'max', 'baseFeeUpdateFraction'].map((key) => {
      const value = integerOf(entry?.[key], `${at}.${key}`);
      if (value === undefined) throw new Error(`${at}.${key}: missing`);
      return value;
    }) as [bigint, bigint, bigint];
    // The config counts blobs, the header counts blob gas (EIP-4844: 2^17 per blob).
    schedules.set(name, { target: target << 17n, max: max << 17n, updateFraction });
  }
  // Since Osaka a hardfork without a blob schedule of its own uses that of the preceding hardfork on this chain (EIP-7892).
  let before: BlobSchedule | undefined;
  for (const { name } of byTime) {
    if (!schedules.has(name) && before && isSince(name, 'osaka')) schedules.set(name, before);
    before = schedules.get(name) ?? before;
  }
  return schedules;
}

function addressOf(value: unknown): Uint8Array {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{40}$/i.test(value))
    throw new Error('config.depositContractAddress: not an address');
  return hexToBytes(value as PrefixedHexString);
}

/** Reads JSON integers, decimal and hex strings; `null` counts as absent. */
function integerOf(value: unknown, at: string): bigint | undefined {
  if (value === undefined || value === null) return undefined;
  const isText = typeof value === 'string' && /^(0x[0-9a-f]+|\d+)$/i.test(value);
  // Total difficulties are written as JSON numbers above 2^53; the parser's rounding doesn't matter here.
  if (!isText && !(Number.isInteger(value) && (value as number) >= 0))
    throw new Error(`${at}: not a whole number`);
  return BigInt(value as string | number);
}
