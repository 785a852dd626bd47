import { Address } from '@ethereumjs/util';
import { BAD_SIGNATURE } from '../../core/memory/faults.ts';
import * as halts from '../../core/memory/halts.ts';
import * as at from '../../core/memory/layout.ts';
import * as entry from '../../core/state/entries.ts';
import { type ConsoleLine, decodeConsoleLog } from '../../protocol/console-log.ts';
import { numberOf } from '../../protocol/op-stack/rollup-precompiles.ts';
import { SYSTEM_ADDRESS, SYSTEM_CONTRACTS } from '../../protocol/system-contracts.ts';
import { TRANSFER_ADDRESS } from '../../protocol/transfer-logs.ts';
import type { AccessList, BlockEnv, CountedGas, GasDimensions, Message } from '../../protocol/types.ts';
import { EMPTY_ROOT } from '../../state/account.ts';
import type { EncodedEntries } from '../../state/encoded-entries.ts';
import { STORAGE_ONLY } from '../../state/forked-state.ts';
import { encodeItems } from '../../state/rlp-items.ts';
import type { Precompiles } from '../engine.ts';
import type { FailedEstimate } from '../estimate.ts';
import { haltReason } from '../halt-reason.ts';
import type { Core, CoreInstance, CoreListener } from './core.ts';
import { giveBackCore, takeCore } from './core-pool.ts';
import { faultName } from './faults.ts';
import { haltName } from './halts.ts';
import { LinearMemory } from './linear-memory.ts';
import type { ExecutorRules } from './rules.ts';
import { awaited, finishNow, type Run, Unfinished } from './run.ts';
import { loadNode, takeChangedNodes } from './tries.ts';
import type {
  AccountFields,
  AncestorHashOf,
  Execution,
  ExecutorDeps,
  ExecutorLog,
  ExecutorOptions,
  Refusal,
  StartFields,
} from './types.ts';

/** Gas after which a run pauses: 0.1 ms, up to 4 ms for hashes. Then other work may run, and V8 may switch to optimized code. */
const SLICE = 100_000n;
/** The core counts gas in signed numbers of 64 bits. No run uses that much. */
const MAX_GAS = 2n ** 63n - 1n;
/** A run pauses after it has stopped this often for state or precompiles: less than a millisecond, except for pairings. */
const STOPS_A_SLICE = 16;
/** An executor with more bytes than this after a run isn't kept, unless it had almost as many before. */
const MAX_KEPT = 8 * 2 ** 20;
/** How many bytes it may have grown by in that case. */
const MAX_GROWTH = 2 ** 20;
/** Rules that don't apply to a message: bits, see src/core/memory/layout.ts. */
export const EXEMPT = {
  nonce: at.ANY_NONCE,
  fees: at.ANY_FEES,
  baseFee: at.ANY_BASE_FEE,
  sender: at.ANY_SENDER,
  gasCap: at.ANY_GAS,
  block: at.OUTSIDE_BLOCK,
  receipt: at.GETS_RECEIPT,
  system: at.SYSTEM,
  transferLogs: at.TRANSFER_LOGS,
} as const;
const SYSTEM_GAS = 30_000_000n;
const WORD = 32;
const NO_BYTES = new Uint8Array(0);
const ZERO_NONCE = new Uint8Array(8);
const NO_LOGS: readonly never[] = [];

/** The least gas limit, or why there is none. */
export type EstimateInCore = bigint | FailedEstimate | Refusal;

/**
 * Executes transactions and calls on state in the linear memory of one WebAssembly instance, of every hardfork. One run at a time: while
 * one waits for state, no other may begin.
 */
export class Executor {
  readonly isForOneRun: boolean;
  /** whether a listener can watch each step of its runs */
  readonly tellsSteps: boolean;
  /** whether it counts all that it runs, where no listener watches the steps */
  readonly #counts: boolean;
  readonly #instance: CoreInstance;
  readonly core: Core;
  readonly memory: LinearMemory;
  readonly #deps: ExecutorDeps;
  #rules: ExecutorRules | undefined;
  #holdsDifferences = false;
  #moved: Precompiles | undefined;
  /** where in the memory precompiles are marked */
  #places: readonly number[] = [];
  #blockHash: AncestorHashOf = () => undefined;
  #env: BlockEnv | undefined;
  #chainId: bigint;
  #printed: ConsoleLine[] = [];
  /** why the last precompile failed */
  #precompileError: string | undefined;

  constructor(
    { chainId, isForOneRun = false, tellsSteps = false, counts = false }: ExecutorOptions,
    deps: ExecutorDeps,
  ) {
    this.#deps = deps;
    this.#chainId = chainId;
    this.isForOneRun = isForOneRun;
    this.tellsSteps = tellsSteps || counts;
    this.#counts = counts;
    this.#instance = takeCore(isForOneRun, this.tellsSteps);
    this.core = this.#instance.core;
    this.memory = new LinearMemory(this.core.memory);
    this.memory.setU64(at.RULES_CHAIN_ID, chainId);
    this.memory.setU32(at.RULES_LAZY, deps.source ? 1 : 0);
    for (const [i, { address, codeHash }] of SYSTEM_CONTRACTS.entries()) {
      const row = at.SYSTEM_CONTRACTS + i * at.SYSTEM_CONTRACT_SIZE;
      this.memory.setWordBytes(row, address.bytes);
      this.memory.write(row + WORD, codeHash);
    }
    this.stopListening();
  }

  /** The rules of all runs from now on. */
  useRules(rules: ExecutorRules): void {
    if (this.#rules === rules) return;
    const { memory } = this;
    this.#placePrecompiles(rules, undefined);
    memory.write(at.OPCODE_ROWS, new Uint8Array(rules.opcodes.buffer));
    memory.write(at.RULE_NUMBERS, new Uint8Array(rules.numbers.buffer));
    memory.setU32(at.RULES_MAX_CODE, rules.maxCodeSize);
    memory.setU32(at.RULES_MAX_BLOBS, rules.maxBlobsPerTransaction);
    memory.setU64(at.RULES_MAX_BLOCK_BLOB_GAS, rules.maxBlobGas);
    this.#rules = rules;
    this.#env = undefined;
  }

  /** Moves the precompiles, as eth_simulateV1 can. @param moved where they are from now on; absent: where the hardfork has them */
  movePrecompiles(moved: Precompiles | undefined): void {
    if (moved !== this.#moved) this.#placePrecompiles(this.rules, moved);
  }

  #placePrecompiles({ precompiles }: ExecutorRules, moved: Precompiles | undefined): void {
    const { memory } = this;
    for (const place of this.#places) memory.setU32(place, 0);
    const places = new Map<number, number>();
    const place = (address: bigint, number: number) => {
      const at = this.account(address) + entry.PRECOMPILE;
      places.set(at, (places.get(at) ?? 0) | number);
    };
    for (const number of precompiles.numbers)
      place(BigInt(number), moved ? entry.PRECOMPILE_PLACE : entry.PRECOMPILE_PLACE | number);
    for (const [address, precompile] of moved ?? []) place(BigInt(`0x${address}`), numberOf(precompile));
    for (const [at, value] of places) memory.setU32(at, value);
    this.#places = [...places.keys()];
    this.#moved = moved;
  }

  /** For CHAINID, and for authorizations (EIP-7702). */
  useChainId(chainId: bigint): void {
    this.#chainId = chainId;
    this.memory.setU64(at.RULES_CHAIN_ID, chainId);
  }

  /** Whether what contracts print is collected from now on, for {@link takePrinted}. What was not taken is dropped. */
  watchConsole(on: boolean): void {
    this.memory.setU32(at.RULES_CONSOLE, Number(on));
    this.#printed = [];
  }

  /** The lines that contracts have printed since {@link watchConsole}. */
  takePrinted(): readonly ConsoleLine[] {
    const lines = this.#printed;
    if (lines.length > 0) this.#printed = [];
    return lines;
  }

  /** Tells a listener what it wants of the runs from now on. */
  listen(
    listener: CoreListener,
    wants: {
      readonly calls: boolean;
      readonly touches: boolean;
      readonly counts: boolean;
      readonly steps: boolean;
    },
  ): void {
    this.#instance.listener = listener;
    this.memory.setU32(at.RULES_CALLS, Number(wants.calls));
    this.memory.setU32(at.RULES_TOUCHES, Number(wants.touches));
    this.memory.setU32(at.RULES_COUNTS, Number(wants.counts || (this.#counts && !wants.steps)));
  }

  stopListening(): void {
    this.#instance.listener = undefined;
    this.memory.setU32(at.RULES_CALLS, 0);
    this.memory.setU32(at.RULES_TOUCHES, 0);
    this.memory.setU32(at.RULES_COUNTS, Number(this.#counts));
  }

  /** EthereumJS's name of a frame's end; `undefined` when it succeeded. @param halt see src/core/memory/halts.ts */
  haltOf(halt: number): string | undefined {
    return halt === halts.PRECOMPILE_FAILED ? this.#precompileError : haltName(halt);
  }

  /** Gives the instance back, to be used by another executor of this process. */
  close(): void {
    giveBackCore(this.#instance);
  }

  /** Forgets all state. */
  reset(): void {
    this.#instance.reset();
    this.#holdsDifferences = false;
    this.#rules = undefined;
    this.#moved = undefined;
    this.#places = [];
  }

  get rules(): ExecutorRules {
    if (!this.#rules) throw new Error('no rules were set');
    return this.#rules;
  }

  // ---- the tables

  /** The entry of an account: made when there is none. */
  account(address: bigint | Uint8Array): number {
    if (typeof address === 'bigint') {
      this.memory.setWord(at.SCRATCH, address);
      return this.core.accountAt(at.SCRATCH);
    }
    this.memory.write(at.SCRATCH, address);
    return this.core.accountAtBytes(at.SCRATCH);
  }

  fieldsOf(account: number): AccountFields {
    const { memory } = this;
    return {
      nonce: memory.u64(account + entry.NONCE),
      balance: memory.word(account + entry.BALANCE),
      codeHash: memory.bytes(account + entry.CODE_HASH, WORD),
      storageRoot: memory.bytes(account + entry.STORAGE_ROOT, WORD),
    };
  }

  /** Whether an account exists. An empty one doesn't (EIP-161), unless it was there before that rule applied to it. */
  exists(account: number): boolean {
    const { memory } = this;
    return (
      memory.u32(account + entry.KEPT) !== 0 ||
      memory.u32(account + entry.CODE) !== 0 ||
      memory.u64(account + entry.NONCE) !== 0n ||
      memory.word(account + entry.BALANCE) !== 0n
    );
  }

  /** Whether a precompile runs where the account is called. */
  isPrecompile(account: number): boolean {
    return this.memory.u32(account + entry.PRECOMPILE) % entry.PRECOMPILE_PLACE !== 0;
  }

  codeOf(account: number): Uint8Array {
    const record = this.memory.u32(account + entry.CODE);
    return record === 0
      ? NO_BYTES
      : this.memory.bytes(record + entry.CODE_BYTES, this.memory.u32(record + entry.CODE_LENGTH));
  }

  /** The entry of a slot: made when there is none. */
  slot(account: number, key: bigint): number {
    this.memory.setWord(at.SCRATCH, key);
    return this.core.slotAt(account, at.SCRATCH);
  }

  valueOf(slot: number): bigint {
    return this.memory.word(slot + entry.VALUE);
  }

  setBalance(account: number, wei: bigint): void {
    this.memory.setWord(at.SCRATCH, wei);
    this.core.setBalance(account, at.SCRATCH);
  }

  /** Lets an account exist although it is empty, until a transaction touches it: EIP-161. */
  keepEmpty(account: number): void {
    this.core.keepEmpty(account);
  }

  setNonce(account: number, nonce: bigint): void {
    this.core.setNonce(account, nonce);
  }

  setCode(account: number, code: Uint8Array): void {
    this.core.setCode(account, this.stage(code), code.length);
  }

  setSlot(account: number, key: bigint, value: bigint): void {
    const slot = this.slot(account, key);
    this.memory.setWord(at.SCRATCH, value);
    this.core.setSlot(slot, at.SCRATCH);
  }

  /** The entry of an account, with its fields, which are fetched where the table doesn't have them. */
  *loadAccount(address: bigint | Uint8Array): Run<number> {
    const account = this.account(address);
    while (this.core.isAccountMissing(account)) yield* this.fillMissing();
    return account;
  }

  /** The entry of a slot, with its value, which is fetched where the table doesn't have it. */
  *loadSlot(account: number, key: bigint): Run<number> {
    const slot = this.slot(account, key);
    while (this.core.isSlotMissing(slot)) yield* this.fillMissing();
    return slot;
  }

  /** Writes accounts, in the form of src/core/state/packed.ts. */
  *writeAccounts(packed: Uint8Array): Run<void> {
    const { core } = this;
    const offset = this.#addInput(packed);
    const from = core.inputsBase() + offset;
    const end = from + packed.length;
    try {
      for (let next = core.writeAccounts(from, end); next < end; next = core.writeAccounts(next, end))
        yield* this.fillMissing();
    } finally {
      core.dropInputs(offset);
    }
  }

  /** Fetches slots that the core is about to read or write outside a run. */
  *loadSlots(account: number, keys: readonly bigint[]): Run<void> {
    if (!this.#deps.source) return;
    for (const key of keys) {
      const slot = this.slot(account, key);
      while (this.core.isSlotMissing(slot)) yield* this.fillMissing();
    }
  }

  // ---- the tries

  /** Uses the tries of a stored state, which is the one that the tables hold and read. No node is loaded yet. */
  useState(root: Uint8Array): void {
    this.memory.write(at.SCRATCH, root);
    this.core.useStateRoot();
  }

  /** Uses stored tries of what differs from another state, which is the one that the tables read: see src/core/trie/differences.ts. */
  useDifferences(root: Uint8Array): void {
    this.memory.write(at.SCRATCH, root);
    this.memory.write(at.HASHED, STORAGE_ONLY);
    this.core.useDifferences();
    this.#holdsDifferences = true;
  }

  /** Whether the tries hold what differs from another state. */
  get holdsDifferences(): boolean {
    return this.#holdsDifferences;
  }

  /** Brings the tries up to date with all changes. */
  stateRoot(): Uint8Array {
    return finishNow(this.fold());
  }

  /** Does what {@link stateRoot} does, and fetches missing nodes of the tries. After an error the next fold does the rest. */
  *fold(): Run<Uint8Array> {
    if (this.#holdsDifferences) this.core.listDifferences();
    while (this.core.updateStateRoot() === halts.MISSING) yield* this.fillMissing();
    return this.memory.bytes(at.BLOCK_STATE_ROOT, WORD);
  }

  /**
   * The trie nodes and code that are new since the last call: they have to be stored before the state can be opened at its root. To be
   * called right after {@link stateRoot}. It doesn't list them again.
   */
  changedNodes(): EncodedEntries {
    return takeChangedNodes(this);
  }

  /** The most memory that was in use since the tables were emptied, or that the run asks for, in bytes. */
  get footprint(): number {
    return this.core.heapSize() + this.core.usedEvmMemory() + this.core.askedMemory();
  }

  /**
   * Whether it has grown so much by a run that it shouldn't be kept: its memory would stay in use, and emptying it takes milliseconds.
   * @param before its footprint before the run
   */
  hasGrownFrom(before: number): boolean {
    const { footprint } = this;
    return footprint > MAX_KEPT && footprint > before + MAX_GROWTH;
  }

  /** Whether its instance has ever used so much memory that it should be closed when nothing long runs. */
  get isLarge(): boolean {
    return this.#instance.isLarge;
  }

  /** Memory that the nodes of the tries take, in bytes. */
  get nodeBytes(): number {
    return this.core.nodeBytes();
  }

  /**
   * Drops the nodes of the tries. Those that the next state roots need are fetched again.
   * @returns false, and nothing is dropped, as long as {@link changedNodes} has something to store or a fold has failed
   */
  dropNodes(): boolean {
    return this.core.dropNodes() !== 0;
  }

  // ---- blocks

  /** Sets the block in which everything runs from now on, without starting it: for calls. */
  setBlock(fields: StartFields, blockHash: AncestorHashOf): void {
    const { core, memory } = this;
    this.#blockHash = blockHash;
    memory.setU64(at.BLOCK_EXCESS_BLOB_GAS, fields.excessBlobGas);
    this.#writeEnv(fields, fields.coinbase);
    memory.write(at.BLOCK_PARENT, fields.parentHash);
    // After a call in another block, the known block hashes may be those before that block.
    core.useParent(Number(this.#env === undefined));
    this.#env = undefined;
    memory.write(at.BLOCK_BEACON_ROOT, fields.parentBeaconBlockRoot);
    memory.write(at.BLOCK_EXTRA, fields.extraData);
    memory.setU32(at.BLOCK_EXTRA_LENGTH, fields.extraData.length);
    memory.write(at.BLOCK_NONCE, fields.nonce ?? ZERO_NONCE);
  }

  /** Whether messages run in this block already, by the rules that were in use when it was set, and on the chain with this id. */
  isIn(env: BlockEnv, chainId: bigint): boolean {
    return env === this.#env && chainId === this.#chainId && this.#rules !== undefined;
  }

  /** Sets the block in which messages run from now on. To be called after {@link useRules}. */
  useEnv(env: BlockEnv): void {
    this.#env = env;
    this.#blockHash = (number) => env.blockHash(number);
    this.memory.view(at.HASHES, at.HASHES_SIZE).fill(0);
    this.#writeEnv(env, env.coinbase.bytes);
  }

  /** @param coinbase 20 bytes */
  #writeEnv(
    env: Omit<BlockEnv, 'coinbase' | 'blockHash' | 'slotNumber'> & Pick<StartFields, 'slotNumber'>,
    coinbase: Uint8Array,
  ): void {
    const { memory } = this;
    memory.setU64(at.BLOCK_NUMBER, env.number);
    memory.setU64(at.BLOCK_TIME, env.timestamp);
    memory.setU64(at.BLOCK_GAS_LIMIT, env.gasLimit);
    memory.setWordBytes(at.BLOCK_COINBASE, coinbase);
    memory.setWord(at.BLOCK_BASE_FEE, env.baseFeePerGas ?? 0n);
    memory.setWord(at.BLOCK_BLOB_FEE, env.blobBaseFee ?? 0n);
    memory.setWordBytes(at.BLOCK_RANDAO, env.prevRandao);
    memory.setWord(at.BLOCK_DIFFICULTY, env.difficulty);
    memory.setU64(at.BLOCK_SLOT, env.slotNumber ?? 0n);
  }

  // ---- runs

  /**
   * Runs a message as a transaction outside of any block, and keeps its effects in the tables. Most runs have ended when this returns.
   * @param exempt rules that don't apply: see {@link EXEMPT}
   */
  apply(message: Message, exempt: number): Execution | Refusal | Unfinished<Execution | Refusal> {
    const { core } = this;
    this.#writeMessage(message, exempt | EXEMPT.block);
    const mark = core.mark();
    try {
      const begun = core.start();
      const code = begun === halts.NONE ? core.run(SLICE) : begun;
      if (begun !== halts.NONE || code !== halts.DONE)
        return new Unfinished(this.#applyRest(mark, begun, code));
      return this.result();
    } catch (error) {
      core.revertTo(mark);
      throw error;
    }
  }

  *#applyRest(mark: number, begun: number, code: number): Run<Execution | Refusal> {
    return (yield* this.#runRest(mark, begun, code)) ?? this.result();
  }

  /**
   * Finds the least gas limit with which a message succeeds outside of any block: see src/core/transaction/estimate.ts. Nothing changes.
   * Most searches have ended when it returns.
   * @param most the highest one
   * @param exempt rules that don't apply: see {@link EXEMPT}
   * @param anyoneTransfers whether a plain transfer is estimated even if the sender can't pay for it
   */
  estimate(
    message: Message,
    most: bigint,
    exempt: number,
    anyoneTransfers: boolean,
  ): EstimateInCore | Unfinished<EstimateInCore> {
    const { core } = this;
    this.#writeMessage(message, exempt | EXEMPT.block);
    const mark = core.mark();
    core.beginEstimate(most, Number(anyoneTransfers));
    try {
      const code = core.estimate(SLICE);
      if (code === halts.DONE || code < 0) return this.#endEstimate(code);
      return new Unfinished(this.#estimateRest(mark, code));
    } catch (error) {
      core.revertTo(mark);
      throw error;
    }
  }

  *#estimateRest(mark: number, first: number): Run<EstimateInCore> {
    const { core } = this;
    let done = false;
    try {
      const code = yield* this.#goOn(first, core.estimate);
      done = true;
      return this.#endEstimate(code);
    } finally {
      if (!done) core.revertTo(mark);
    }
  }

  #endEstimate(code: number): EstimateInCore {
    const { core, memory } = this;
    if (code < 0) return { kind: 'invalid', fault: faultName(code) };
    const gas = core.estimated();
    return gas > 0n ? gas : this.#failedEstimate(memory.u64(at.TX_GAS));
  }

  #failedEstimate(gasLimit: bigint): FailedEstimate {
    const { memory } = this;
    const halt = this.haltOf(memory.u32(at.RESULT_HALT))!;
    const returnData = memory.bytes(memory.u32(at.RESULT_DATA), memory.u32(at.RESULT_DATA_LENGTH));
    const failure = { revert: halt === 'revert', reason: haltReason(halt) };
    return { kind: 'failed', gasLimit, failure, returnData };
  }

  /**
   * Runs a message as a transaction of the open block, which gets a receipt.
   * @param raw its encoding as an item of the block's list of transactions (EIP-2718)
   * @param exempt rules that don't apply: see {@link EXEMPT}
   */
  *applyInBlock(message: Message, raw: Uint8Array, exempt: number): Run<Execution | Refusal> {
    const { core, memory } = this;
    const offset = this.#addInput(raw);
    this.#writeMessage(message, exempt | EXEMPT.block | EXEMPT.receipt);
    memory.setU32(at.TX_RAW, offset);
    memory.setU32(at.TX_RAW_LENGTH, raw.length);
    let isIn = false;
    try {
      const result = (yield* this.#run()) ?? this.result();
      isIn = result.kind === 'executed';
      return result;
    } finally {
      if (!isIn) core.dropInputs(offset);
    }
  }

  /**
   * Records the failure of a deposit that can't begin: since Regolith such a deposit is in the block.
   * @param raw as for {@link applyInBlock}: the open block gets a receipt; absent: it doesn't
   */
  failDeposit(message: Message, raw: Uint8Array | undefined): Execution {
    const { core, memory } = this;
    const offset = raw && this.#addInput(raw);
    this.#writeMessage(message, EXEMPT.block);
    memory.setU32(at.TX_RAW, offset ?? 0);
    memory.setU32(at.TX_RAW_LENGTH, raw?.length ?? 0);
    core.failDeposit(Number(raw !== undefined));
    return this.result();
  }

  /** The bloom filter of the logs of the transaction that has just got its receipt, 256 bytes. */
  get lastBloom(): Uint8Array {
    return this.memory.bytes(at.VALUE_BUFFER, 256);
  }

  /**
   * A call by the protocol at the start or end of a block, which keeps its effects.
   * @returns the return data; `undefined` when it failed, which leaves the state unchanged
   */
  *applySystemCall(to: Uint8Array, data: Uint8Array): Run<Uint8Array | undefined> {
    this.#writeSystemCall(to, data);
    const result = (yield* this.#run()) ?? this.result();
    return result.kind === 'executed' && !result.halt ? result.returnData : undefined;
  }

  #writeSystemCall(to: Uint8Array, data: Uint8Array): void {
    const { memory } = this;
    const start = this.core.startMessage(data.length);
    memory.write(start, data);
    memory.setWordBytes(at.TX_FROM, SYSTEM_ADDRESS.bytes);
    memory.setWordBytes(at.TX_TO, to);
    memory.setU32(at.TX_HAS_TO, 1);
    memory.setU64(at.TX_GAS, SYSTEM_GAS);
    memory.setU32(at.TX_DATA, start);
    memory.setU32(at.TX_DATA_LENGTH, data.length);
    memory.setU32(at.TX_EXEMPT, EXEMPT.system | EXEMPT.block);
  }

  /**
   * Adds a signed transaction to the open block, and leaves its {@link result} in the core.
   * @param raw EIP-2718 bytes, without blobs
   * @param sender 20 bytes, when it was recovered before
   * @param exempt rules that don't apply: see {@link EXEMPT}
   * @returns why it is refused; `undefined` when it is in the block
   */
  *include(raw: Uint8Array, sender: Uint8Array | undefined, exempt = 0): Run<Refusal | undefined> {
    const mark = this.core.mark();
    const code = this.beginSigned(raw, sender, exempt);
    return code === halts.DONE ? undefined : yield* this.endSigned(code, mark);
  }

  /**
   * The beginning of {@link include}. Most transactions have ended when it returns.
   * @returns DONE, or another code of src/core/transaction/signed-transaction.ts: {@link endSigned} has to be called with it
   */
  beginSigned(raw: Uint8Array, sender: Uint8Array | undefined, exempt: number): number {
    const { core, memory } = this;
    const { length } = raw;
    const offset = core.addInput(sender ? length + sender.length : length);
    const start = core.inputsBase() + offset;
    memory.write(start, raw);
    if (sender) memory.write(start + length, sender);
    const code = core.includeSigned(offset, length, Number(sender !== undefined), exempt, SLICE);
    if (code !== halts.NEEDS_SENDER) return code;
    if (!this.#recover()) return BAD_SIGNATURE;
    core.senderFound();
    return core.beginSigned(SLICE);
  }

  /** The rest of {@link include}. When it throws, nothing has changed. @param mark the journal's position before {@link include} */
  endSigned(code: number, mark: number): Run<Refusal | undefined> {
    return this.#including(mark, this.memory.u32(at.TX_RAW), this.#goOnSigned(code));
  }

  *#goOnSigned(code: number): Run<Refusal | undefined> {
    if (code < 0) return { kind: 'invalid', fault: faultName(code) };
    if (code === halts.NEEDS_SIGNER) this.#findSigner();
    if (code === halts.NONE || code === halts.NEEDS_SIGNER) return yield* this.#run();
    yield* this.goOn(code);
    return undefined;
  }

  /** Adds a transaction to the open block. If it is refused, nothing has changed. @param mark, inputs positions to go back to then */
  *#including(mark: number, inputs: number, run: Run<Refusal | undefined>): Run<Refusal | undefined> {
    let isIn = false;
    try {
      const refusal = yield* run;
      isIn = refusal === undefined;
      return refusal;
    } finally {
      if (!isIn) {
        this.core.revertTo(mark);
        this.core.dropInputs(inputs);
      }
    }
  }

  /**
   * Adds a message, which may be a deposit, to the open block as an unsigned transaction, and leaves its {@link result} in the core. Most
   * runs have ended when this returns.
   * @param exempt rules that don't apply: see {@link EXEMPT}
   * @param hasNonce whether it has a nonce of its own; else it gets that of its sender
   * @returns why it is refused; `undefined` when it is in the block
   */
  includeUnsigned(
    message: Message,
    exempt: number,
    hasNonce: boolean,
  ): Refusal | undefined | Unfinished<Refusal | undefined> {
    const { core } = this;
    this.#writeMessage(message, exempt);
    const mark = core.mark();
    const inputs = core.addInput(0);
    const code = core.includeUnsigned(Number(hasNonce), SLICE);
    if (code === halts.DONE) return undefined;
    return new Unfinished(this.#including(mark, inputs, this.#goOnUnsigned(code, hasNonce)));
  }

  *#goOnUnsigned(first: number, hasNonce: boolean): Run<Refusal | undefined> {
    let code = first;
    while (code === halts.NONE || code === halts.NEEDS_SIGNER) {
      if (code === halts.NEEDS_SIGNER) this.#findSigner();
      else yield* this.fillMissing();
      code = this.core.includeUnsigned(Number(hasNonce), SLICE);
    }
    if (code < 0) return { kind: 'invalid', fault: faultName(code) };
    yield* this.goOn(code);
    return undefined;
  }

  /** The encoding (EIP-2718) of the last transaction that is in the open block. */
  get raw(): Uint8Array {
    const { core, memory } = this;
    return memory.view(core.inputsBase() + memory.u32(at.TX_RAW), memory.u32(at.TX_RAW_LENGTH));
  }

  /** Bytes for the next call into the core. */
  stage(bytes: Uint8Array): number {
    const start = this.core.stage(bytes.length);
    this.memory.write(start, bytes);
    return start;
  }

  #addInput(bytes: Uint8Array): number {
    const offset = this.core.addInput(bytes.length);
    this.memory.write(this.core.inputsBase() + offset, bytes);
    return offset;
  }

  #writeMessage(message: Message, exempt: number): void {
    const { core, memory } = this;
    const { data, to, value, maxFeePerGas, maxPriorityFeePerGas } = message;
    const lists = listsOf(message);
    const start = core.startMessage(data.length + (lists?.length ?? 0));
    memory.write(start, data);
    if (lists) this.#writeLists(message, lists, start + data.length);
    memory.setU32(at.TX_TYPE, message.type);
    memory.setU64(at.TX_NONCE, message.nonce);
    memory.setU64(at.TX_GAS, message.gasLimit < MAX_GAS ? message.gasLimit : MAX_GAS);
    // `startMessage` has set all fields to zero. Prices are in wei per gas, the value is in wei.
    if (maxPriorityFeePerGas > 0n) memory.setWord(at.TX_PRIORITY_FEE, maxPriorityFeePerGas);
    if (maxFeePerGas > 0n) memory.setWord(at.TX_MAX_FEE, maxFeePerGas);
    if (value > 0n) memory.setWord(at.TX_VALUE, value);
    if (to) {
      memory.setU32(at.TX_HAS_TO, 1);
      memory.setWordBytes(at.TX_TO, to.bytes);
    }
    memory.setWordBytes(at.TX_FROM, message.from.bytes);
    if (message.deposit) {
      memory.setWord(at.TX_MINT, message.deposit.mint);
      memory.write(at.TX_SOURCE, message.deposit.sourceHash);
    }
    memory.setU32(at.TX_DATA, start);
    memory.setU32(at.TX_DATA_LENGTH, data.length);
    memory.setU32(at.TX_EXEMPT, exempt);
  }

  #writeLists(message: Message, { accessList, blobs, authorizations }: Lists, start: number): void {
    const { memory } = this;
    const blobsAt = start + accessList.length;
    const authorizationsAt = blobsAt + blobs.length;
    memory.write(start, accessList);
    memory.write(blobsAt, blobs);
    memory.write(authorizationsAt, authorizations);
    memory.setWord(at.TX_MAX_BLOB_FEE, message.maxFeePerBlobGas ?? 0n);
    memory.setU32(at.TX_ACCESS_LIST, start);
    memory.setU32(at.TX_ACCESS_LIST_END, blobsAt);
    memory.setU32(at.TX_BLOBS, blobsAt);
    memory.setU32(at.TX_BLOB_COUNT, message.blobVersionedHashes?.length ?? 0);
    memory.setU32(at.TX_AUTHORIZATIONS, authorizationsAt);
    memory.setU32(at.TX_AUTHORIZATIONS_END, authorizationsAt + authorizations.length);
    memory.setU32(at.TX_AUTHORIZATION_COUNT, message.authorizationList?.length ?? 0);
  }

  /**
   * Runs the transaction at TX in the memory, from its checks to its receipt. When it throws, nothing has changed.
   * @returns why it can't run; `undefined` when it has ended
   */
  *#run(): Run<Refusal | undefined> {
    const { core } = this;
    const mark = core.mark();
    const begun = core.start();
    return yield* this.#runRest(mark, begun, begun === halts.NONE ? core.run(SLICE) : begun);
  }

  /**
   * The rest of a run. It takes the run back when it throws.
   * @param mark the journal's position before the run
   * @param begun what `start` of the core has returned
   * @param code what `run` of the core has returned, if it has begun
   */
  *#runRest(mark: number, begun: number, code: number): Run<Refusal | undefined> {
    const { core } = this;
    let halt = begun;
    let done = false;
    try {
      for (; halt !== halts.NONE; halt = core.start()) {
        if (halt < 0) {
          done = true;
          return { kind: 'invalid', fault: faultName(halt) };
        }
        if (halt === halts.NEEDS_SIGNER) this.#findSigner();
        else yield* this.fillMissing();
      }
      yield* this.goOn(begun === halts.NONE ? code : core.run(SLICE));
      done = true;
      return undefined;
    } finally {
      if (!done) core.revertTo(mark);
    }
  }

  /**
   * Continues a run until it has ended. When it throws, the run can't be continued, and its changes stay.
   * @param code why the run has stopped, or that it has ended: see `run` in src/core/transaction/run.ts
   */
  *goOn(code: number): Run<void> {
    yield* this.#goOn(code, this.core.run);
  }

  /**
   * Does what the core's work waits for each time that it stops, until it has ended.
   * @param next continues the work, with this much fuel
   * @returns DONE, or a negative code that says why it has ended otherwise
   */
  *#goOn(first: number, next: (fuel: bigint) => number): Run<number> {
    const { core } = this;
    let code = first;
    for (let stops = 1; code !== halts.DONE && code >= 0; stops++) {
      if (code === halts.MISSING) yield* this.fillMissing();
      else if (code === halts.CALLS_PRECOMPILE) yield* this.#runPrecompile();
      else if (code === halts.WAITS) yield this.#instance.listener!.wait();
      else if (code === halts.NEEDS_SIGNER) this.#findSigner();
      else if (code === halts.OUTGROWS) {
        // Background work counts the memory that the run asks for, and may end it here.
        yield undefined;
        core.allowMemory();
      } else if (code !== halts.OUT_OF_FUEL) throw new Error(`the core stands still: ${code}`);
      // The run gets a whole slice after each stop, so one that stops often would never use up a slice.
      if (code === halts.OUT_OF_FUEL || stops % STOPS_A_SLICE === 0) yield undefined;
      code = next(SLICE);
    }
    return code;
  }

  /** Recovers the signer of an authorization (EIP-7702), if there is one. */
  #findSigner(): void {
    if (this.#recover()) this.core.signerFound();
  }

  /** The outcome of the last run. */
  result(): Execution {
    const { memory } = this;
    const created = memory.u32(at.RESULT_CREATED);
    const ended = memory.u32(at.RESULT_HALT);
    const halt = ended === halts.DONE ? undefined : this.haltOf(ended);
    // Without spreads: they take longer than all else here.
    const result: { -readonly [K in keyof Execution]: Execution[K] } = {
      kind: 'executed',
      gasUsed: memory.u64(at.RESULT_GAS_USED),
      gasBeforeRefund: memory.u64(at.RESULT_GAS_BEFORE_REFUND),
      returnData: memory.bytes(memory.u32(at.RESULT_DATA), memory.u32(at.RESULT_DATA_LENGTH)),
      effectiveGasPrice: memory.word(at.TX_GAS_PRICE),
      blobGasUsed: memory.u64(at.RESULT_BLOB_GAS),
      logs: this.core.logsLength() === 0 ? NO_LOGS : this.#logs(),
      emittedLogs: memory.u32(at.RESULT_EMITTED_LOGS),
    };
    if (halt !== undefined) result.halt = halt;
    if (this.#rules?.hasStateGas) {
      result.counted = this.counted();
      result.dimensions = this.#dimensions();
    }
    if (created !== 0) result.createdAddress = this.addressOf(created);
    return result;
  }

  /** What the last run adds to the gas counters of its block. */
  counted(): CountedGas {
    const { memory } = this;
    return { execution: memory.u64(at.RESULT_EXECUTION_GAS), state: memory.u64(at.RESULT_STATE_GAS) };
  }

  #dimensions(): GasDimensions {
    const { memory } = this;
    return {
      execution: memory.u64(at.RESULT_EXECUTION_GAS_USED),
      state: memory.u64(at.RESULT_STATE_GAS),
      refund: memory.u64(at.RESULT_REFUND),
    };
  }

  addressOf(account: number): Uint8Array {
    return this.memory.bytes(account + entry.ADDRESS, 20).reverse();
  }

  #logs(): ExecutorLog[] {
    const { core, memory } = this;
    const logs: ExecutorLog[] = [];
    const end = core.logsBase() + core.logsLength();
    for (let log = core.logsBase(); log < end; ) {
      const topics = memory.u32(log);
      const size = memory.u32(log + 4);
      const data = log + 16 + WORD * topics;
      const account = memory.u32(log + 8);
      const isTransfer = account === 1;
      const found: { -readonly [K in keyof ExecutorLog]: ExecutorLog[K] } = {
        address: isTransfer ? TRANSFER_ADDRESS : this.addressOf(account),
        topics: this.#topics(log + 16, topics),
        data: memory.bytes(data, size),
        emission: memory.u32(log + 12),
      };
      if (isTransfer) found.transfer = true;
      logs.push(found);
      log = data + ((size + 15) & ~15);
    }
    return logs;
  }

  #topics(start: number, count: number): Uint8Array[] {
    const topics: Uint8Array[] = [];
    for (let i = 0; i < count; i++) topics.push(this.memory.bytes(start + WORD * i, WORD));
    return topics;
  }

  /** @returns false when the signature gives no key */
  #recover(): boolean {
    const { memory } = this;
    const hash = memory.view(at.SIGNING_HASH, WORD);
    const signature = memory.view(at.SIGNATURE, 2 * WORD);
    try {
      const key = this.#deps.recover(hash, signature, memory.u32(at.SIGNATURE_ID) as 0 | 1);
      if (key) memory.write(at.PUBLIC_KEY, key);
      return key !== null;
    } catch {
      return false;
    }
  }

  *#runPrecompile(): Run<void> {
    const { core, memory } = this;
    const number = memory.u32(at.PRECOMPILE_NUMBER);
    const input = memory.bytes(memory.u32(at.PRECOMPILE_INPUT), memory.u32(at.PRECOMPILE_INPUT_LENGTH));
    if (number === at.CONSOLE) {
      const line = decodeConsoleLog(input);
      if (line !== undefined)
        this.#printed.push({ line, from: new Address(this.addressOf(memory.u32(at.CONSOLE_CALLER))) });
      core.roomForReturned(0);
      core.finishPrecompile(1, 0n);
      return;
    }
    let result = this.rules.precompiles.run(number, input, memory.u64(at.PRECOMPILE_GAS));
    if (result instanceof Promise) {
      const waiting = result;
      yield waiting.then((value) => {
        result = value;
      });
    }
    const { gasUsed, output, error } = result as Awaited<typeof result>;
    this.#precompileError = error;
    memory.write(core.roomForReturned(error ? 0 : output.length), error ? NO_BYTES : output);
    core.finishPrecompile(Number(error === undefined), gasUsed);
  }

  /** Fetches what a function of the core didn't find in the tables. To be called when it returns MISSING, before it is called again. */
  *fillMissing(): Run<void> {
    const { core, memory } = this;
    const missing = memory.u32(at.MISS_ENTRY);
    if (memory.u32(at.MISS_KIND) === halts.MISSING_BLOCK_HASH) {
      const number = memory.u64(at.MISS_NUMBER);
      const hash = yield* awaited(this.#blockHash(number));
      memory.write(at.SCRATCH, hash ?? new Uint8Array(WORD));
      core.setBlockHash(number, at.SCRATCH);
      return;
    }
    const { source } = this.#deps;
    if (!source) throw new Error('state is missing, and there is no source for it');
    const { other } = source;
    const isElsewhere = other !== undefined && memory.u32(at.MISS_ELSEWHERE) !== 0;
    const state = isElsewhere ? other : source;
    switch (memory.u32(at.MISS_KIND)) {
      case halts.MISSING_ACCOUNT: {
        const address = new Address(this.addressOf(missing));
        const fields = yield* awaited(state.getAccount(address));
        memory.setU32(missing + entry.LOADED, 1);
        if (other) memory.setU32(missing + entry.DIFFERS, Number(!isElsewhere && source.differs!(address)));
        if (!fields) {
          memory.setU32(missing + entry.ABSENT, 1);
          memory.setU32(missing + entry.STORAGE_LOADED, 1);
          // The table may have that of a block that was taken back.
          memory.write(missing + entry.STORAGE_ROOT, EMPTY_ROOT);
          return;
        }
        memory.setWord(missing + entry.BALANCE, fields.balance);
        memory.setU64(missing + entry.NONCE, fields.nonce);
        memory.setU32(missing + entry.KEPT, 1);
        if (memory.u32(missing + entry.GONE) === 0)
          memory.write(missing + entry.STORAGE_ROOT, fields.storageRoot);
        const empty = memory.bytes(at.EMPTY_CODE_HASH, WORD);
        if (Buffer.compare(empty, fields.codeHash) !== 0)
          memory.setU32(missing + entry.CODE, entry.CODE_NOT_LOADED);
        memory.write(missing + entry.CODE_HASH, fields.codeHash);
        return;
      }
      case halts.MISSING_CODE: {
        const code = yield* awaited(source.getCode(new Address(this.addressOf(missing))));
        memory.setU32(missing + entry.CODE, core.codeRecord(this.stage(code), code.length));
        return;
      }
      case halts.MISSING_NODE:
        return yield* loadNode(this, source);
      default: {
        const address = new Address(this.addressOf(memory.u32(missing + entry.OWNER)));
        const value = yield* awaited(state.getStorage(address, memory.wordBytes(missing + entry.KEY)));
        memory.setWordBytes(missing + entry.VALUE, value);
        memory.setWordBytes(missing + entry.ORIGINAL, value);
        memory.setU32(missing + entry.SLOT_LOADED, 1);
        memory.setU16(missing + entry.SLOT_ABSENT, Number(value.length === 0));
      }
    }
  }
}

/** The lists of a message as the core reads them: their items in RLP. */
interface Lists {
  readonly accessList: Uint8Array;
  readonly blobs: Uint8Array;
  readonly authorizations: Uint8Array;
  /** bytes of all */
  readonly length: number;
}

/** @returns `undefined` for most messages, which have none */
function listsOf(message: Message): Lists | undefined {
  const { accessList, blobVersionedHashes, authorizationList, maxFeePerBlobGas } = message;
  if (accessList.length === 0 && !blobVersionedHashes && !authorizationList && maxFeePerBlobGas === undefined)
    return undefined;
  const lists = {
    accessList: accessListPayload(accessList),
    blobs: encodeItems([...(blobVersionedHashes ?? [])]),
    authorizations: encodeItems(authorizationList ?? []),
  };
  return { ...lists, length: Object.values(lists).reduce((sum, { length }) => sum + length, 0) };
}

function accessListPayload(list: AccessList): Uint8Array {
  return encodeItems(list.map(({ address, storageKeys }) => [address.bytes, [...storageKeys]]));
}
