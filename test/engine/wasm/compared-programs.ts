import { inspect, isDeepStrictEqual } from 'node:util';
import { createEVM, type EVM, type ExecResult, NobleBN254 } from '@ethereumjs/evm';
import { SimpleStateManager } from '@ethereumjs/statemanager';
import {
  Account,
  Address,
  bigIntMax,
  bigIntMin,
  bytesToHex,
  createAddressFromString,
  createBlockLevelAccessList,
} from '@ethereumjs/util';
import * as entry from '../../../src/core/state/entries.ts';
import { NUMBERS } from '../../../src/core/tables/rules.ts';
import { OUT_OF_BOUNDS } from '../../../src/engine/halt-reason.ts';
import { EXEMPT, type Executor } from '../../../src/engine/wasm/executor.ts';
import { finished, finishLater } from '../../../src/engine/wasm/run.ts';
import type { Execution } from '../../../src/engine/wasm/types.ts';
import type { Hardfork, HardforkName } from '../../../src/protocol/hardfork.ts';
import type { Message } from '../../../src/protocol/types.ts';
import { integerOf, integerWord } from '../../../src/state/integers.ts';
import { Kitchen } from '../ethereumjs/accounts.ts';
import {
  DELEGATING,
  OTHER,
  type Program,
  programOf,
  SENDER,
  TARGET,
} from '../ethereumjs/generated-programs.ts';
import { blockOf, engineOf, NO_BLOCKS, PLAIN_BLOCK, stockCommon } from '../ethereumjs/stock.ts';
import { executorOf } from './executors.ts';

/*
 * Generated programs in the core and in the library's EVM alone: without transactions, fees and tries, so that millions can be
 * tried.
 */

/** Programs after which the core begins with empty memory: it never frees codes and entries. */
const MAX_IN_A_CORE = 2000;

/** Execution gas. With EIP-8037 a new slot takes 100,000 gas where no reservoir pays for it. */
const gasOf = (fork: Hardfork) => (fork.has(8037) ? 600_000n : 300_000n);
/** Gas above the execution gas (EIP-8037): none, for one slot, for a little more than an account, and for all that a program creates. */
const RESERVOIRS = [0n, 0n, 97_920n, 190_000n, 2_000_000n];
const reservoirOf = (fork: Hardfork, seed: number) =>
  fork.has(8037) ? RESERVOIRS[seed % RESERVOIRS.length]! : 0n;
/** Where the most execution gas of a transaction stands in the rules of the core. */
const MAX_EXECUTION_GAS = Object.keys(NUMBERS).indexOf('MAX_EXECUTION_GAS');
/** Without data: the transaction calls another account, without value (EIP-2780). */
const transactionGas = (fork: Hardfork) => (fork.has(2780) ? 15_000n : 21_000n);

/**
 * Precompiles, which exist here: of a call that brings one into being the library counts the gas of the callee before it charges for the
 * account (EIP-8037), and a precompile that fails then takes more than its caller has.
 */
function fundedIn(fork: Hardfork): Address[] {
  if (!fork.has(8037)) return [];
  const numbers = [...Array.from({ length: 0x11 }, (_, i) => i + 1), 0x100];
  return numbers.map((number) => new Address(integerWord(BigInt(number), 20)));
}

/** The library's EVM on state in maps. */
class StockRunner {
  readonly #state: SimpleStateManager;
  readonly #evm: EVM;
  readonly #block: ReturnType<typeof blockOf>['block'];
  readonly #fork: Hardfork;

  private constructor(
    state: SimpleStateManager,
    evm: EVM,
    block: ReturnType<typeof blockOf>['block'],
    fork: Hardfork,
  ) {
    this.#state = state;
    this.#evm = evm;
    this.#block = block;
    this.#fork = fork;
  }

  static async create(hardfork: HardforkName): Promise<StockRunner> {
    const common = stockCommon(hardfork);
    const state = new SimpleStateManager({ common });
    const options = { common, stateManager: state, blockchain: NO_BLOCKS as never, bn254: new NobleBN254() };
    const evm = (await createEVM(options)) as EVM;
    await state.putAccount(SENDER, new Account(0n, 10n ** 20n));
    await state.putAccount(OTHER, new Account(1n, 5n));
    await state.putCode(OTHER, Kitchen.code);
    for (const { from, code } of DELEGATING) {
      await state.putAccount(from, new Account(1n, 7n));
      await state.putCode(from, code);
    }
    const { fork } = engineOf(hardfork);
    for (const address of fundedIn(fork)) await state.putAccount(address, new Account(0n, 1n));
    return new StockRunner(state, evm, blockOf(PLAIN_BLOCK, fork, common).block, fork);
  }

  /** What the library does with an account that was destroyed. */
  async #destroy(key: string): Promise<void> {
    const [state, evm] = [this.#state, this.#evm];
    const address = createAddressFromString(key);
    const account = await state.getAccount(address);
    if (!this.#fork.has(8246) || !account) return evm.journal.deleteAccount(address);
    // EIP-8246: the balance stays.
    await state.clearStorage(address);
    await evm.journal.putAccount(address, new Account(0n, account.balance));
  }

  /** Runs the code at {@link TARGET}. @param look sees the state after it, which is then taken back */
  async run(
    { code, data }: Program,
    { gasLimit, reservoir }: { readonly gasLimit: bigint; readonly reservoir: bigint },
    look: (result: ExecResult, after: StockState, gas: StateGas) => Promise<void>,
  ): Promise<void> {
    const [state, evm, fork] = [this.#state, this.#evm, this.#fork];
    await state.checkpoint();
    try {
      await state.putAccount(TARGET, new Account(1n, 1000n));
      await state.putCode(TARGET, code);
      state.originalStorageCache.clear();
      evm.transientStorage.clear();
      const { coinbase } = this.#block.header;
      const warm = fork.has(3651) ? [SENDER, TARGET, coinbase] : [SENDER, TARGET];
      for (const address of warm) evm.journal.addAlwaysWarmAddress(address.toString().slice(2));
      for (const address of evm.precompiles.keys()) evm.journal.addAlwaysWarmAddress(address);
      // What runBlock does (EIP-7928): each checkpoint copies the list, which would grow from program to program.
      if (fork.has(7928)) Object.assign(evm, { blockLevelAccessList: createBlockLevelAccessList() });
      // What runTx does before it calls (EIP-8037).
      evm.stateGasReservoir = reservoir;
      evm.executionStateGasUsed = 0n;
      evm.eip2780PrepOog = false;
      Object.assign(evm, { _stateGasSnapshots: [] });
      evm.createdAccountStateGas = new Map();
      evm.createdAccountIntrinsicStateGas = new Map();
      const call = { block: this.#block, caller: SENDER, to: TARGET, data, gasLimit, gasPrice: 0n };
      const { execResult } = await evm.runCall(call);
      // What the library does after the call of a transaction: it pays the coinbase, and removes what was destroyed (EIP-6780).
      await evm.journal.putAccount(coinbase, (await state.getAccount(coinbase)) ?? new Account());
      for (const address of execResult.selfdestruct?.keys() ?? [])
        if (!fork.has(6780) || execResult.createdAddresses?.has(address)) await this.#destroy(address);
      await evm.journal.cleanup();
      await look(execResult, new StockState(state), {
        reservoir: evm.stateGasReservoir,
        stateGas: evm.executionStateGasUsed,
      });
    } finally {
      await state.revert();
    }
  }
}

/** EIP-8037: what is left in the reservoir, and what was used of it and of the other gas. */
interface StateGas {
  readonly reservoir: bigint;
  readonly stateGas: bigint;
}

/** The library's state after a run. */
class StockState {
  readonly #accounts: Map<string, Account | undefined>;
  readonly #storage: Map<string, Uint8Array>;

  constructor({ accountStack, storageStack }: SimpleStateManager) {
    this.#accounts = accountStack.at(-1)!;
    this.#storage = storageStack.at(-1)!;
  }

  get addresses(): string[] {
    return [...this.#accounts.keys()];
  }

  /** Of each slot that was written its account and its key, with 0x. */
  get slots(): (readonly [string, string])[] {
    return [...this.#storage.keys()].map((key) => key.split('_') as [string, string]);
  }

  account(address: string) {
    const account = this.#accounts.get(address);
    if (!account) return undefined;
    const { nonce, balance, codeHash } = account;
    return { nonce, balance, codeHash: bytesToHex(codeHash) };
  }

  value(address: string, key: string): bigint {
    if (!this.#accounts.get(address)) return 0n;
    return integerOf(this.#storage.get(`${address}_${key}`) ?? new Uint8Array(0));
  }
}

/** The core with the same accounts. Its gas above {@link gasOf} is the reservoir: 2^24 execution gas would let programs run for long. */
function coreWithAccounts(hardfork: HardforkName): Executor {
  const executor = executorOf(hardfork);
  const { rules } = executor;
  if (rules.hasStateGas) {
    const most = gasOf(rules.hardfork);
    executor.useRules({ ...rules, numbers: rules.numbers.with(MAX_EXECUTION_GAS, most) });
  }
  const sender = executor.account(SENDER.bytes);
  executor.setBalance(sender, 10n ** 20n);
  const other = executor.account(OTHER.bytes);
  executor.setBalance(other, 5n);
  executor.setNonce(other, 1n);
  executor.setCode(other, Kitchen.code);
  for (const { from, code } of DELEGATING) {
    const account = executor.account(from.bytes);
    executor.setBalance(account, 7n);
    executor.setNonce(account, 1n);
    executor.setCode(account, code);
  }
  for (const address of fundedIn(engineOf(hardfork).fork))
    executor.setBalance(executor.account(address.bytes), 1n);
  executor.useEnv(blockOf(PLAIN_BLOCK, engineOf(hardfork).fork, stockCommon(hardfork)).env);
  return executor;
}

/**
 * Runs the code at {@link TARGET}, and takes it back.
 * @param stock the state to which the library came
 */
async function runInCore(executor: Executor, { code, data }: Program, gasLimit: bigint, stock: StockState) {
  const start = executor.core.mark();
  const target = executor.account(TARGET.bytes);
  executor.setBalance(target, 1000n);
  executor.setNonce(target, 1n);
  executor.setCode(target, code);
  const message: Message = {
    type: 2,
    from: SENDER,
    to: TARGET,
    nonce: 0n,
    gasLimit,
    value: 0n,
    data,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    accessList: [],
  };
  try {
    const exempt = EXEMPT.nonce | EXEMPT.fees | EXEMPT.sender | EXEMPT.gasCap;
    const outcome = await finishLater(finished(executor.apply(message, exempt)), async () => {});
    if (outcome.kind === 'invalid') throw new Error(outcome.fault);
    return { outcome, differences: stateDifferences(executor, start, stock) };
  } finally {
    executor.core.revertTo(start);
  }
}

/** Where the state differs that either of them wrote. */
function stateDifferences(executor: Executor, start: number, stock: StockState): string[] {
  const { core, memory } = executor;
  const differences: string[] = [];
  const addresses = new Set(stock.addresses);
  const slots = new Map(stock.slots.map(([address, key]) => [`${address}_${key}`, [address, key]]));
  core.listChanges(start);
  for (let i = 0, list = core.changedAccounts(); i < core.changedAccountCount(); i++)
    addresses.add(bytesToHex(executor.addressOf(memory.u32(list + 4 * i))));
  for (let i = 0, list = core.changedSlots(); i < core.changedSlotCount(); i++) {
    const slot = memory.u32(list + 4 * i);
    const address = bytesToHex(executor.addressOf(memory.u32(slot + entry.OWNER)));
    const key = bytesToHex(integerWord(memory.word(slot + entry.KEY)));
    slots.set(`${address}_${key}`, [address, key]);
  }
  for (const address of addresses) {
    const account = executor.account(Buffer.from(address.slice(2), 'hex'));
    const { nonce, balance, codeHash } = executor.fieldsOf(account);
    const got = executor.exists(account) ? { nonce, balance, codeHash: bytesToHex(codeHash) } : undefined;
    compare(address, stock.account(address), got, differences);
  }
  for (const [address, key] of slots.values()) {
    const account = executor.account(Buffer.from(address!.slice(2), 'hex'));
    compare(
      `slot ${key} of ${address}`,
      stock.value(address!, key!),
      executor.valueOf(executor.slot(account, BigInt(key!))),
      differences,
    );
  }
  return differences;
}

/** What a program comes to, in either. */
interface Outcome {
  readonly halt: string | undefined;
  readonly gasUsed: bigint;
  readonly stateGas: bigint | undefined;
  readonly returnData: string;
  readonly logs: readonly (readonly string[])[];
}

/** Runs generated programs in both. */
export class ComparedPrograms {
  readonly #hardfork: HardforkName;
  readonly #fork: Hardfork;
  readonly #stock: StockRunner;
  #executor: Executor;
  #inCore = 0;

  private constructor(hardfork: HardforkName, stock: StockRunner) {
    this.#hardfork = hardfork;
    this.#fork = engineOf(hardfork).fork;
    this.#stock = stock;
    this.#executor = coreWithAccounts(hardfork);
  }

  static async create(hardfork: HardforkName): Promise<ComparedPrograms> {
    return new ComparedPrograms(hardfork, await StockRunner.create(hardfork));
  }

  close(): void {
    this.#executor.close();
  }

  /** Runs the program of a seed. @returns the program, and in what its two outcomes differ: nothing, if all is well */
  async compare(seed: number): Promise<{ readonly program: Program; readonly differences: string[] }> {
    if (this.#inCore++ === MAX_IN_A_CORE) {
      this.#executor.close();
      this.#executor = coreWithAccounts(this.#hardfork);
      this.#inCore = 1;
    }
    const fork = this.#fork;
    const program = programOf(seed, fork.has(7843));
    const { data } = program;
    const zeros = BigInt(data.filter((byte) => byte === 0).length);
    const others = BigInt(data.length) - zeros;
    const [gas, base] = [gasOf(fork), transactionGas(fork)];
    const intrinsic = base + 4n * zeros + fork.param('txDataNonZeroGas') * others;
    const given = reservoirOf(fork, seed);
    const found: string[] = [];
    const gases = { gasLimit: gas - intrinsic, reservoir: given };
    await this.#stock.run(program, gases, async (expected, after, { reservoir, stateGas }) => {
      const { outcome, differences } = await runInCore(this.#executor, program, gas + given, after);
      const used = intrinsic + expected.executionGasUsed + given - reservoir;
      const refund = bigIntMin(expected.gasRefund ?? 0n, used / (fork.has(3529) ? 5n : 2n));
      const wanted: Outcome = {
        // EthereumJS appends the code's position in its memory.
        halt: haltIn(fork, expected.exceptionError?.error.split(' at ', 1)[0]),
        gasUsed: bigIntMax(used - refund, floorOf(fork, base, zeros, others)),
        stateGas: fork.has(8037) ? stateGas : undefined,
        returnData: bytesToHex(expected.returnValue),
        logs: (expected.logs ?? []).map(([address, topics, bytes]) =>
          [address, ...topics, bytes].map(bytesToHex),
        ),
      };
      const got = { ...summaryOf(outcome), halt: haltIn(fork, outcome.halt) };
      for (const name of Object.keys(wanted) as (keyof Outcome)[])
        compare(name, wanted[name], got[name], found);
      found.push(...differences);
    });
    return { program, differences: found };
  }
}

/** Adds what differs to `differences`. */
function compare(what: string, expected: unknown, got: unknown, differences: string[]): void {
  if (expected === got || isDeepStrictEqual(expected, got)) return;
  differences.push(`${what}: ${inspect(expected)} and ${inspect(got)}`);
}

/**
 * With EIP-7928 the library looks at a creation's size before its gas, and at a static call after it: both halt with another name. In every
 * hardfork it calls a RETURNDATACOPY out of gas that goes behind the end.
 */
function haltIn(fork: Hardfork, name: string | undefined): string | undefined {
  if (fork.has(7928) && name !== undefined && name !== 'revert') return 'halt';
  return name === OUT_OF_BOUNDS ? 'out of gas' : name;
}

/** EIP-7623, EIP-7976 */
function floorOf(fork: Hardfork, base: bigint, zeros: bigint, others: bigint): bigint {
  if (fork.has(7976)) return base + 64n * (zeros + others);
  return fork.has(7623) ? base + 10n * (zeros + 4n * others) : 0n;
}

function summaryOf({ halt, gasUsed, dimensions, returnData, logs }: Execution): Outcome {
  return {
    halt,
    gasUsed,
    stateGas: dimensions?.state,
    returnData: bytesToHex(returnData),
    logs: logs.map(({ address, topics, data }) => [address, ...topics, data].map(bytesToHex)),
  };
}
