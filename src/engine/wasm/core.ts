/** The exports of the module compiled from src/core. Pointers and lengths are numbers; see src/core/index.ts. */
export interface Core {
  readonly memory: WebAssembly.Memory;
  setup(): void;
  accountAt(word: number): number;
  accountAtBytes(address: number): number;
  slotAt(account: number, key: number): number;
  writeAddress(to: number, account: number): void;
  setBalance(account: number, wei: number): void;
  addBalance(account: number, wei: number): number;
  keepEmpty(account: number): void;
  setNonce(account: number, nonce: bigint): void;
  setCode(account: number, code: number, length: number): void;
  codeRecord(code: number, length: number): number;
  setSlot(slot: number, value: number): void;
  writeAccounts(from: number, to: number): number;
  setCodeRecord(account: number, record: number, hash: number): void;
  clearStorage(account: number): void;
  isAccountMissing(account: number): number;
  isSlotMissing(slot: number): number;
  listChanges(mark: number): void;
  changedAccounts(): number;
  changedAccountCount(): number;
  changedCodes(): number;
  changedCodeCount(): number;
  changedSlots(): number;
  changedSlotCount(): number;
  changesRemove(): number;
  clearedAccounts(): number;
  clearedAccountCount(): number;
  encodeChanges(): number;
  encodedChanges(): number;
  encodeRoots(): void;
  reset(): void;
  heapSize(): number;
  usedEvmMemory(): number;
  askedMemory(): number;
  allowMemory(): void;
  mark(): number;
  revertTo(mark: number): void;
  keccak(to: number, from: number, length: number): void;
  hashHeaders(
    header: number,
    length: number,
    numberEnd: number,
    timeEnd: number,
    randaoAt: number,
    number: bigint,
    time: bigint,
    step: bigint,
    seeds: number,
    seedLength: number,
    count: number,
    to: number,
  ): void;
  stage(length: number): number;
  addInput(length: number): number;
  dropInputs(offset: number): void;
  inputsBase(): number;
  startMessage(length: number): number;
  senderFound(): void;
  signerFound(): void;
  includeSigned(offset: number, length: number, hasSender: number, exempt: number, fuel: bigint): number;
  beginSigned(fuel: bigint): number;
  includeUnsigned(hasNonce: number, fuel: bigint): number;
  start(): number;
  run(fuel: bigint): number;
  beginEstimate(most: bigint, anyoneMay: number): void;
  estimate(fuel: bigint): number;
  estimated(): bigint;
  roomForReturned(length: number): number;
  failDeposit(inBlock: number): void;
  finishPrecompile(success: number, cost: bigint): void;
  logsBase(): number;
  logsLength(): number;
  startBlock(done: number): void;
  beginIndex(): void;
  closeIndex(): void;
  accessAccount(account: number): void;
  roomForCells(length: number): number;
  cellsBase(): number;
  cellsLength(): number;
  makeAccessList(): void;
  encodeAccessList(from: number, to: number): number;
  accessListBase(): number;
  accessListLength(): number;
  accessListItems(): number;
  headerGas(): bigint;
  useParent(keeps: number): void;
  setBlockHash(number: bigint, hash: number): void;
  writeSystemContract(i: number): number;
  writeSystemState(): number;
  findRequests(): number;
  isQueueEmpty(contract: number): number;
  updateStateRoot(): number;
  addNode(rlp: number, length: number): number;
  useStateRoot(): void;
  useDifferences(): void;
  listDifferences(): void;
  rollBackFold(): void;
  keepFold(): void;
  dropNodes(): number;
  nodeBytes(): number;
  listUnstored(): number;
  unstoredBase(): number;
  unstoredLength(): number;
  unstoredCount(): number;
  updateListRoots(): void;
  inputsRoot(list: number, count: number, to: number): void;
  encodeHeader(): void;
  headerBase(): number;
  headerSize(): number;
  recordBlock(withdrawals: number, length: number): number;
  blockRecordsBase(): number;
  blockRecordsLength(): number;
  recordReceipt(): void;
  startBlocks(full: number): void;
  addResult(error: number, length: number): number;
  sealWithoutWithdrawals(): number;
  sealWithResults(stateRoot: number, withdrawals: number, length: number, withdrawalBytes: number): void;
  endBlocks(): void;
  blocksBase(): number;
  blocksLength(): number;
  dropBlocks(): void;
  hasLogOf(account: number): number;
  logTerms(): number;
  termsBase(): number;
  transactionCount(): number;
  transactionsBase(): number;
  setReceiptRoot(): void;
  receiptAt(offset: number): number;
  closeBlock(): void;
  undoBlock(): void;
  pastBlocks(): number;
  forgetPast(): void;
}

/** A call or creation in the form in which the core reports it: see src/core/evm/events.ts. */
export type CoreCall = readonly [
  opcode: number,
  from: number,
  to: number,
  gas: bigint,
  input: number,
  length: number,
  value: number,
];

/** The events of a run that the core reports if the rules ask for them: see src/core/evm/events.ts. Numbers are pointers and lengths. */
export interface CoreEvents {
  /** @returns 1 to make the run pause soon */
  callBegins(...call: CoreCall): 0 | 1;
  /** @returns see {@link callBegins} */
  callRefused(isTooDeep: number, ...call: CoreCall): 0 | 1;
  callEnds(halt: number, gasLeft: bigint, output: number, length: number, opcode: number): void;
  logged(log: number): void;
  destroys(account: number, beneficiary: number): void;
  accessesAccount(account: number, getsWarm: number): void;
  accessesSlot(slot: number, getsWarm: number): void;
  /** Called before an opcode takes effect, see src/core/evm/steps.ts. @returns 1 when the run has to wait for {@link wait} first */
  step(): 0 | 1;
  /** @returns see {@link step} */
  codeEnds(halt: number, hasStep: number): 0 | 1;
}

/** Receives the events of the core. */
export interface CoreListener extends CoreEvents {
  /** The promise that the paused run waits for. */
  wait(): Promise<void>;
}

/** Instances that have used more than this many bytes are large. */
const LARGE = 4 * 2 ** 20;

/** An instance of the module, with the listener of its current run. */
export class CoreInstance {
  readonly core: Core;
  listener: CoreListener | undefined;
  readonly weak = new WeakRef(this);
  /** whether it is an instance of the module that reports steps */
  readonly tellsSteps: boolean;
  #touched = 0;

  constructor(module: WebAssembly.Module, tellsSteps: boolean) {
    this.tellsSteps = tellsSteps;
    const host = {
      callBegins: (...call) => this.listener!.callBegins(...call),
      callRefused: (...refusal) => this.listener!.callRefused(...refusal),
      callEnds: (...end) => this.listener!.callEnds(...end),
      logged: (log) => this.listener!.logged(log),
      destroys: (account, beneficiary) => this.listener!.destroys(account, beneficiary),
      accessesAccount: (account, getsWarm) => this.listener!.accessesAccount(account, getsWarm),
      accessesSlot: (slot, getsWarm) => this.listener!.accessesSlot(slot, getsWarm),
      step: () => this.listener!.step(),
      codeEnds: (halt, hasStep) => this.listener!.codeEnds(halt, hasStep),
    } satisfies CoreEvents;
    this.core = new WebAssembly.Instance(module, { host }).exports as unknown as Core;
    this.core.setup();
  }

  /**
   * The highest number of bytes ever in use: a WebAssembly memory never shrinks, so the process keeps them as long as the instance exists.
   */
  get touched(): number {
    this.#touched = Math.max(this.#touched, this.core.heapSize() + this.core.usedEvmMemory());
    return this.#touched;
  }

  /** Whether the instance has used so much memory that it shouldn't be kept for long. */
  get isLarge(): boolean {
    return this.touched > LARGE;
  }

  /** Resets the state to empty. */
  reset(): void {
    // The reset clears the core's own count of memory in use.
    this.#touched = this.touched;
    this.core.reset();
  }
}
