import { type Address, concatBytes, utf8ToBytes } from '@ethereumjs/util';
import type { Header } from '../chain/block.ts';
import type { BlockPlan } from '../chain/block-draft.ts';
import { DevnetError } from '../errors.ts';
import { integerOf, integerWord } from '../state/integers.ts';
import { keccak256 } from '../state/keccak.ts';
import { type ChainTime, checkTime } from './chain-time.ts';
import type { Timing } from './mining/mode.ts';

/** What every block gets until changed. */
export interface BlockSettings {
  readonly coinbase: Address;
  /** gas */
  readonly gasLimit: bigint;
  readonly extraData: Uint8Array;
}

/** What only the next block gets. */
export interface NextBlock {
  /** seconds */
  readonly timestamp?: bigint;
  /** wei per gas */
  readonly baseFeePerGas?: bigint;
  readonly prevRandao?: Uint8Array;
}

/** Time and settings at one moment. */
export interface SettingsRecord {
  readonly every: BlockSettings;
  readonly interval: bigint | undefined;
  readonly open: NextBlock;
  readonly next: NextBlock;
  /** chain time, milliseconds */
  readonly now: number;
}

/** The seed's text as bytes; block 0 and all prevRandaos derive from it. */
export function seedOf(text: string): Uint8Array {
  return utf8ToBytes(text);
}

/** Decides the header fields of the blocks to come. */
export class Settings {
  readonly #seed: Uint8Array;
  readonly #time: ChainTime;
  #every: BlockSettings;
  /** of the block that is open */
  #open: NextBlock = {};
  /** of the block after it */
  #next: NextBlock = {};
  /** the block that was opened last: its timestamp, seconds, and when it is to be sealed, milliseconds on the clock */
  #opened: { readonly timestamp: bigint; readonly sealAt: number } | undefined;
  /** seconds from block to block, instead of chain time */
  #interval: bigint | undefined;
  #version = 0;
  #randao: { readonly number: bigint; readonly value: Uint8Array } | undefined;

  /** @param options.seed prevRandao derives from it, so that every machine and run has the same (SPEC 7) */
  constructor(options: { seed: Uint8Array; every: BlockSettings }, deps: { time: ChainTime }) {
    this.#seed = options.seed;
    this.#every = options.every;
    this.#time = deps.time;
  }

  get every(): BlockSettings {
    return this.#every;
  }

  /** Counts the changes. */
  get version(): number {
    return this.#version;
  }

  change(every: Partial<BlockSettings>): void {
    this.#every = { ...this.#every, ...every };
    this.#version++;
  }

  /** Every block comes this many seconds after its parent; `undefined` goes back to chain time. */
  setTimestampInterval(seconds: bigint | undefined): void {
    this.#interval = seconds;
    this.#version++;
  }

  /** Moves chain time. */
  moveTime(move: (time: ChainTime) => void): void {
    move(this.#time);
    this.#version++;
  }

  get time(): ChainTime {
    return this.#time;
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
   * Puts back what was recorded, for the block that was open then to be opened again. Chain time goes on from the
   * moment of the record. What was set for the block after it comes with {@link defer}.
   */
  restore(record: SettingsRecord): void {
    this.#every = record.every;
    this.#interval = record.interval;
    this.#open = record.open;
    this.#next = {};
    this.#time.setAt(record.now);
    this.#version++;
  }

  /** Sets what is for the block after the open one, unchecked. */
  defer(next: NextBlock): void {
    this.#next = next;
    this.#version++;
  }

  /** @throws DevnetError -32602 for a timestamp that a child of `parent` may not carry, or that is out of reach */
  setNext(next: NextBlock, parent: Header): void {
    const earliest = this.#time.earliest(parent.timestamp);
    if (next.timestamp !== undefined) {
      if (next.timestamp < earliest)
        throw new DevnetError('timestampTooLow', { timestamp: next.timestamp, earliest });
      checkTime(next.timestamp);
    }
    this.#next = { ...this.#next, ...next };
    this.#version++;
  }

  /** The rhythm of the block after `parent`, its length drawn where the mode has a range. */
  timing(mode: Timing, parent: Header): Timing {
    const { blockTime, longestBlockTime, flashblockInterval } = mode;
    if (longestBlockTime === undefined) return mode;
    const choices = longestBlockTime - blockTime + 1;
    return { blockTime: blockTime + drawOf(this.#seed, parent.number + 1n, choices), flashblockInterval };
  }

  /** @param sealAt when the block is to be sealed, milliseconds on the clock */
  plan(parent: Header, sealAt: number): BlockPlan {
    const next = { ...this.#open, ...this.#next };
    return {
      ...this.#every,
      timestamp: next.timestamp ?? this.#timestampAt(sealAt, parent),
      prevRandao: next.prevRandao ?? this.#prevRandaoOf(parent.number + 1n),
      ...(next.baseFeePerGas !== undefined && { baseFeePerGas: next.baseFeePerGas }),
    };
  }

  /** Plans are made several times for each block. */
  #prevRandaoOf(number: bigint): Uint8Array {
    if (this.#randao?.number !== number) this.#randao = { number, value: prevRandaoOf(this.#seed, number) };
    return this.#randao.value;
  }

  #timestampAt(sealAt: number, parent: Header): bigint {
    if (this.#interval === undefined) return this.#time.timestampAt(sealAt, parent.timestamp);
    const after = parent.timestamp + this.#interval;
    const earliest = this.#time.earliest(parent.timestamp);
    return after > earliest ? after : earliest;
  }

  /**
   * The next block was opened with what is set: what comes from now on is for the one after, or for opening it anew.
   * @param timestamp the block's, seconds
   * @param sealAt as it was planned with, milliseconds on the clock
   */
  assignNextToOpenBlock(timestamp: bigint, sealAt: number): void {
    this.#open = { ...this.#open, ...this.#next };
    this.#next = {};
    this.#opened = { timestamp, sealAt };
  }

  /** What is to be stored with the block that was opened last: chain time's offset once it is sealed, milliseconds. */
  get sealedTimeOffset(): number {
    const { timestamp } = this.#open;
    if (timestamp !== undefined) return this.#time.offsetFor(Number(timestamp) * 1000);
    return this.#opened
      ? this.#time.offsetReaching(this.#opened.timestamp, this.#opened.sealAt)
      : this.#time.offset;
  }

  /** The block opened last is sealed: chain time flows on from a timestamp that was set for it, and isn't behind it. */
  onSealed(): void {
    this.#time.offset = this.sealedTimeOffset;
    this.#open = {};
    this.#version++;
  }
}

/** prevRandao of a block, when nobody set it. */
export function prevRandaoOf(seed: Uint8Array, number: bigint): Uint8Array {
  return keccak256(concatBytes(seed, integerWord(number)));
}

/** One of so many choices for a block; hashed once more than its prevRandao, which shows on the chain. */
function drawOf(seed: Uint8Array, number: bigint, choices: number): number {
  return Number(integerOf(keccak256(prevRandaoOf(seed, number))) % BigInt(choices));
}
