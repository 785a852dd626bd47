import type { Block, BlockView, Header } from '../../chain/block.ts';
import { BlockBuilder } from '../../chain/block-builder.ts';
import { type BlockDraft, type BlockPlan, type Parent, startOf } from '../../chain/block-draft.ts';
import type { ParentHeader } from '../../chain/fees.ts';
import { asSimulated, DevnetError } from '../../errors.ts';
import { type BlockMaker, makeIn } from '../../evm/block-maker.ts';
import type { BlockWriter, WriteOptions } from '../../evm/block-writer.ts';
import { CALL_RULES, type Engine, type Precompiles } from '../../evm/engine.ts';
import type { HexCall } from '../../evm/hex-call.ts';
import type { BlockEnv, Executed, Message, Rules } from '../../evm/types.ts';
import type { Contracts } from '../../sources/contracts.ts';
import { Overlay } from '../../state/overlay.ts';
import { TrieState } from '../../state/trie-state.ts';
import { type Awaitable, andThen, inOrder } from '../../state/view.ts';
import { type Pauses, turns } from '../../turns.ts';
import { callError, type Failed } from '../call-error.ts';
import { type CallRequest, toSimulatedMessage, ZERO_ADDRESS } from '../call-request.ts';
import { applyStateOverrides, mayMovePrecompiles, type StateOverrides } from '../overrides.ts';
import { draftSimulated } from './draft.ts';
import type { PlannedBlock, SimulationRequest } from './plan.ts';
import { unsignedTransaction } from './unsigned-transaction.ts';

/** Calls and blocks that are written between two looks at the clock: each runs a fraction of a millisecond without waiting. */
const STEPS = 8;

export interface SimulatorOptions {
  /** gas limit of all calls of one simulation together */
  readonly gasLimit: bigint;
  /** whether to compute real state roots; else they are zero */
  readonly stateRoot: boolean;
  /** seconds from a block to the next one, if that one has no time of its own */
  readonly timeIncrement: () => bigint;
}

export interface SimulatorDeps {
  readonly engine: Engine;
  readonly hashOf: BlockEnv['blockHash'];
  readonly headerOf: (hash: Uint8Array) => Header | undefined;
  /** decodes custom errors */
  readonly contracts: Contracts;
  /** default: as background work without a caller */
  readonly pauses?: Pauses;
}

/** A simulated block and its calls' results. Logs of ETH transfers are in the results, not in the receipts. */
export interface SimulatedBlock {
  readonly block: Block;
  readonly calls: readonly Executed[];
}

/** What a simulation starts on. */
export interface SimulationBase {
  /** parent of the first simulated block */
  readonly parent: Pick<BlockView, 'header' | 'hash'>;
  /** header of the open block, when the first simulated block continues it */
  readonly open?: Header;
}

/** One simulation in progress: the state and headers so far. */
export class SimulationRun {
  readonly #options: SimulatorOptions;
  readonly #deps: SimulatorDeps;
  readonly #request: Pick<SimulationRequest, 'validation' | 'traceTransfers'>;
  readonly #rules: Rules;
  readonly #writing: WriteOptions;
  readonly #hashes = new Map<bigint, Uint8Array>();
  #parent: Parent;
  /** the open block's header, until the first simulated block has taken its fields */
  #open: Header | undefined;
  #coinbase: Header['coinbase'];
  #gasLimit: bigint;
  #gasLeft: bigint;
  /** has the state so far */
  readonly #maker: BlockMaker;
  /** calls and blocks that were written */
  #steps = 0;

  constructor(
    options: SimulatorOptions,
    deps: SimulatorDeps,
    request: Pick<SimulationRequest, 'validation' | 'traceTransfers'>,
    view: BlockView,
    base: SimulationBase,
  ) {
    this.#options = options;
    this.#deps = deps;
    this.#request = request;
    // Even under validation a contract may be the sender: the specification exempts sender code and signature checks.
    this.#rules = {
      ...CALL_RULES,
      nonce: request.validation,
      fees: request.validation,
      transferLogs: request.traceTransfers,
    };
    this.#writing = { rules: this.#rules, errorText: (failed) => errorText(failed, deps.contracts) };
    this.#parent = base.parent;
    this.#open = base.open;
    this.#coinbase = (base.open ?? base.parent.header).coinbase;
    this.#gasLimit = (base.open ?? base.parent.header).gasLimit;
    this.#gasLeft = options.gasLimit;
    // The state of a forked chain has no root that means something.
    const withStateRoot = options.stateRoot && view.state instanceof TrieState;
    this.#maker = deps.engine.blockMaker(view.state, { background: deps.pauses ?? turns, withStateRoot });
  }

  /** Simulates blocks. To be called once. */
  async simulate(blocks: readonly PlannedBlock[]): Promise<SimulatedBlock[]> {
    return makeIn(this.#maker, async () => {
      const results: SimulatedBlock[] = [];
      for (const block of blocks) results.push(await this.#simulateBlock(block));
      return results;
    });
  }

  async #simulateBlock(planned: PlannedBlock): Promise<SimulatedBlock> {
    const { pauses = turns } = this.#deps;
    const draft = this.#draft(planned);
    const { env } = draft;
    const precompiles = planned.stateOverrides?.size
      ? await this.#override(planned.stateOverrides, env)
      : undefined;
    const opening = this.#maker.open(startOf(draft));
    if (opening instanceof Promise) await opening;

    const builder = new BlockBuilder(draft, this.#maker);
    const calls: Executed[] = [];
    // Awaits only real promises: most calls are there at once.
    for (const call of planned.calls) {
      const executing = andThen(this.#message(call, env, builder), (message) =>
        this.#execute(message, builder, precompiles),
      );
      calls.push(executing instanceof Promise ? await executing : executing);
      if (pauses.due) await pauses.pause();
    }

    if (pauses.due) await pauses.pause();
    const sealing = this.#ending(() => builder.seal({ strict: true }));
    const { block } = sealing instanceof Promise ? await sealing : sealing;
    this.#hashes.set(planned.number, block.hash);
    this.#parent = block;
    return { block, calls };
  }

  /**
   * Simulates blocks whose JSON the engine writes, which is much faster than {@link simulate}.
   * @returns the JSON of the blocks with their calls, in UTF-8 where it is long; `undefined` when that can't be done: a new run has
   * to simulate them all
   */
  write(blocks: readonly PlannedBlock<HexCall>[]): Awaitable<string | Uint8Array | undefined> {
    return makeIn(this.#maker, () =>
      andThen(
        inOrder(blocks, (block) => this.#writeBlock(block)),
        (areWritten) => (areWritten ? this.#maker.writer?.end() : undefined),
      ),
    );
  }

  /** @returns whether that could be done */
  #writeBlock(planned: PlannedBlock<HexCall>): Awaitable<boolean> {
    const draft = this.#draft(planned);
    const { env, plan } = draft;
    const { calls, stateOverrides } = planned;
    const { writer } = this.#maker;
    if (!writer) return false;
    const steps: (() => Awaitable<boolean | undefined>)[] = [
      // The engine may have to go on elsewhere.
      () => andThen(this.#maker.open(startOf(draft)), () => this.#maker.writer !== undefined),
      () => this.#writeCalls(writer, calls, env.gasLimit),
      () => this.#giveWay(),
      () =>
        andThen(this.#sealWritten(writer, plan.withdrawals), (block) => {
          if (!block) return false;
          this.#hashes.set(env.number, block.hash);
          this.#parent = { hash: block.hash, header: nextParent(draft, block.gasUsed) };
          return true;
        }),
    ];
    if (stateOverrides?.size) steps.unshift(() => this.#writeOverrides(writer, stateOverrides, env));
    return inOrder(steps, (step) => step());
  }

  /** @returns whether that could be done */
  #writeOverrides(writer: BlockWriter, overrides: StateOverrides, env: BlockEnv): Awaitable<boolean> {
    const written = !mayMovePrecompiles(overrides) && writer.override(overrides);
    return andThen(
      written,
      (areWritten) => areWritten || andThen(this.#override(overrides, env), (precompiles) => !precompiles),
    );
  }

  /** @returns whether that could be done */
  #writeCalls(writer: BlockWriter, calls: readonly HexCall[], gasInBlock: bigint): Awaitable<boolean> {
    let gasLeft = gasInBlock;
    return inOrder(calls, (call) => {
      const gas = call.amounts?.gas ?? gasLeft;
      // What is wrong is told where the call is decoded.
      if (gas > gasLeft || this.#gasLeft === 0n) return false;
      const adding = writer.add(call, gas < this.#gasLeft ? gas : this.#gasLeft, this.#writing);
      return andThen(adding, (used) => {
        if (used === undefined) return false;
        gasLeft = gasInBlock - writer.blockGasUsed;
        this.#gasLeft -= used;
        return this.#giveWay();
      });
    });
  }

  /** @returns a promise when other work should go on now. It looks at the clock from time to time only. */
  #giveWay(): Promise<undefined> | undefined {
    if (++this.#steps % STEPS > 0) return undefined;
    const { pauses = turns } = this.#deps;
    return pauses.due ? pauses.pause().then(() => undefined) : undefined;
  }

  /** Writes overrides to the state before a block. @returns the precompiles, where some were moved */
  #override(overrides: StateOverrides, env: BlockEnv): Awaitable<Precompiles | undefined> {
    const { engine, pauses = turns } = this.#deps;
    const overridden = new Overlay(this.#maker.state);
    return andThen(
      applyStateOverrides(overridden, overrides, () => engine.precompiles(env), pauses),
      (precompiles) => {
        this.#maker.apply(overridden.writes());
        return precompiles;
      },
    );
  }

  #sealWritten(writer: BlockWriter, withdrawals: BlockPlan['withdrawals'] = []) {
    return this.#ending(() => writer.seal(withdrawals));
  }

  #draft(planned: PlannedBlock<unknown>): BlockDraft {
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

  /** The gas limit of a call. @param remaining gas of its block */
  #gasOf(call: CallRequest, remaining: bigint): bigint {
    const wanted = call.gas ?? remaining;
    if (wanted > remaining) throw new DevnetError('blockGasLimit', { remaining, required: wanted });
    if (this.#gasLeft === 0n) {
      throw new DevnetError('clientLimit', {
        reason: `the simulation used all of its ${this.#options.gasLimit} gas`,
      });
    }
    return wanted < this.#gasLeft ? wanted : this.#gasLeft;
  }

  #message(call: CallRequest, env: BlockEnv, builder: BlockBuilder): Awaitable<Message> {
    const gas = this.#gasOf(call, env.gasLimit - builder.gasUsed);
    const { chainId } = this.#deps.engine.schedule;
    return andThen(call.nonce ?? builder.nonceOf(call.from ?? ZERO_ADDRESS), (nonce) =>
      toSimulatedMessage(call, { gas, nonce, chainId }),
    );
  }

  #execute(
    message: Message,
    builder: BlockBuilder,
    precompiles: Precompiles | undefined,
  ): Awaitable<Executed> {
    const transaction = unsignedTransaction(message, this.#deps.engine.schedule.chainId);
    const added = builder.addMessage(message, transaction, this.#rules, {
      precompiles,
      numberLogs: true,
      console: true,
    });
    return andThen(added, (outcome) => {
      if (outcome.kind === 'invalid') throw asSimulated(outcome.error);
      this.#gasLeft -= outcome.gasUsed;
      return outcome;
    });
  }

  #ending<T>(end: () => Awaitable<T>): Awaitable<T> {
    const fail = (error: unknown): never => {
      if (error instanceof DevnetError) throw error;
      // The caller may have overridden a system contract.
      throw new DevnetError('server', { reason: error instanceof Error ? error.message : String(error) });
    };
    try {
      const ended = end();
      return ended instanceof Promise ? ended.catch(fail) : ended;
    } catch (error) {
      return fail(error);
    }
  }
}

function nextParent({ env, plan, excessBlobGas }: BlockDraft, gasUsed: bigint): ParentHeader {
  return {
    number: env.number,
    difficulty: env.difficulty,
    gasLimit: env.gasLimit,
    gasUsed,
    extraData: plan.extraData,
    blobGasUsed: 0n,
    ...(env.baseFeePerGas !== undefined && { baseFeePerGas: env.baseFeePerGas }),
    ...(excessBlobGas !== undefined && { excessBlobGas }),
  };
}

/** @returns `undefined` for a custom error that has to be looked up first */
function errorText(failed: Failed, contracts: Contracts): string | undefined {
  const { failure, returnData } = failed;
  const custom = failure?.revert ? contracts.errorIn(returnData) : undefined;
  if (custom instanceof Promise) {
    // Whoever simulates the block without writing it looks it up again.
    custom.catch(() => {});
    return undefined;
  }
  const { code, message, data } = callError(failed, custom)!;
  return JSON.stringify({ code, message, data });
}
