import { bloomOf } from '../../protocol/bloom.ts';
import type { LoggingReceipt } from '../../protocol/requests.ts';
import type { CountedGas, Executed, Message } from '../../protocol/types.ts';
import { EMPTY_BYTES } from '../../state/account.ts';
import { type Awaitable, andThen, type StateView, type StateWrites } from '../../state/view.ts';
import type { Precompiles } from '../engine.ts';
import type { SimulationWriter, WriteOptions, WrittenBlock } from '../simulation-writer.ts';
import type { CoreSimulationWriter } from '../wasm/core-simulation-writer.ts';
import { type BlockFinish, type PlannedStart, startOf, type Workspace } from '../workspace.ts';
import { type Compared, ComparedSteps } from './compared-steps.ts';
import { outcomeDifference } from './differences.ts';

/** Writes simulated blocks, and compares each step, including the protocol's own writes, with that of the reference. */
export class ShadowSimulationWriter implements SimulationWriter {
  readonly #options: WriteOptions;
  readonly #own: CoreSimulationWriter;
  readonly #reference: Workspace;
  readonly #steps: ComparedSteps;
  #precompiles: Precompiles | undefined;
  #receipts: LoggingReceipt[] = [];

  constructor(base: StateView, options: WriteOptions, compared: Compared<CoreSimulationWriter>) {
    this.#options = options;
    this.#own = compared.own;
    this.#reference = compared.reference;
    this.#steps = new ComparedSteps(base, compared);
  }

  get state(): StateView {
    return this.#own.state;
  }

  get counted(): CountedGas {
    return this.#own.counted;
  }

  apply(writes: StateWrites): Awaitable<void> {
    return andThen(this.#own.apply(writes), () => this.#reference.apply(writes));
  }

  async open(planned: PlannedStart, precompiles: Precompiles | undefined): Promise<void> {
    this.#steps.block = `simulated block ${planned.env.number}`;
    this.#precompiles = precompiles;
    this.#receipts = [];
    await this.#reference.open(startOf(planned));
    await this.#own.open(planned, precompiles);
    await this.#steps.compare('start');
  }

  async add(given: Message, hasNonce: boolean): Promise<bigint> {
    const nonce = hasNonce ? given.nonce : await this.#reference.nonceOf(given.from);
    const message = { ...given, nonce };
    const options = { precompiles: this.#precompiles, numberLogs: true };
    const wanted = await this.#reference.add(message, EMPTY_BYTES, this.#options.rules, options);
    // If the writer rejects the message, `add` throws to the caller; whether both rejected it shows in the comparison of what they wrote.
    const gasUsed = await this.#own.add(given, hasNonce);
    const got = this.#own.last;
    await this.#steps.compare(
      `message to ${message.to ?? 'nobody'}`,
      outcomeDifference(wanted, got, { hasAccessLists: this.#reference.accesses !== undefined }),
    );
    this.#receipts.push(receiptOf(got));
    return gasUsed;
  }

  async seal(withdrawals: BlockFinish['withdrawals']): Promise<WrittenBlock> {
    const sealed = await this.#own.seal(withdrawals);
    const { blobGasUsed } = sealed;
    await this.#reference.seal({
      withdrawals,
      uncles: [],
      receipts: this.#receipts,
      blobGasUsed,
      strict: true,
    });
    await this.#steps.compare('end');
    return sealed;
  }

  end(): string | Uint8Array {
    return this.#own.end();
  }

  discard(): void {
    this.#own.discard();
  }
}

/** The receipt of an outcome. Logs of ETH transfers are not part of a receipt. */
function receiptOf({ logs }: Executed): LoggingReceipt {
  const own = logs.filter(({ transfer }) => !transfer);
  return { logs: own, logsBloom: bloomOf(own) };
}
