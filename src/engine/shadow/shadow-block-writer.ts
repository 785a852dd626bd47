import { bloomOf } from '../../protocol/bloom.ts';
import type { LoggingReceipt } from '../../protocol/requests.ts';
import type { BlockEnv, CountedGas, Executed, Message } from '../../protocol/types.ts';
import { EMPTY_BYTES } from '../../state/account.ts';
import { Overlay } from '../../state/overlay.ts';
import { type Awaitable, andThen, type StateView, type StateWrites } from '../../state/view.ts';
import { type BlockFinish, type BlockMaker, type PlannedStart, startOf } from '../block-maker.ts';
import type { BlockWriter, WriteOptions, WrittenBlock } from '../block-writer.ts';
import type { Precompiles } from '../engine.ts';
import type { CoreBlockWriter } from '../wasm/core-block-writer.ts';
import { accessDifference, outcomeDifference, stateDifference } from './differences.ts';

export interface ShadowBlockWriterDeps {
  readonly writer: CoreBlockWriter;
  /** with which it is compared, on the same state */
  readonly reference: BlockMaker;
  readonly report: (difference: string) => void;
}

/** Writes simulated blocks, and compares each step, what the protocol itself writes included, with that of the reference. */
export class ShadowBlockWriter implements BlockWriter {
  readonly #base: StateView;
  readonly #options: WriteOptions;
  readonly #deps: ShadowBlockWriterDeps;
  #env: BlockEnv | undefined;
  #precompiles: Precompiles | undefined;
  #receipts: LoggingReceipt[] = [];

  constructor(base: StateView, options: WriteOptions, deps: ShadowBlockWriterDeps) {
    this.#base = base;
    this.#options = options;
    this.#deps = deps;
  }

  get state(): StateView {
    return this.#deps.writer.state;
  }

  get counted(): CountedGas {
    return this.#deps.writer.counted;
  }

  apply(writes: StateWrites): Awaitable<void> {
    const { writer, reference } = this.#deps;
    return andThen(writer.apply(writes), () => reference.apply(writes));
  }

  async open(planned: PlannedStart, precompiles: Precompiles | undefined): Promise<void> {
    const { writer, reference } = this.#deps;
    this.#env = planned.env;
    this.#precompiles = precompiles;
    this.#receipts = [];
    await reference.open(startOf(planned));
    await writer.open(planned, precompiles);
    await this.#compare('start');
  }

  async add(given: Message, hasNonce: boolean): Promise<bigint> {
    const { writer, reference } = this.#deps;
    const nonce = hasNonce ? given.nonce : await reference.nonceOf(given.from);
    const message = { ...given, nonce };
    const options = { precompiles: this.#precompiles, numberLogs: true };
    const wanted = await reference.add(message, EMPTY_BYTES, this.#options.rules, options);
    // Where it is refused, the caller is told why; that both refuse it is compared by what they leave.
    const gasUsed = await writer.add(given, hasNonce);
    const got = writer.last;
    await this.#compare(
      `message to ${message.to ?? 'nobody'}`,
      outcomeDifference(wanted, got, { hasAccessLists: reference.accesses !== undefined }),
    );
    this.#receipts.push(receiptOf(got));
    return gasUsed;
  }

  async seal(withdrawals: BlockFinish['withdrawals']): Promise<WrittenBlock> {
    const { writer, reference } = this.#deps;
    const sealed = await writer.seal(withdrawals);
    const { blobGasUsed } = sealed;
    await reference.seal({ withdrawals, uncles: [], receipts: this.#receipts, blobGasUsed, strict: true });
    await this.#compare('end');
    return sealed;
  }

  end(): string | Uint8Array {
    return this.#deps.writer.end();
  }

  discard(): void {
    this.#deps.writer.discard();
  }

  /** Compares where both have come to. @param difference one that is known already */
  async #compare(place: string, difference?: string): Promise<void> {
    const { writer, reference } = this.#deps;
    const found =
      difference ??
      (await stateDifference(this.#after(reference), this.#after(writer))) ??
      accessDifference(reference.accesses, writer.accesses);
    if (found) this.#report(place, found);
  }

  #after(made: Pick<BlockMaker, 'writes'>): Overlay {
    const state = new Overlay(this.#base);
    state.apply(made.writes());
    return state;
  }

  #report(place: string, difference: string): void {
    this.#deps.report(`simulated block ${this.#env!.number}, ${place}: ${difference}`);
  }
}

/** Logs of ETH transfers are in no receipt. */
function receiptOf({ logs }: Executed): LoggingReceipt {
  const own = logs.filter(({ transfer }) => !transfer);
  return { logs: own, logsBloom: bloomOf(own) };
}
