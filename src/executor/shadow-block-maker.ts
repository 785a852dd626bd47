import { Address, bytesToHex, equalsBytes } from '@ethereumjs/util';
import type {
  AddOptions,
  BlockFinish,
  BlockMaker,
  BlockSoFar,
  BlockStart,
  Included,
  MadeBlock,
} from '../evm/block-maker.ts';
import { type Executable, messageOf } from '../evm/message.ts';
import { writeEnd, writeStart } from '../evm/protocol-writes.ts';
import type { BlockEnv, Message, Outcome, Rules } from '../evm/types.ts';
import type { ChainState } from '../state/chain-state.ts';
import { integerOf } from '../state/integers.ts';
import { Overlay } from '../state/overlay.ts';
import { decodeRlp } from '../state/rlp-items.ts';
import { TrieState } from '../state/trie-state.ts';
import type { Awaitable, StateView, StateWrites } from '../state/view.ts';
import { giveWay } from '../turns.ts';
import { type Part, stateDifference, textOf } from './differences.ts';
import type { Reference } from './reference.ts';

export interface ShadowBlockMakerDeps {
  readonly maker: BlockMaker;
  readonly reference: Reference;
  readonly report: (difference: string) => void;
}

/** Fields of an outcome that are in a receipt. */
const IN_RECEIPT = ['success', 'gasUsed', 'blobGasUsed', 'logs', 'createdAddress', 'effectiveGasPrice'];

/** Makes blocks in a maker, and compares each step, what the protocol itself writes included, with what the reference writes. */
export class ShadowBlockMaker implements BlockMaker {
  readonly #base: StateView;
  readonly #deps: ShadowBlockMakerDeps;
  /** the state that the reference has reached */
  readonly #expected: Overlay;
  #env: BlockEnv | undefined;

  constructor(base: StateView, deps: ShadowBlockMakerDeps) {
    this.#base = base;
    this.#deps = deps;
    this.#expected = new Overlay(base);
  }

  get decodes(): boolean {
    return this.#deps.maker.decodes;
  }

  get state(): StateView {
    return this.#deps.maker.state;
  }

  async open(start: BlockStart, before?: BlockSoFar): Promise<void> {
    const { maker, reference } = this.#deps;
    this.#env = start.env;
    if (!before) await writeStart(start, this.#expected, reference.engine);
    await maker.open(start, before);
    await this.#compareState('start');
  }

  /** Compares once, at the end. */
  async openEach(starts: Iterable<BlockStart>): Promise<void> {
    const { maker, reference } = this.#deps;
    const all = [...starts];
    for (const start of all) {
      await giveWay();
      this.#env = start.env;
      await writeStart(start, this.#expected, reference.engine);
    }
    await maker.openEach(all);
    await this.#compareState('start');
  }

  async add(message: Message, raw: Uint8Array, rules: Rules, options: AddOptions): Promise<Outcome> {
    const { maker, reference } = this.#deps;
    const compare = await reference.execute(message, this.#env!, this.#expected, rules, options);
    const got = await maker.add(message, raw, rules, options);
    const difference = await compare(got, this.#reached());
    if (difference) this.#report(`message to ${message.to ?? 'nobody'}`, difference);
    return got;
  }

  async addSigned(
    transaction: Executable,
    rules: Rules,
    options: { console: boolean },
  ): Promise<Included | Outcome> {
    const { maker, reference } = this.#deps;
    const message = messageOf(transaction);
    const compare = await reference.execute(message, this.#env!, this.#expected, rules, options);
    const got = await maker.addSigned(transaction, rules, options);
    const difference =
      got.kind === 'included'
        ? await compare(receiptOf(got), this.#reached(), IN_RECEIPT)
        : await compare(got, this.#reached());
    if (difference) this.#report(`transaction to ${message.to ?? 'nobody'}`, difference);
    return got;
  }

  nonceOf(address: Address): Awaitable<bigint> {
    return this.#deps.maker.nonceOf(address);
  }

  apply(writes: StateWrites): void {
    this.#deps.maker.apply(writes);
    this.#expected.apply(writes);
  }

  async seal(finish: BlockFinish): Promise<MadeBlock> {
    const { maker, reference } = this.#deps;
    const expected = new Overlay(this.#expected);
    // Where the reference fails too, the maker's error is the one to be told.
    const ending = async () => ({ requests: await writeEnd(finish, this.#env!, expected, reference.engine) });
    const wanted = await ending().catch((error: Error) => ({ error }));
    const made = await maker.seal(finish);
    if ('error' in wanted) this.#report('end', `error: ${wanted.error.message} and none`);
    else if (textOf(wanted.requests) !== textOf(made.requests))
      this.#report('end', `requests: ${textOf(wanted.requests)} and ${textOf(made.requests)}`);
    this.#expected.apply(expected.writes());
    await this.#compareState('end');
    return made;
  }

  writes(): StateWrites {
    return this.#deps.maker.writes();
  }

  async keep(): Promise<{ state: ChainState; writes: StateWrites }> {
    const kept = await this.#deps.maker.keep();
    const { state } = kept;
    if (state instanceof TrieState && !equalsBytes(state.root, state.rootOfTries))
      this.#report('state root', `${bytesToHex(state.rootOfTries)} and ${bytesToHex(state.root)}`);
    return kept;
  }

  discard(): void {
    this.#deps.maker.discard();
  }

  #reached(): Overlay {
    const state = new Overlay(this.#base);
    state.apply(this.#deps.maker.writes());
    return state;
  }

  async #compareState(place: string): Promise<void> {
    const difference = await stateDifference(this.#expected, this.#reached());
    if (difference) this.#report(place, difference);
  }

  #report(place: string, difference: string): void {
    this.#deps.report(`block ${this.#env!.number}, ${place}: ${difference}`);
  }
}

/** What a stored receipt says of the outcome: `block-codec.ts` has its fields. */
function receiptOf({ succeeded, gasUsed, blobGasUsed, encodings }: Included): Part {
  type Item = Uint8Array | Item[];
  const fields = decodeRlp(encodings.stored) as Item[];
  const logs = fields[6] as [Uint8Array, Uint8Array[], Uint8Array][];
  const [created] = fields[7] as Uint8Array[];
  return {
    kind: 'executed',
    success: succeeded,
    gasUsed,
    blobGasUsed,
    effectiveGasPrice: integerOf(fields[8] as Uint8Array),
    logs: logs.map(([address, topics, data]) => ({ address: new Address(address), topics, data })),
    ...(created && { createdAddress: new Address(created) }),
  };
}
