import type { BlockView, Header } from '../../chain/block.ts';
import type { BlockDraft, Parent } from '../../chain/block-draft.ts';
import type { ParentHeader } from '../../chain/fees.ts';
import { CALL_RULES, type Engine, type Precompiles } from '../../engine/engine.ts';
import type { SimulationWriter } from '../../engine/simulation-writer.ts';
import { makeIn } from '../../engine/workspace.ts';
import { DevnetError } from '../../errors.ts';
import type { BlockEnv } from '../../protocol/types.ts';
import { executionGasOf } from '../../protocol/validity.ts';
import type { Contracts } from '../../sources/contracts.ts';
import { Overlay } from '../../state/overlay.ts';
import { TrieState } from '../../state/trie-state.ts';
import { type Awaitable, andThen, inOrder, orElse } from '../../state/view.ts';
import type { Pauses } from '../../turns.ts';
import { callError, type Failed } from '../call-error.ts';
import { type CallRequest, toSimulatedMessage } from '../call-request.ts';
import { applyStateOverrides, type StateOverrides } from '../overrides.ts';
import { draftSimulated } from './draft.ts';
import { ObjectWriter, type SimulatedBlock } from './object-writer.ts';
import type { PlannedBlock, SimulationRequest } from './plan.ts';

/** Number of calls and blocks between two checks of the clock; most take a fraction of a millisecond. */
const STEPS = 8;

export interface SimulatorOptions {
  /** gas limit of all calls of one simulation together */
  readonly gasLimit: bigint;
  /** whether to compute real state roots; otherwise they are zero */
  readonly stateRoot: boolean;
  /** default time from a block to the next one, seconds */
  readonly timeIncrement: () => bigint;
}

export interface SimulatorDeps {
  readonly engine: Engine;
  readonly hashOf: BlockEnv['blockHash'];
  readonly headerOf: (hash: Uint8Array) => Header | undefined;
  /** decodes custom errors */
  readonly contracts: Contracts;
}

/** The block on which a simulation starts. */
export interface SimulationBase {
  /** parent of the first simulated block */
  readonly parent: Pick<BlockView, 'header' | 'hash'>;
  /** header of the open block, when the first simulated block continues it */
  readonly open?: Header;
}

/** Runs calls in blocks: the engine's {@link SimulationWriter}, which writes JSON, or else {@link ObjectWriter}. */
type Writer = Omit<SimulationWriter, 'open' | 'end'> & {
  open(draft: BlockDraft, precompiles: Precompiles | undefined): Awaitable<void>;
  end(): Simulated;
};

/** Result of a simulation: JSON as a string or, if long, as UTF-8; or blocks that still have to be formatted. */
export type Simulated = string | Uint8Array | readonly SimulatedBlock[];

/** One simulation in progress: the state and headers so far. */
export class SimulationRun {
  readonly #options: SimulatorOptions;
  readonly #deps: SimulatorDeps;
  readonly #request: Omit<SimulationRequest, 'blockStateCalls'>;
  readonly #pauses: Pauses;
  readonly #hashes = new Map<bigint, Uint8Array>();
  #parent: Parent;
  /** the open block's header, until the first simulated block has taken its fields */
  #open: Header | undefined;
  #coinbase: Header['coinbase'];
  #gasLimit: bigint;
  #gasLeft: bigint;
  /** contains the state so far */
  readonly #writer: Writer;
  /** number of simulated calls and blocks */
  #steps = 0;

  constructor(
    options: SimulatorOptions,
    deps: SimulatorDeps,
    request: Omit<SimulationRequest, 'blockStateCalls'>,
    view: BlockView,
    base: SimulationBase,
    pauses: Pauses,
  ) {
    this.#options = options;
    this.#deps = deps;
    this.#request = request;
    this.#pauses = pauses;
    this.#parent = base.parent;
    this.#open = base.open;
    this.#coinbase = (base.open ?? base.parent.header).coinbase;
    this.#gasLimit = (base.open ?? base.parent.header).gasLimit;
    this.#gasLeft = options.gasLimit;
    this.#writer = this.#writerOn(view);
  }

  /** Simulates blocks. Must be called only once. */
  simulate(blocks: readonly PlannedBlock[]): Awaitable<Simulated> {
    const writer = this.#writer;
    return makeIn(writer, () =>
      andThen(
        inOrder(blocks, (block) => this.#simulateBlock(block)),
        () => writer.end(),
      ),
    );
  }

  #writerOn({ state }: BlockView): Writer {
    const { engine, contracts } = this.#deps;
    const { validation, traceTransfers } = this.#request;
    const background = this.#pauses;
    // Even with `validation` a contract may be the sender: the specification excludes checks of sender code and signature.
    const { baseFee, sender, gasCap } = CALL_RULES;
    const rules = {
      nonce: validation,
      fees: validation,
      baseFee,
      sender,
      gasCap,
      transferLogs: traceTransfers,
    };
    // The root of a forked state isn't a real state root: it covers only the differences from the other chain.
    const withStateRoot = this.#options.stateRoot && state instanceof TrieState;
    const options = {
      rules,
      withStateRoot,
      fullTransactions: this.#request.returnFullTransactions,
      errorText: (failed: Failed) => errorText(failed, contracts),
      background,
    };
    const writer = engine.simulationWriter(state, options);
    return writer ?? new ObjectWriter(engine.workspace(state, { background, withStateRoot }), engine, rules);
  }

  #simulateBlock(planned: PlannedBlock): Awaitable<undefined> {
    const draft = this.#draft(planned);
    const { calls, stateOverrides } = planned;
    const precompiles = stateOverrides?.size ? this.#override(stateOverrides, draft.env) : undefined;
    return andThen(
      andThen(precompiles, (moved) => this.#writer.open(draft, moved)),
      () => andThen(this.#run(calls, draft), () => andThen(this.#giveWay(), () => this.#seal(draft))),
    );
  }

  #run(calls: readonly CallRequest[], draft: BlockDraft): Awaitable<unknown> {
    const { chainId } = this.#deps.engine.schedule;
    return inOrder(calls, (call) => {
      const gas = this.#gasOf(call, draft);
      const message = toSimulatedMessage(call, { gas, nonce: 0n, chainId });
      return andThen(this.#writer.add(message, call.nonce !== undefined), (used) => {
        this.#gasLeft -= used;
        return this.#giveWay();
      });
    });
  }

  #seal(draft: BlockDraft): Awaitable<undefined> {
    const sealing = orElse(() => this.#writer.seal(draft.plan.withdrawals ?? []), failSealing);
    return andThen(sealing, ({ hash, gasUsed, blobGasUsed }) => {
      this.#hashes.set(draft.env.number, hash);
      this.#parent = { hash, header: nextParent(draft, gasUsed, blobGasUsed) };
      return undefined;
    });
  }

  /** Lets other work run if the time slice is used up. Checks the clock only every few steps. */
  #giveWay(): Promise<undefined> | undefined {
    if (++this.#steps % STEPS > 0 || !this.#pauses.due) return undefined;
    return this.#pauses.pause().then(() => undefined);
  }

  /** Writes overrides to the state before a block. @returns the precompiles, if any was moved or removed */
  #override(overrides: StateOverrides, env: BlockEnv): Awaitable<Precompiles | undefined> {
    const { engine } = this.#deps;
    const writer = this.#writer;
    const overridden = new Overlay(writer.state);
    return andThen(
      applyStateOverrides(overridden, overrides, () => engine.precompiles(env), this.#pauses),
      (precompiles) => andThen(writer.apply(overridden.writes()), () => precompiles),
    );
  }

  #draft(planned: PlannedBlock): BlockDraft {
    const { engine, hashOf } = this.#deps;
    const { feeRecipient, gasLimit } = planned.blockOverrides ?? {};
    const openBaseFee = this.#open?.baseFeePerGas;
    this.#open = undefined;
    // Later blocks inherit an override of these two fields, as in geth's `makeHeaders`.
    this.#coinbase = feeRecipient ?? this.#coinbase;
    this.#gasLimit = gasLimit ?? this.#gasLimit;
    const { validation } = this.#request;
    const base = {
      parent: this.#parent,
      coinbase: this.#coinbase,
      gasLimit: this.#gasLimit,
      openBaseFee,
      validation,
    };
    return draftSimulated(planned, base, { engine, hashOf: (n) => this.#hashes.get(n) ?? hashOf(n) });
  }

  /** The gas limit of a call. It must fit both of the block's gas counters (EIP-8037). */
  #gasOf(call: CallRequest, { env, hardfork }: BlockDraft): bigint {
    const { execution, state } = this.#writer.counted;
    const remaining = env.gasLimit - (execution > state ? execution : state);
    const wanted = call.gas ?? remaining;
    if (executionGasOf(wanted, hardfork) > env.gasLimit - execution || wanted > env.gasLimit - state)
      throw new DevnetError('blockGasLimit', { remaining, required: wanted });
    if (this.#gasLeft === 0n) {
      throw new DevnetError('clientLimit', {
        reason: `the simulation used all of its ${this.#options.gasLimit} gas`,
      });
    }
    return wanted < this.#gasLeft ? wanted : this.#gasLeft;
  }
}

/** @throws DevnetError */
function failSealing(error: unknown): never {
  if (error instanceof DevnetError) throw error;
  // The caller may have overridden a system contract.
  throw new DevnetError('server', { reason: error instanceof Error ? error.message : String(error) });
}

function nextParent(
  { env, plan, excessBlobGas }: BlockDraft,
  gasUsed: bigint,
  blobGasUsed: bigint,
): ParentHeader {
  const header: { -readonly [K in keyof ParentHeader]: ParentHeader[K] } = {
    number: env.number,
    difficulty: env.difficulty,
    gasLimit: env.gasLimit,
    gasUsed,
    extraData: plan.extraData,
    blobGasUsed,
  };
  if (env.baseFeePerGas !== undefined) header.baseFeePerGas = env.baseFeePerGas;
  if (excessBlobGas !== undefined) header.excessBlobGas = excessBlobGas;
  if (env.slotNumber !== undefined) header.slotNumber = env.slotNumber;
  return header;
}

function errorText(failed: Failed, contracts: Contracts): Awaitable<string> {
  const { failure, returnData } = failed;
  return andThen(failure?.revert ? contracts.errorIn(returnData) : undefined, (custom) => {
    const { code, message, data } = callError(failed, custom)!;
    return JSON.stringify({ code, message, data });
  });
}
