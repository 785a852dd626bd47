import { bytesToHex } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { HARDFORKS, type HardforkName } from '../../../src/protocol/hardfork.ts';
import { FUZZ, runs } from '../../fuzz.ts';
import { ComparedPrograms } from './compared-programs.ts';

const UNCHANGED = new Set<HardforkName>([
  'dao',
  'muirGlacier',
  'arrowGlacier',
  'grayGlacier',
  'bpo1',
  'bpo2',
  'bpo3',
  'bpo4',
  'bpo5',
]);

/** `npm run test:programs -- --count 1000000` tries many more, several times as fast. A failure names the seed of its program. */
const PROGRAMS = runs(150);
/** Those that change what a program does: the others differ in blocks and fees only. */
const FORKS = HARDFORKS.filter((name) => !UNCHANGED.has(name));
<<<<<<< HEAD

const SEED = Number(process.env.SEED ?? 1);
/** Programs after which the core begins with empty memory: it never frees codes and entries. */
const MOST_IN_A_CORE = 2000;

/** Execution gas. With EIP-8037 a new slot takes 100,000 gas where no reservoir pays for it. */
const gasOf = (fork: Hardfork) => (fork.has(8037) ? 600_000n : 300_000n);
/** Gas above the execution gas (EIP-8037): none, for one slot, for a little more than an account, and for all that a program creates. */
const RESERVOIRS = [0n, 0n, 97_920n, 190_000n, 2_000_000n];
const reservoirOf = (fork: Hardfork, seed: number) =>
  fork.has(8037) ? RESERVOIRS[seed % RESERVOIRS.length]! : 0n;
/** Where the most execution gas of a transaction stands in the rules of the core. */
const MOST_EXECUTION_GAS = Object.keys(NUMBERS).indexOf('MOST_EXECUTION_GAS');
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
    executor.useRules({ ...rules, numbers: rules.numbers.with(MOST_EXECUTION_GAS, most) });
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
  const compare = (what: string, expected: unknown, got: unknown) => {
    const [one, other] = [expected, got].map((value) =>
      JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}` : part)),
    );
    if (one !== other) differences.push(`${what}: ${one} and ${other}`);
  };
  for (const address of addresses) {
    const account = executor.account(Buffer.from(address.slice(2), 'hex'));
    const { nonce, balance, codeHash } = executor.fieldsOf(account);
    const got = executor.exists(account) ? { nonce, balance, codeHash: bytesToHex(codeHash) } : undefined;
    compare(address, stock.account(address), got);
  }
  for (const [address, key] of slots.values()) {
    const account = executor.account(Buffer.from(address!.slice(2), 'hex'));
    compare(
      `slot ${key} of ${address}`,
      stock.value(address!, key!),
      executor.valueOf(executor.slot(account, BigInt(key!))),
    );
  }
  return differences;
}
=======
const SEED = 1;
>>>>>>> w-amsterdam

describe.each<HardforkName>(FORKS)('%s', (hardfork) => {
  it(`${PROGRAMS} programs end as in the library`, { timeout: 60_000 * FUZZ }, async () => {
    const programs = await ComparedPrograms.create(hardfork);
    for (let seed = SEED; seed < SEED + PROGRAMS; seed++) {
      const { program, differences } = await programs.compare(seed);
      expect(
        differences,
        `seed ${seed}: ${bytesToHex(program.code)} with ${bytesToHex(program.data)}`,
      ).toEqual([]);
    }
    programs.close();
  });
});
