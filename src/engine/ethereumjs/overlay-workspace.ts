import { type Address, concatBytes } from '@ethereumjs/util';
import { countListItems, encodeAccessList } from '../../protocol/access-list.ts';
import { messagesRoot } from '../../protocol/op-stack/messages-root.ts';
import type { BlockEnv, Invalid, Message, Rules } from '../../protocol/types.ts';
import { EMPTY_BYTES, ZERO_HASH } from '../../state/account.ts';
import type { ChainState } from '../../state/chain-state.ts';
import { keccak256 } from '../../state/keccak.ts';
import { Overlay } from '../../state/overlay.ts';
import { type Awaitable, andThen, type StateView, type StateWrites } from '../../state/view.ts';
import { accessesOf, cellsOf } from '../access-cells.ts';
import { type Executable, messageOf } from '../message.ts';
import type { Touched } from '../touched.ts';
import { Counting } from '../tracers/counting.ts';
import {
  type Accesses,
  type AddOptions,
  type BlockAccessList,
  type BlockFinish,
  type BlockStart,
  type ExecutedMessage,
  type MadeBlock,
  openEach,
  type Reopened,
  type Workspace,
  type WorkspaceOptions,
} from '../workspace.ts';
import type { EthereumjsEngine } from './ethereumjs-engine.ts';
import { writeEnd, writeStart } from './protocol-writes.ts';

/** Makes blocks on an overlay, where EthereumJS executes one message after the other: blocks of every hardfork, on any state. */
export class OverlayWorkspace implements Workspace {
  readonly #options: WorkspaceOptions;
  readonly #engine: EthereumjsEngine;
  /** the writes up to {@link #sealed} */
  readonly #earlier: Overlay;
  /** the state after the last sealed block if state roots are computed; otherwise the state on which the blocks are made */
  #sealed: StateView;
  /** the current state */
  #state: Overlay;
  #env: BlockEnv | undefined;
  #accesses: Accesses | undefined;

  /** @param state the state on which the blocks are made; a {@link ChainState} for state roots */
  constructor(state: StateView, options: WorkspaceOptions, engine: EthereumjsEngine) {
    this.#options = options;
    this.#engine = engine;
    this.#sealed = state;
    this.#earlier = new Overlay(state);
    this.#state = new Overlay(state);
  }

  readonly decodes = false;

  get state(): StateView {
    return this.#state;
  }

  get accesses(): Accesses | undefined {
    return this.#accesses;
  }

  async open(start: BlockStart, before?: Reopened): Promise<void> {
    this.#env = start.env;
    const hasList = this.#engine.hardforkOf(start.env).has(7928);
    this.#accesses = hasList ? (before?.accesses ?? { indexes: 0, cells: EMPTY_BYTES }) : undefined;
    if (!before) await this.#index((state, touched) => writeStart(start, state, this.#engine, touched));
  }

  openEach(starts: Iterable<BlockStart>): Promise<void> {
    return openEach(this, starts);
  }

  async add(
    message: Message,
    _raw: Uint8Array,
    rules: Rules,
    options: AddOptions,
  ): Promise<ExecutedMessage | Invalid> {
    const env = this.#env!;
    const { background, withStateRoot } = this.#options;
    const tracer = this.#engine.counts && withStateRoot && !background ? new Counting() : undefined;
    const outcome = await this.#index(
      (state, touched) =>
        this.#engine.execute(message, env, state, rules, { ...options, background, touched, tracer }),
      ({ kind }) => kind === 'executed',
    );
    if (outcome.kind === 'invalid') return outcome;
    const { maxUsedGas, success } = outcome;
    const hasRoot = withStateRoot && !this.#engine.hardforkOf(env).atLeast('byzantium');
    return {
      ...outcome,
      ...(hasRoot && { stateRoot: this.#folded().root }),
      ...(tracer && { ran: { counts: tracer.counts, maxUsedGas, success } }),
    };
  }

  addSigned(
    transaction: Executable,
    rules: Rules,
    options: { console: boolean },
  ): Promise<ExecutedMessage | Invalid> {
    return this.add(messageOf(transaction), transaction.raw, rules, options);
  }

  nonceOf(address: Address): Awaitable<bigint> {
    return andThen(this.#state.getAccount(address), (account) => account?.nonce ?? 0n);
  }

  apply(writes: StateWrites): void {
    this.#state.apply(writes);
  }

  async seal(finish: BlockFinish): Promise<MadeBlock> {
    const env = this.#env!;
    const requests = await this.#index((state, touched) =>
      writeEnd(finish, env, state, this.#engine, touched),
    );
    const accessList = this.#accessList();
    const { withStateRoot } = this.#options;
    const stateRoot = withStateRoot ? this.#fold().root : ZERO_HASH;
    if (this.#engine.hardforkOf(env).rollup !== 'jovian') return { stateRoot, requests, accessList };
    const withdrawalsRoot = withStateRoot ? await messagesRoot(this.#sealed) : ZERO_HASH;
    return { stateRoot, requests, withdrawalsRoot };
  }

  writes(): StateWrites {
    this.#earlier.apply(this.#state.writes());
    return this.#earlier.writes();
  }

  keep(): Awaitable<{ state: ChainState; writes: StateWrites }> {
    const state = this.#fold();
    return { state, writes: this.#earlier.writes() };
  }

  discard(): void {}

  /**
   * Runs `work`, which has a block access index of its own (EIP-7928). If `work` throws, the state stays unchanged.
   * @param counts whether the result gets an index: an invalid transaction gets none
   */
  async #index<T>(
    work: (state: Overlay, touched: Touched) => Awaitable<T>,
    counts: (result: T) => boolean = () => true,
  ): Promise<T> {
    const state = new Overlay(this.#state);
    const touched: Touched = new Map();
    const result = await work(state, touched);
    if (!counts(result)) return result;
    if (this.#accesses) {
      const { indexes, cells } = this.#accesses;
      const added = await cellsOf(touched, indexes, this.#state, state);
      this.#accesses = { indexes: indexes + 1, cells: concatBytes(cells, added) };
    }
    this.#state.apply(state.writes());
    return result;
  }

  #accessList(): BlockAccessList | undefined {
    if (!this.#accesses) return undefined;
    const encoded = encodeAccessList(accessesOf(this.#accesses.cells));
    return { hash: keccak256(encoded), encoded, items: countListItems(encoded) };
  }

  /** The current state with its root. */
  #folded(): ChainState {
    return (this.#sealed as ChainState).fold(this.#state.writes());
  }

  /** Makes the current state, with its root, the base of further writes. */
  #fold(): ChainState {
    const sealed = this.#folded();
    this.#earlier.apply(this.#state.writes());
    this.#sealed = sealed;
    this.#state = new Overlay(sealed);
    return sealed;
  }
}
