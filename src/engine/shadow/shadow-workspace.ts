import { Address, bytesToHex, equalsBytes } from '@ethereumjs/util';
import type { Invalid, Message, Outcome, Rules } from '../../protocol/types.ts';
import type { ChainState } from '../../state/chain-state.ts';
import { integerOf } from '../../state/integers.ts';
import { decodeRlp } from '../../state/rlp-items.ts';
import { TrieState } from '../../state/trie-state.ts';
import { type Awaitable, andThen, type StateView, type StateWrites } from '../../state/view.ts';
import type { Executable } from '../message.ts';
import type {
  Accesses,
  AddOptions,
  BlockFinish,
  BlockStart,
  ExecutedMessage,
  Included,
  MadeBlock,
  Reopened,
  Workspace,
} from '../workspace.ts';
import { type Compared, ComparedSteps } from './compared-steps.ts';
import { outcomeDifference, type Part, textOf } from './differences.ts';

/** The fields of an outcome that a block's receipt keeps. */
const IN_RECEIPT = [
  'success',
  'gasUsed',
  'counted',
  'blobGasUsed',
  'logs',
  'createdAddress',
  'effectiveGasPrice',
];

/** Makes blocks in a workspace, and compares each step, including the protocol's own writes, with that of the reference. */
export class ShadowWorkspace implements Workspace {
  readonly #own: Workspace;
  readonly #reference: Workspace;
  readonly #steps: ComparedSteps;

  constructor(base: StateView, compared: Compared<Workspace>) {
    this.#own = compared.own;
    this.#reference = compared.reference;
    this.#steps = new ComparedSteps(base, compared);
  }

  get decodes(): boolean {
    return this.#own.decodes;
  }

  get state(): StateView {
    return this.#own.state;
  }

  get accesses(): Accesses | undefined {
    return this.#own.accesses;
  }

  async open(start: BlockStart, before?: Reopened): Promise<void> {
    this.#steps.block = `block ${start.env.number}`;
    await this.#reference.open(start, before);
    await this.#own.open(start, before);
    await this.#steps.compare('start');
  }

  /** Compares only once, after the last block. */
  async openEach(starts: Iterable<BlockStart>): Promise<void> {
    const all = [...starts];
    this.#steps.block = `block ${all.at(-1)?.env.number}`;
    await this.#reference.openEach(all);
    await this.#own.openEach(all);
    await this.#steps.compare('start');
  }

  async add(
    message: Message,
    raw: Uint8Array,
    rules: Rules,
    options: AddOptions,
  ): Promise<ExecutedMessage | Invalid> {
    const wanted = await this.#reference.add(message, raw, rules, options);
    const got = await this.#own.add(message, raw, rules, options);
    const hasAccessLists = this.#reference.accesses !== undefined;
    const difference = outcomeDifference(wanted, got, { hasAccessLists });
    await this.#steps.compare(`message to ${message.to ?? 'nobody'}`, difference);
    return got;
  }

  async addSigned(
    transaction: Executable,
    rules: Rules,
    options: { console: boolean },
  ): Promise<Included | ExecutedMessage | Invalid> {
    const wanted = (await this.#reference.addSigned(transaction, rules, options)) as Outcome;
    const got = await this.#own.addSigned(transaction, rules, options);
    const hasAccessLists = this.#reference.accesses !== undefined;
    const difference =
      got.kind === 'included'
        ? outcomeDifference(wanted, receiptOf(got), { only: IN_RECEIPT, hasAccessLists })
        : outcomeDifference(wanted, got, { hasAccessLists });
    await this.#steps.compare(`transaction to ${transaction.tx.to ?? 'nobody'}`, difference);
    return got;
  }

  nonceOf(address: Address): Awaitable<bigint> {
    return this.#own.nonceOf(address);
  }

  apply(writes: StateWrites): Awaitable<void> {
    return andThen(this.#own.apply(writes), () => this.#reference.apply(writes));
  }

  async seal(finish: BlockFinish): Promise<MadeBlock> {
    // If both the reference and the workspace fail, the workspace's error is thrown.
    const sealing = async () => this.#reference.seal(finish);
    const wanted = await sealing().catch((error: Error) => ({ error }));
    const made = await this.#own.seal(finish);
    if ('error' in wanted) this.#steps.report('end', `error: ${wanted.error.message} and none`);
    else {
      if (textOf(wanted.requests) !== textOf(made.requests))
        this.#steps.report('end', `requests: ${textOf(wanted.requests)} and ${textOf(made.requests)}`);
      await this.#steps.compare('end');
      if (textOf(wanted.accessList) !== textOf(made.accessList))
        this.#steps.report('end', `access list: ${textOf(wanted.accessList)} and ${textOf(made.accessList)}`);
    }
    return made;
  }

  writes(): StateWrites {
    return this.#own.writes();
  }

  async keep(): Promise<{ state: ChainState; writes: StateWrites }> {
    const kept = await this.#own.keep();
    const { state } = kept;
    if (state instanceof TrieState && !equalsBytes(state.root, state.rootOfTries))
      this.#steps.report('state root', `${bytesToHex(state.rootOfTries)} and ${bytesToHex(state.root)}`);
    return kept;
  }

  discard(): void {
    this.#own.discard();
  }
}

/** The outcome that a stored receipt contains: its fields are described in `block-codec.ts`. */
function receiptOf({ succeeded, gasUsed, counted, blobGasUsed, encodings }: Included): Part {
  type Item = Uint8Array | Item[];
  const fields = decodeRlp(encodings.stored) as Item[];
  const logs = fields[6] as [Uint8Array, Uint8Array[], Uint8Array][];
  const [created] = fields[7] as Uint8Array[];
  return {
    kind: 'executed',
    success: succeeded,
    gasUsed,
    ...(counted && { counted }),
    blobGasUsed,
    effectiveGasPrice: integerOf(fields[8] as Uint8Array),
    logs: logs.map(([address, topics, data]) => ({ address: new Address(address), topics, data })),
    ...(created && { createdAddress: new Address(created) }),
  };
}
