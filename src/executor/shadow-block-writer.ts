import type { BlockFinish, PlannedStart } from '../evm/block-maker.ts';
import { startOf } from '../evm/block-maker.ts';
import type { BlockWriter, WriteOptions, WrittenBlock } from '../evm/block-writer.ts';
import { bloomOf } from '../evm/bloom.ts';
import type { Precompiles } from '../evm/engine.ts';
import { writeEnd, writeStart } from '../evm/protocol-writes.ts';
import type { LoggingReceipt } from '../evm/requests.ts';
import type { BlockEnv, CountedGas, Executed, Message } from '../evm/types.ts';
import { Overlay } from '../state/overlay.ts';
import type { StateView, StateWrites } from '../state/view.ts';
import type { CoreBlockWriter } from './core-block-writer.ts';
import { stateDifference } from './differences.ts';
import type { Reference } from './reference.ts';

export interface ShadowBlockWriterDeps {
  readonly writer: CoreBlockWriter;
  readonly reference: Reference;
  readonly report: (difference: string) => void;
}

/** Writes simulated blocks, and compares each step, what the protocol itself writes included, with what the reference writes. */
export class ShadowBlockWriter implements BlockWriter {
  readonly #base: StateView;
  readonly #options: WriteOptions;
  readonly #deps: ShadowBlockWriterDeps;
  /** the state that the reference has reached */
  readonly #expected: Overlay;
  #env: BlockEnv | undefined;
  #precompiles: Precompiles | undefined;
  #receipts: LoggingReceipt[] = [];

  constructor(base: StateView, options: WriteOptions, deps: ShadowBlockWriterDeps) {
    this.#base = base;
    this.#options = options;
    this.#deps = deps;
    this.#expected = new Overlay(base);
  }

  get state(): StateView {
    return this.#deps.writer.state;
  }

  get counted(): CountedGas {
    return this.#deps.writer.counted;
  }

  apply(writes: StateWrites): void {
    this.#deps.writer.apply(writes);
    this.#expected.apply(writes);
  }

  async open(planned: PlannedStart, precompiles: Precompiles | undefined): Promise<void> {
    const { writer, reference } = this.#deps;
    this.#env = planned.env;
    this.#precompiles = precompiles;
    this.#receipts = [];
    await writeStart(startOf(planned), this.#expected, reference.engine);
    await writer.open(planned, precompiles);
    await this.#compareState('start');
  }

  async add(given: Message, hasNonce: boolean): Promise<bigint> {
    const { writer, reference } = this.#deps;
    const { rules, background } = this.#options;
    const nonce = hasNonce ? given.nonce : ((await this.#expected.getAccount(given.from))?.nonce ?? 0n);
    const message = { ...given, nonce };
    const options = { precompiles: this.#precompiles, numberLogs: true, background };
    const compare = await reference.execute(message, this.#env!, this.#expected, rules, options);
    // Where it is refused, the caller is told why; that both refuse it is compared by what they leave.
    const gasUsed = await writer.add(given, hasNonce);
    const got = writer.last;
    const difference = await compare(got, this.#reached());
    if (difference) this.#report(`message to ${message.to ?? 'nobody'}`, difference);
    this.#receipts.push(receiptOf(got));
    return gasUsed;
  }

  async seal(withdrawals: BlockFinish['withdrawals']): Promise<WrittenBlock> {
    const { writer, reference } = this.#deps;
    const sealed = await writer.seal(withdrawals);
    const finish = {
      withdrawals,
      uncles: [],
      receipts: this.#receipts,
      blobGasUsed: sealed.blobGasUsed,
      strict: true,
    };
    await writeEnd(finish, this.#env!, this.#expected, reference.engine);
    await this.#compareState('end');
    return sealed;
  }

  end(): string | Uint8Array {
    return this.#deps.writer.end();
  }

  discard(): void {
    this.#deps.writer.discard();
  }

  #reached(): Overlay {
    const state = new Overlay(this.#base);
    state.apply(this.#deps.writer.writes());
    return state;
  }

  async #compareState(place: string): Promise<void> {
    const difference = await stateDifference(this.#expected, this.#reached());
    if (difference) this.#report(place, difference);
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
