import type { CustomCrypto } from '@ethereumjs/common';
import { hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import {
  type BlobSchedule,
  type Hardfork,
  type HardforkName,
  type HardforkSchedule,
  hardforkOf,
} from './hardfork.ts';

/** Activated by block number, oldest first. */
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

/** Activated by timestamp, after the merge. */
export const BY_TIME: readonly (readonly [HardforkName, string])[] = [
  ['shanghai', 'shanghaiTime'],
  ['cancun', 'cancunTime'],
  ['prague', 'pragueTime'],
  ['osaka', 'osakaTime'],
  ['bpo1', 'bpo1Time'],
  ['bpo2', 'bpo2Time'],
];

/** Forks that go by the block's number or time. */
interface Step {
  readonly name: HardforkName;
  readonly from: bigint;
}

/**
 * The forks of a chain from the `config` of a geth genesis.json. A header with a difficulty stands before the merge,
 * as in geth; without one the merge's block decides, where `mergeNetsplitBlock` names it.
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
  // A chain that doesn't go along with it keeps its rules.
  const byNumber = steps(
    BY_NUMBER.filter(([name]) => name !== 'dao' || supportsDao),
    field,
  );
  // geth: Petersburg comes with Constantinople unless it says otherwise.
  if (field('petersburgBlock') === undefined) {
    const at = byNumber.findIndex(({ name }) => name === 'constantinople');
    if (at >= 0) byNumber.splice(at + 1, 0, { name: 'petersburg', from: byNumber[at]!.from });
  }
  const byTime = steps(BY_TIME, field);
  const netsplit = field('mergeNetsplitBlock');
  const total = field('terminalTotalDifficulty');
  const mergeBlock = netsplit ?? (total === 0n ? 0n : undefined);
  const merges = mergeBlock !== undefined || total !== undefined || byTime.length > 0;
  const blobs = blobSchedules(config.blobSchedule);
  const deposits = config.depositContractAddress;
  const forks = new Map<HardforkName, Hardfork>();
  const forkNamed = (name: HardforkName): Hardfork => {
    let hardfork = forks.get(name);
    if (!hardfork) {
      hardfork = hardforkOf(chainId, name, crypto, blobs.get(name));
      forks.set(name, hardfork);
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
      if (!merged) return forkNamed(byBlock);
      return forkNamed(active(byTime, timestamp) ?? 'paris');
    },
  };
}

function active(steps: readonly Step[], at: bigint): HardforkName | undefined {
  return steps.findLast(({ from }) => from <= at)?.name;
}

function steps(
  forks: readonly (readonly [HardforkName, string])[],
  field: (name: string) => bigint | undefined,
): Step[] {
  const found: Step[] = [];
  for (const [name, key] of forks) {
    const from = field(key);
    if (from === undefined) continue;
    const before = found.at(-1);
    if (before && before.from > from)
      throw new Error(`config.${key}: ${from} is before ${before.name}, which starts at ${before.from}`);
    found.push({ name, from });
  }
  return found;
}

/** A hardfork that would be passed over in silence makes another chain. */
function refuseUnknown(config: Readonly<Record<string, unknown>>): void {
  const known = new Set(BY_TIME.map(([, key]) => key));
  for (const [key, value] of Object.entries(config)) {
    if (key.endsWith('Time') && !known.has(key) && value !== null)
      throw new Error(`config.${key}: a hardfork that this node doesn't know`);
  }
}

function blobSchedules(json: unknown): Map<string, BlobSchedule> {
  const schedules = new Map<string, BlobSchedule>();
  if (json === undefined || json === null) return schedules;
  for (const [name, entry] of Object.entries(json as Record<string, Record<string, unknown>>)) {
    const at = `config.blobSchedule.${name}`;
    const [target, max, updateFraction] = ['target', 'max', 'baseFeeUpdateFraction'].map((key) => {
      const value = integerOf(entry?.[key], `${at}.${key}`);
      if (value === undefined) throw new Error(`${at}.${key}: missing`);
      return value;
    }) as [bigint, bigint, bigint];
    // The schedule counts blobs, the header counts their gas (EIP-4844: 2^17 a blob).
    schedules.set(name, { target: target << 17n, max: max << 17n, updateFraction });
  }
  // A hardfork without a schedule of its own keeps the one before it.
  for (const [name, before] of [
    ['osaka', 'prague'],
    ['bpo1', 'osaka'],
    ['bpo2', 'bpo1'],
  ] as const) {
    const inherited = schedules.get(before);
    if (!schedules.has(name) && inherited) schedules.set(name, inherited);
  }
  return schedules;
}

function addressOf(value: unknown): Uint8Array {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{40}$/i.test(value))
    throw new Error('config.depositContractAddress: not an address');
  return hexToBytes(value as PrefixedHexString);
}

/** JSON integers, decimal and hex strings; `null` counts as absent. */
function integerOf(value: unknown, at: string): bigint | undefined {
  if (value === undefined || value === null) return undefined;
  const isText = typeof value === 'string' && /^(0x[0-9a-f]+|\d+)$/i.test(value);
  // Total difficulties are written as JSON numbers beyond 2^53; their rounding doesn't matter here.
  if (!isText && !(Number.isInteger(value) && (value as number) >= 0))
    throw new Error(`${at}: not a whole number`);
  return BigInt(value as string | number);
}
