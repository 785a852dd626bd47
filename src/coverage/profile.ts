import type { CodeCounts, CountedFrame, RunCounts } from '../engine/run-counts.ts';
import { keccak256 } from '../state/keccak.ts';

/** The counts of one code. The lists have an entry for each byte of the code, and one for the implicit STOP after it. */
export interface CodeProfile {
  readonly code: Uint8Array;
  readonly isCreation: boolean;
  /** number of times that the opcode ran, in transactions and calls */
  readonly runs: Float64Array;
  /** gas that the opcode used in transactions */
  readonly gas: Float64Array;
}

/** Calls of one function, or creations of one contract. */
export interface FunctionProfile {
  /** key of the code; `undefined` for a transaction that runs no code */
  readonly code: string | undefined;
  readonly isCreation: boolean;
  /** 8 hex digits; `undefined` for a creation, and for a call without a selector */
  readonly selector: string | undefined;
  readonly hasInput: boolean;
  /** true if transactions call it, false if contracts do */
  readonly isOutermost: boolean;
  /** number of frames that ended well, in transactions and in `eth_call`s */
  succeeded: number;
  /** number of frames that failed in transactions */
  failed: number;
  /** number of calls in transactions by gas used: of a transaction its whole gas, of a call by a contract the gas of its frame */
  readonly gas: Map<number, number>;
}

/** A node of the tree of calls. It sums up all frames with the same callers, code and function. */
export interface CallNode {
  readonly code: string | undefined;
  readonly isCreation: boolean;
  readonly selector: string | undefined;
  readonly hasInput: boolean;
  count: number;
  /** gas without the frames that it called */
  gas: number;
  readonly calls: Map<string, CallNode>;
}

/** The gas of transactions, and its parts outside of opcodes. */
export interface GasTotals {
  transactions: number;
  /** total by the receipts: the sum of the following fields and of the gas of all opcodes */
  gasUsed: number;
  /** intrinsic gas, charged before the first opcode */
  intrinsic: number;
  /** the floor for call data (EIP-7623), precompiles that transactions call directly, and delegations (EIP-7702) */
  outside: number;
  /** refunds, as a negative number */
  refunds: number;
  /** gas of codes beyond the limit of counted codes */
  uncounted: number;
}

/** Gas and status of a counted transaction. */
export interface CountedTransaction {
  readonly gasUsed: number;
  readonly gasBeforeRefund: number;
  readonly intrinsic: number;
  readonly failed: boolean;
}

const NO_GAS: GasTotals = {
  transactions: 0,
  gasUsed: 0,
  intrinsic: 0,
  outside: 0,
  refunds: 0,
  uncounted: 0,
};
const EMPTY_NODE = { code: undefined, isCreation: false, selector: undefined, hasInput: false };

/** The executed code and its gas, of one node or merged from several. */
export class Profile {
  readonly totals: GasTotals = { ...NO_GAS };
  /** number of `eth_call`s and estimates */
  calls = 0;
  /** number of transactions that couldn't be counted, and the reason of the first one */
  missed = 0;
  missedReason: string | undefined;
  /** by hash: 64 hex digits; init code is hashed without the constructor's arguments, if they can be recognised */
  readonly codes = new Map<string, CodeProfile>();
  readonly functions = new Map<string, FunctionProfile>();
  readonly root: CallNode = { ...EMPTY_NODE, count: 0, gas: 0, calls: new Map() };

  addTransaction(
    counts: RunCounts,
    { gasUsed, gasBeforeRefund, intrinsic, failed }: CountedTransaction,
  ): void {
    const keys = this.#addCodes(counts, true);
    const outermost = counts.frames.at(-1);
    const ran = outermost?.gas ?? 0;
    const counted = counts.codes.reduce((sum, { gas }) => gas.reduce((all, each) => all + each, sum), 0);
    const { totals } = this;
    totals.transactions++;
    totals.gasUsed += gasUsed;
    totals.intrinsic += intrinsic;
    totals.outside += gasBeforeRefund - ran - intrinsic;
    totals.refunds += gasUsed - gasBeforeRefund;
    totals.uncounted += ran - counted;
    for (const frame of counts.frames) {
      const isOutermost = frame.depth === 0;
      const { failed } = frame;
      const gas = new Map([[isOutermost ? gasUsed : frame.gas, 1]]);
      this.#addFrame(frame, keys, { isOutermost, failed: Number(failed), gas });
    }
    if (!outermost) {
      const ended = { succeeded: Number(!failed), failed: Number(failed) };
      this.#addFunction({ ...EMPTY_NODE, isOutermost: true, ...ended, gas: new Map([[gasUsed, 1]]) });
    }
    this.#addTree(counts.frames, keys);
  }

  /** Adds an `eth_call` or an estimate: its runs count, its gas doesn't. */
  addCall(counts: RunCounts): void {
    this.calls++;
    const keys = this.#addCodes(counts, false);
    for (const frame of counts.frames)
      this.#addFrame(frame, keys, { isOutermost: frame.depth === 0, failed: 0, gas: new Map() });
  }

  miss(count: number, reason: string | undefined): void {
    this.missed += count;
    this.missedReason ??= reason;
  }

  merge(other: Profile): void {
    this.miss(other.missed, other.missedReason);
    for (const name of Object.keys(NO_GAS) as (keyof GasTotals)[]) this.totals[name] += other.totals[name];
    this.calls += other.calls;
    for (const [key, { code, isCreation, runs, gas }] of other.codes) {
      const own = this.#codeAt(key, code, isCreation);
      for (let pc = 0; pc < Math.min(runs.length, own.runs.length); pc++) {
        own.runs[pc]! += runs[pc]!;
        own.gas[pc]! += gas[pc]!;
      }
    }
    for (const each of other.functions.values()) this.#addFunction(each);
    mergeNodes(this.root, other.root);
  }

  #addCodes({ codes }: RunCounts, withGas: boolean): ReadonlyMap<CodeCounts, string> {
    const keys = new Map<CodeCounts, string>();
    for (const counts of codes) {
      const { hash, pcs, runs, gas } = counts;
      const isCreation = hash === undefined;
      const code = isCreation ? withoutArguments(counts.code) : counts.code;
      const key = hash ?? hashOf(code);
      keys.set(counts, key);
      const own = this.#codeAt(key, code, isCreation);
      // If the bytes that were cut off aren't arguments, opcodes among them may have run: they are added to the last entry.
      const last = own.runs.length - 1;
      for (let i = 0; i < pcs.length; i++) {
        const pc = Math.min(pcs[i]!, last);
        own.runs[pc]! += runs[i]!;
        if (withGas) own.gas[pc]! += gas[i]!;
      }
    }
    return keys;
  }

  #codeAt(key: string, code: Uint8Array, isCreation: boolean): CodeProfile {
    let own = this.codes.get(key);
    if (!own) {
      const length = code.length + 1;
      own = {
        code: new Uint8Array(code),
        isCreation,
        runs: new Float64Array(length),
        gas: new Float64Array(length),
      };
      this.codes.set(key, own);
    }
    return own;
  }

  #addFrame(
    { code, isCreation, selector, hasInput, failed }: CountedFrame,
    keys: ReadonlyMap<CodeCounts, string>,
    counted: Pick<FunctionProfile, 'isOutermost' | 'failed' | 'gas'>,
  ): void {
    const called = { code: code && keys.get(code), isCreation, selector, hasInput };
    this.#addFunction({ ...called, succeeded: Number(!failed), ...counted });
  }

  #addFunction(added: FunctionProfile): void {
    const key = `${added.isOutermost}:${nodeKey(added)}`;
    const known = this.functions.get(key);
    if (!known) {
      this.functions.set(key, { ...added, gas: new Map(added.gas) });
      return;
    }
    known.succeeded += added.succeeded;
    known.failed += added.failed;
    for (const [gas, count] of added.gas) known.gas.set(gas, (known.gas.get(gas) ?? 0) + count);
  }

  #addTree(frames: readonly CountedFrame[], keys: ReadonlyMap<CodeCounts, string>): void {
    const open: CallNode[] = [this.root];
    // Callers come after the frames that they called.
    for (let i = frames.length - 1; i >= 0; i--) {
      const { code, isCreation, selector, hasInput, depth, gas } = frames[i]!;
      const parent = open[Math.min(depth, open.length - 1)]!;
      const node = childOf(parent, { code: code && keys.get(code), isCreation, selector, hasInput });
      node.count++;
      node.gas += gas;
      if (parent !== this.root) parent.gas -= gas;
      open.length = Math.min(depth, open.length - 1) + 1;
      open.push(node);
    }
  }
}

function childOf(parent: CallNode, called: Omit<CallNode, 'count' | 'gas' | 'calls'>): CallNode {
  const key = nodeKey(called);
  let node = parent.calls.get(key);
  if (!node) {
    node = { ...called, count: 0, gas: 0, calls: new Map() };
    parent.calls.set(key, node);
  }
  return node;
}

function mergeNodes(into: CallNode, from: CallNode): void {
  for (const { calls, count, gas, ...called } of from.calls.values()) {
    const node = childOf(into, called);
    node.count += count;
    node.gas += gas;
    mergeNodes(node, { ...called, count, gas, calls });
  }
}

function nodeKey({
  code,
  isCreation,
  selector,
  hasInput,
}: Omit<CallNode, 'count' | 'gas' | 'calls'>): string {
  return `${code}:${isCreation}:${selector}:${hasInput}`;
}

/** The end of the metadata that solc appends to code: the key `solc` in CBOR, followed by the version and the metadata's length. */
const METADATA_END = Buffer.from('64736f6c6343', 'hex');
const METADATA_REST = 5;

/** Init code without the constructor's arguments, which follow solc's metadata, if there is metadata. */
function withoutArguments(code: Uint8Array): Uint8Array {
  const at = Buffer.from(code.buffer, code.byteOffset, code.length).lastIndexOf(METADATA_END);
  const end = at + METADATA_END.length + METADATA_REST;
  return at < 0 || end > code.length ? code : code.subarray(0, end);
}

function hashOf(code: Uint8Array): string {
  return Buffer.from(keccak256(code)).toString('hex');
}
