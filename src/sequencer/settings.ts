import { type Address, utf8ToBytes } from '@ethereumjs/util';
import type { Header } from '../chain/block.ts';
import type { BlockPlan } from '../chain/block-draft.ts';
import { prevRandaoOf } from '../chain/prev-randao.ts';
import { DevnetError } from '../errors.ts';
import type { Hardfork } from '../protocol/hardfork.ts';
import { integerOf } from '../state/integers.ts';
import { keccak256 } from '../state/keccak.ts';
import { type ChainTime, checkTime } from './chain-time.ts';
import type { Timing } from './mining/mode.ts';

/** Settings of all blocks, until changed. */
export interface BlockSettings {
  readonly coinbase: Address;
  /** gas */
  readonly gasLimit: bigint;
  readonly extraData: Uint8Array;
}

/** Settings of the next block only. */
export interface NextSettings {
  /** seconds */
  readonly timestamp?: bigint;
  /** wei per gas */
  readonly baseFeePerGas?: bigint;
  readonly prevRandao?: Uint8Array;
}

/** @throws DevnetError -32602 for a setting that a block of this hardfork has no field for */
export function checkFields(next: NextSettings, hardfork: Hardfork): void {
  if (next.baseFeePerGas !== undefined && !hardfork.has(1559))
    throw new DevnetError('noBaseFee', { hardfork: hardfork.name });
  if (next.prevRandao !== undefined && !hardfork.atLeast('paris'))
    throw new DevnetError('noPrevRandao', { hardfork: hardfork.name });
}

const NOTHING: NextSettings = {};
/** How many blocks' prevRandao values are computed at a time. */
const RANDAOS = 32;

/** Chain time and settings at one moment. */
export interface SettingsRecord {
  readonly every: BlockSettings;
  /** seconds from each block to the next, if set */
  readonly interval: bigint | undefined;
  /** set for the open block */
  readonly open: NextSettings;
  /** set for the block after the open one */
  readonly next: NextSettings;
  /** chain time, milliseconds */
  readonly now: number;
}

/** The seed's text as bytes; block 0 and the prevRandao of every block derive from it. */
export function seedOf(text: string): Uint8Array {
  return utf8ToBytes(text);
}

/** Decides the header fields of the blocks to come. */
export class Settings {
  readonly #seed: Uint8Array;
  readonly #time: ChainTime;
  #every: BlockSettings;
  /** for the open block */
  #open = NOTHING;
  /** for the block after it */
  #next = NOTHING;
  /** the block that was opened last: its timestamp, seconds, and when it is to be sealed, milliseconds on the clock */
  #opened: { readonly timestamp: bigint; readonly sealAt: number } | undefined;
  /** seconds from each block to the next; timestamps then don't follow chain time */
  #interval: bigint | undefined;
  #version = 0;
  /** cached prevRandao values of consecutive blocks, derived from the seed */
  #randaos: { readonly first: bigint; readonly values: readonly Uint8Array[] } = { first: 0n, values: [] };

  /** @param options.seed prevRandao derives from it, so that it is the same on every machine and in every run */
  constructor(options: { seed: Uint8Array; every: BlockSettings }, deps: { time: ChainTime }) {
    this.#seed = options.seed;
    this.#every = options.every;
    this.#time = deps.time;
  }

  get every(): BlockSettings {
    return this.#every;
  }

  /** The prevRandao of every block derives from it, unless it is set. */
  get seed(): Uint8Array {
    return this.#seed;
  }

  /** Whether something is set for one of the next two blocks only. */
  get isSetForOne(): boolean {
    return this.#open !== NOTHING || this.#next !== NOTHING;
  }

  /** Settings of the block after the open one; if no block is open, of the next block. */
  get next(): NextSettings {
    return this.#next;
  }

  /** Grows with every change. */
  get version(): number {
    return this.#version;
  }

  change(every: Partial<BlockSettings>): void {
    this.#every = { ...this.#every, ...every };
    this.#version++;
  }

  /** Dates every block this many seconds after its parent; with `undefined` timestamps follow chain time again. */
  setTimestampInterval(seconds: bigint | undefined): void {
    this.#interval = seconds;
    this.#version++;
  }

  /** Seconds from each block to the next, if that was set. */
  get interval(): bigint | undefined {
    return this.#interval;
  }

  /**
   * The timestamp `seconds` after the current chain time, or after the parent's timestamp if that is later; `undefined` if the next
   * block's timestamp was set.
   */
  timestampIn(seconds: bigint, parent: Header): bigint | undefined {
    if ((this.#next.timestamp ?? this.#open.timestamp) !== undefined) return undefined;
    const now = BigInt(Math.floor(this.#time.now() / 1000));
    return (now > parent.timestamp ? now : parent.timestamp) + seconds;
  }

  /** Changes chain time. */
  moveTime(move: (time: ChainTime) => void): void {
    move(this.#time);
    this.#version++;
  }

  get time(): ChainTime {
    return this.#time;
  }

  /** @returns a function that restores the current settings, including chain time */
  keep(): () => void {
    const every = this.#every;
    const interval = this.#interval;
    const open = this.#open;
    const next = this.#next;
    const opened = this.#opened;
    const { offset } = this.#time;
    return () => {
      this.#every = every;
      this.#interval = interval;
      this.#open = open;
      this.#next = next;
      this.#opened = opened;
      this.#time.offset = offset;
      this.#version++;
    };
  }

  record(): SettingsRecord {
    return {
      every: this.#every,
      interval: this.#interval,
      open: this.#open,
      next: this.#next,
      now: this.#time.now(),
    };
  }

  /**
   * Restores a record, before its open block is opened again. Chain time continues from the time in the record. The caller
   * restores the settings of the block after the open one later, with {@link defer}.
   */
  restore(record: SettingsRecord): void {
    this.#every = record.every;
    this.#interval = record.interval;
    this.#open = record.open;
    this.#next = NOTHING;
    this.#time.setAt(record.now);
    this.#version++;
  }

  /** Restores the settings of the block after the open one, without checks. */
  defer(next: NextSettings): void {
    this.#next = next;
    this.#version++;
  }

  /** @throws DevnetError -32602 for a timestamp that a child of `parent` may not have, or that is too high */
  setNext(next: NextSettings, parent: Header): void {
    const earliest = this.#time.earliest(parent.timestamp);
    if (next.timestamp !== undefined) {
      if (next.timestamp < earliest)
        throw new DevnetError('timestampTooLow', { timestamp: next.timestamp, earliest });
      checkTime(next.timestamp);
    }
    this.#next = { ...this.#next, ...next };
    this.#version++;
  }

  /** The timing of the block after `parent`. If the mode has a range of block times, one is drawn from the seed. */
  timing(mode: Timing, parent: Header): Timing {
    const { blockTime, longestBlockTime, flashblockInterval } = mode;
    if (longestBlockTime === undefined) return mode;
    const choices = longestBlockTime - blockTime + 1;
    return { blockTime: blockTime + drawOf(this.#seed, parent.number + 1n, choices), flashblockInterval };
  }

  /** @param sealAt when the block is to be sealed, milliseconds on the clock */
  plan(parent: Header, sealAt: number): BlockPlan {
    const { coinbase, gasLimit, extraData } = this.#every;
    const open = this.#open;
    const next = this.#next;
    const baseFeePerGas = next.baseFeePerGas ?? open.baseFeePerGas;
    const plan: { -readonly [K in keyof BlockPlan]: BlockPlan[K] } = {
      coinbase,
      gasLimit,
      extraData,
      timestamp: this.timestampAfter(parent, sealAt),
      prevRandao: next.prevRandao ?? open.prevRandao ?? this.#prevRandaoOf(parent.number + 1n),
    };
    if (baseFeePerGas !== undefined) plan.baseFeePerGas = baseFeePerGas;
    return plan;
  }

  /** The timestamp of {@link plan}, seconds. */
  timestampAfter(parent: Header, sealAt: number): bigint {
    return this.#next.timestamp ?? this.#open.timestamp ?? this.#timestampAt(sealAt, parent);
  }

  /** Cached, because each block is planned several times. Computed in batches: a single value takes ten times as long as one in a batch. */
  #prevRandaoOf(number: bigint): Uint8Array {
    let { first, values } = this.#randaos;
    if (number < first || number >= first + BigInt(values.length)) {
      first = number;
      values = Array.from({ length: RANDAOS }, (_, i) => prevRandaoOf(this.#seed, first + BigInt(i)));
      this.#randaos = { first, values };
    }
    return values[Number(number - first)]!;
  }

  #timestampAt(sealAt: number, parent: Header): bigint {
    if (this.#interval === undefined) return this.#time.timestampAt(sealAt, parent.timestamp);
    const after = parent.timestamp + this.#interval;
    const earliest = this.#time.earliest(parent.timestamp);
    return after > earliest ? after : earliest;
  }

  /**
   * Must be called when the next block was opened: its settings become those of the open block, and are used
   * again if it is reopened. Later settings are for the block after it.
   * @param timestamp the block's timestamp, seconds
   * @param sealAt when it is to be sealed, as in its plan, milliseconds on the clock
   */
  assignNextToOpenBlock(timestamp: bigint, sealAt: number): void {
    if (this.#next !== NOTHING) this.#open = { ...this.#open, ...this.#next };
    this.#next = NOTHING;
    this.#opened = { timestamp, sealAt };
  }

  /** Offset of chain time, in milliseconds, once the most recently opened block is sealed; stored with that block. */
  get sealedTimeOffset(): number {
    const { timestamp } = this.#open;
    if (timestamp !== undefined) return this.#time.offsetFor(Number(timestamp) * 1000);
    return this.#opened
      ? this.#time.offsetReaching(this.#opened.timestamp, this.#opened.sealAt)
      : this.#time.offset;
  }

  /**
   * Must be called when the most recently opened block was sealed. Chain time is then at least the block's timestamp, and
   * exactly that if the timestamp was set.
   */
  onSealed(): void {
    this.#time.offset = this.sealedTimeOffset;
    this.#open = NOTHING;
    this.#version++;
  }
}

/** Draws a number from 0 to `choices` - 1 for a block, from a hash of its prevRandao: the header shows prevRandao itself. */
function drawOf(seed: Uint8Array, number: bigint, choices: number): number {
  return Number(integerOf(keccak256(prevRandaoOf(seed, number))) % BigInt(choices));
}
