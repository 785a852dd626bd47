import type { Block, BlockView, Header, Receipt, Transaction } from '../chain/block.ts';
import { bloomOf, mergeBlooms } from '../chain/bloom.ts';
import { blobBaseFee, nextBaseFee, nextExcessBlobGas } from '../chain/fees.ts';
import { bytesOf, hashAndSize, NO_UNCLES, payWithdrawals, withdrawalsRoot } from '../chain/open-block.ts';
import { collectRequests, requestsHash } from '../chain/requests.ts';
import { encodeReceipt } from '../chain/store/block-codec.ts';
import { writeSystemState } from '../chain/system-state.ts';
import { asSimulated, DevnetError } from '../errors.ts';
import { CALL_RULES, type Engine, type Precompiles } from '../evm/engine.ts';
import type { Fork } from '../evm/fork.ts';
import type { BlockEnv, Executed, Log, Message, Rules } from '../evm/types.ts';
import { Overlay } from '../state/overlay.ts';
import { Trie } from '../state/trie.ts';
import { TrieState } from '../state/trie-state.ts';
import type { StateView } from '../state/view.ts';
import { toSimulatedMessage, ZERO_ADDRESS } from './call-request.ts';
import { applyStateOverrides, overrideEnv } from './overrides.ts';
import type { PlannedBlock, SimulationRequest } from './plan.ts';
import { unsignedTransaction } from './unsigned-transaction.ts';

export interface SimulatorOptions {
  /** gas of all calls of one simulation together */
  readonly gasLimit: bigint;
  /** Computes real state roots; without, they are zero, and cost nothing. */
  readonly stateRoot: boolean;
  /** seconds between blocks that don't say their time */
  readonly timeIncrement: () => bigint;
}

export interface SimulatorDeps {
  readonly engine: Engine;
  readonly hashOf: BlockEnv['blockHash'];
  readonly headerOf: (hash: Uint8Array) => Header | undefined;
}

/** A simulated block with what became of its calls. Logs of movements of ETH are in the calls, not in the receipts. */
export interface SimulatedBlock {
  readonly block: Block;
  readonly calls: readonly Executed[];
}

const ZERO_HASH = new Uint8Array(32);
const ZERO_NONCE = new Uint8Array(8);

/** What a simulation starts on. */
export interface SimulationBase {
  /** what the first block follows */
  readonly parent: Header;
  readonly parentHash: Uint8Array;
  /** the block being built, when the simulation goes on with it */
  readonly open?: Header;
}

/** One simulation: the state and the headers it has come to. */
export class SimulationRun {
  readonly #options: SimulatorOptions;
  readonly #deps: SimulatorDeps;
  readonly #request: SimulationRequest;
  readonly #rules: Rules;
  readonly #hashes = new Map<bigint, Uint8Array>();
  #parent: Header;
  #parentHash: Uint8Array;
  /** the block being built, until the first block took its fields over */
  #open: Header | undefined;
  #coinbase: Header['coinbase'];
  #gasLimit: bigint;
  #state: TrieState | Overlay;
  #gasLeft: bigint;

  constructor(
    options: SimulatorOptions,
    deps: SimulatorDeps,
    request: SimulationRequest,
    view: BlockView,
    base: SimulationBase,
  ) {
    this.#options = options;
    this.#deps = deps;
    this.#request = request;
    // A contract may send even under validation: the specification leaves out the checks of sender and signature.
    this.#rules = {
      ...CALL_RULES,
      nonce: request.validation,
      fees: request.validation,
      transferLogs: request.traceTransfers,
    };
    this.#parent = base.parent;
    this.#parentHash = base.parentHash;
    this.#open = base.open;
    this.#coinbase = (base.open ?? base.parent).coinbase;
    this.#gasLimit = (base.open ?? base.parent).gasLimit;
    this.#state = options.stateRoot && view.state instanceof TrieState ? view.state : new Overlay(view.state);
    this.#gasLeft = options.gasLimit;
  }

  async block(planned: PlannedBlock): Promise<SimulatedBlock> {
    const { engine } = this.#deps;
    const overrides = planned.blockOverrides ?? {};
    const { fork, difficulty } = this.#rulesAt(planned);
    const excessBlobGas = nextExcessBlobGas(this.#parent, fork);
    const env = this.#env(planned, fork, difficulty, excessBlobGas);
    const state = new Overlay(this.#state);
    const precompiles =
      planned.stateOverrides?.size &&
      (await applyStateOverrides(state, planned.stateOverrides, engine.precompiles(env)));
    const beaconRoot = fork.has(4788) ? (overrides.beaconRoot ?? ZERO_HASH) : undefined;
    const parent = { hash: this.#parentHash, number: this.#parent.number };
    await writeSystemState(parent, beaconRoot, env, state, engine);

    const transactions: Transaction[] = [];
    const receipts: Receipt[] = [];
    const calls: Executed[] = [];
    let gasUsed = 0n;
    let blobGasUsed = 0n;
    for (const call of planned.calls) {
      const message = await this.#message(call, env, gasUsed, state);
      const executed = await this.#execute(message, env, state, precompiles || undefined);
      gasUsed += executed.gasUsed;
      blobGasUsed += executed.blobGasUsed;
      calls.push(executed);
      transactions.push(unsignedTransaction(message, engine.schedule.chainId));
      receipts.push(receiptOf(message, executed, gasUsed));
      await engine.giveWay();
    }

    await engine.giveWay();
    const withdrawals = fork.has(4895) ? (overrides.withdrawals ?? []) : undefined;
    const requests = fork.has(7685) ? await this.#requests(receipts, env, state) : undefined;
    if (withdrawals?.length) state.apply(await payWithdrawals(withdrawals, state));
    const stateRoot = this.#fold(state);
    const header: Header = {
      parentHash: this.#parentHash,
      unclesHash: NO_UNCLES,
      coinbase: env.coinbase,
      stateRoot,
      transactionsRoot: Trie.rootOfList(transactions.map(({ raw }) => raw)),
      receiptsRoot: Trie.rootOfList(receipts.map(encodeReceipt)),
      logsBloom: mergeBlooms(receipts.map(({ logsBloom }) => logsBloom)),
      difficulty,
      number: planned.number,
      gasLimit: env.gasLimit,
      gasUsed,
      timestamp: planned.time,
      extraData: new Uint8Array(),
      mixHash: env.prevRandao,
      nonce: ZERO_NONCE,
      ...(env.baseFeePerGas !== undefined && { baseFeePerGas: env.baseFeePerGas }),
      ...(withdrawals && { withdrawalsRoot: withdrawalsRoot(withdrawals) }),
      ...(excessBlobGas !== undefined && { blobGasUsed, excessBlobGas }),
      ...(beaconRoot && { parentBeaconBlockRoot: beaconRoot }),
      ...(requests && { requestsHash: requestsHash(requests) }),
    };
    const { hash, size } = hashAndSize(header, bytesOf(transactions), withdrawals);
    this.#hashes.set(planned.number, hash);
    this.#parent = header;
    this.#parentHash = hash;
    const block: Block = {
      header,
      hash,
      transactions,
      receipts,
      ...(withdrawals && { withdrawals }),
      uncles: [],
      size,
    };
    return { block, calls };
  }

  /** Before the merge a block has its parent's difficulty, or the one that the caller gives it; after it none, whoever says so. */
  #rulesAt({ number, time, blockOverrides }: PlannedBlock): { fork: Fork; difficulty: bigint } {
    const { schedule } = this.#deps.engine;
    const { mergeBlock } = schedule;
    const inherited = mergeBlock !== undefined && number >= mergeBlock ? 0n : this.#parent.difficulty;
    const fork = schedule.at(number, time, inherited);
    return { fork, difficulty: fork.atLeast('paris') ? 0n : (blockOverrides?.difficulty ?? inherited) };
  }

  #env(
    { number, time, blockOverrides = {} }: PlannedBlock,
    fork: Fork,
    difficulty: bigint,
    excessBlobGas: bigint | undefined,
  ): BlockEnv {
    const open = this.#open;
    this.#open = undefined;
    const computed = open?.baseFeePerGas ?? nextBaseFee(this.#parent, fork);
    const baseFeePerGas = computed === undefined ? undefined : this.#request.validation ? computed : 0n;
    const blobFee = blobBaseFee(excessBlobGas, fork);
    const parent = { number: this.#parent.number, hash: this.#parentHash };
    const env = overrideEnv(
      {
        number,
        timestamp: time,
        coinbase: this.#coinbase,
        gasLimit: this.#gasLimit,
        difficulty,
        prevRandao: ZERO_HASH,
        ...(baseFeePerGas !== undefined && { baseFeePerGas }),
        ...(blobFee !== undefined && { blobBaseFee: blobFee }),
        blockHash: (n) => (n === parent.number ? parent.hash : (this.#hashes.get(n) ?? this.#deps.hashOf(n))),
      },
      blockOverrides,
    );
    // What one block overrides here, those after it inherit (geth, `makeHeaders`).
    this.#coinbase = env.coinbase;
    this.#gasLimit = env.gasLimit;
    return env;
  }

  async #message(
    call: PlannedBlock['calls'][number],
    env: BlockEnv,
    gasUsed: bigint,
    state: StateView,
  ): Promise<Message> {
    const remaining = env.gasLimit - gasUsed;
    const wanted = call.gas ?? remaining;
    if (wanted > remaining) throw new DevnetError('blockGasLimit', { remaining, required: wanted });
    if (this.#gasLeft === 0n) {
      throw new DevnetError('clientLimit', {
        reason: `the simulation used all of its ${this.#options.gasLimit} gas`,
      });
    }
    const gas = wanted < this.#gasLeft ? wanted : this.#gasLeft;
    const nonce = call.nonce ?? (await state.getAccount(call.from ?? ZERO_ADDRESS))?.nonce ?? 0n;
    return toSimulatedMessage({ ...call, gas }, { gas, nonce, chainId: this.#deps.engine.schedule.chainId });
  }

  async #execute(
    message: Message,
    env: BlockEnv,
    state: Overlay,
    precompiles: Precompiles | undefined,
  ): Promise<Executed> {
    const outcome = await this.#deps.engine.execute(message, env, state, this.#rules, {
      ...(precompiles && { precompiles }),
      numberLogs: true,
      console: true,
      background: true,
    });
    if (outcome.kind === 'invalid') throw asSimulated(outcome.error);
    this.#gasLeft -= outcome.gasUsed;
    return outcome;
  }

  async #requests(receipts: readonly Receipt[], env: BlockEnv, state: Overlay): Promise<Uint8Array[]> {
    try {
      return await collectRequests(receipts, env, state, this.#deps.engine);
    } catch (error) {
      // The caller may have overridden a system contract.
      throw new DevnetError('server', { reason: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Carries the block's writes on to the next one. @returns the state root, zero where none is computed */
  #fold(state: Overlay): Uint8Array {
    if (this.#state instanceof TrieState) {
      this.#state = this.#state.fold(state.writes());
      return this.#state.root;
    }
    this.#state.apply(state.writes());
    return ZERO_HASH;
  }
}

function receiptOf(message: Message, executed: Executed, cumulativeGasUsed: bigint): Receipt {
  const logs = executed.logs.filter(({ transfer }: Log) => !transfer);
  return {
    type: message.type,
    status: executed.success,
    gasUsed: executed.gasUsed,
    cumulativeGasUsed,
    logsBloom: bloomOf(logs),
    logs,
    effectiveGasPrice: executed.effectiveGasPrice,
    ...(executed.depositNonce !== undefined && { depositNonce: executed.depositNonce }),
  };
}
