import { Address, bytesToHex, equalsBytes } from '@ethereumjs/util';
import type { BlockEnv, Message, Outcome, Rules } from '../../protocol/types.ts';
import type { ChainState } from '../../state/chain-state.ts';
import { integerOf } from '../../state/integers.ts';
import { Overlay } from '../../state/overlay.ts';
import { decodeRlp } from '../../state/rlp-items.ts';
import { TrieState } from '../../state/trie-state.ts';
import { type Awaitable, andThen, type StateView, type StateWrites } from '../../state/view.ts';
import type {
  AddOptions,
  BlockAccesses,
  BlockFinish,
  BlockMaker,
  BlockSoFar,
  BlockStart,
  Included,
  MadeBlock,
} from '../block-maker.ts';
import type { Executable } from '../message.ts';
import { accessDifference, outcomeDifference, type Part, stateDifference, textOf } from './differences.ts';

export interface ShadowBlockMakerDeps {
  readonly maker: BlockMaker;
  /** with which it is compared, on the same state */
  readonly reference: BlockMaker;
  readonly report: (difference: string) => void;
}

/** Fields of an outcome that a block keeps. */
const IN_RECEIPT = [
  'success',
  'gasUsed',
  'counted',
  'blobGasUsed',
  'logs',
  'createdAddress',
  'effectiveGasPrice',
];

/** Makes blocks in a maker, and compares each step, what the protocol itself writes included, with that of the reference. */
export class ShadowBlockMaker implements BlockMaker {
  readonly #base: StateView;
  readonly #deps: ShadowBlockMakerDeps;
  #env: BlockEnv | undefined;

  constructor(base: StateView, deps: ShadowBlockMakerDeps) {
    this.#base = base;
    this.#deps = deps;
  }

  get decodes(): boolean {
    return this.#deps.maker.decodes;
  }

  get state(): StateView {
    return this.#deps.maker.state;
  }

  get accesses(): BlockAccesses | undefined {
    return this.#deps.maker.accesses;
  }

  async open(start: BlockStart, before?: BlockSoFar): Promise<void> {
    const { maker, reference } = this.#deps;
    this.#env = start.env;
    await reference.open(start, before);
    await maker.open(start, before);
    await this.#compare('start');
  }

  /** Compares once, at the end. */
  async openEach(starts: Iterable<BlockStart>): Promise<void> {
    const { maker, reference } = this.#deps;
    const all = [...starts];
    this.#env = all.at(-1)?.env;
    await reference.openEach(all);
    await maker.openEach(all);
    await this.#compare('start');
  }

  async add(message: Message, raw: Uint8Array, rules: Rules, options: AddOptions): Promise<Outcome> {
    const { maker, reference } = this.#deps;
    const wanted = await reference.add(message, raw, rules, options);
    const got = await maker.add(message, raw, rules, options);
    const hasAccessLists = reference.accesses !== undefined;
    const difference = outcomeDifference(wanted, got, { hasAccessLists });
    await this.#compare(`message to ${message.to ?? 'nobody'}`, difference);
    return got;
  }

  async addSigned(
    transaction: Executable,
    rules: Rules,
    options: { console: boolean },
  ): Promise<Included | Outcome> {
    const { maker, reference } = this.#deps;
    const wanted = (await reference.addSigned(transaction, rules, options)) as Outcome;
    const got = await maker.addSigned(transaction, rules, options);
    const hasAccessLists = reference.accesses !== undefined;
    const difference =
      got.kind === 'included'
        ? outcomeDifference(wanted, receiptOf(got), { only: IN_RECEIPT, hasAccessLists })
        : outcomeDifference(wanted, got, { hasAccessLists });
    await this.#compare(`transaction to ${transaction.tx.to ?? 'nobody'}`, difference);
    return got;
  }

  nonceOf(address: Address): Awaitable<bigint> {
    return this.#deps.maker.nonceOf(address);
  }

  apply(writes: StateWrites): Awaitable<void> {
    const { maker, reference } = this.#deps;
    return andThen(maker.apply(writes), () => reference.apply(writes));
  }

  async seal(finish: BlockFinish): Promise<MadeBlock> {
    const { maker, reference } = this.#deps;
    // Where the reference fails too, the maker's error is the one to be told.
    const sealing = async () => reference.seal(finish);
    const wanted = await sealing().catch((error: Error) => ({ error }));
    const made = await maker.seal(finish);
    if ('error' in wanted) this.#report('end', `error: ${wanted.error.message} and none`);
    else {
      if (textOf(wanted.requests) !== textOf(made.requests))
        this.#report('end', `requests: ${textOf(wanted.requests)} and ${textOf(made.requests)}`);
      await this.#compare('end');
      if (textOf(wanted.accessList) !== textOf(made.accessList))
        this.#report('end', `access list: ${textOf(wanted.accessList)} and ${textOf(made.accessList)}`);
    }
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

  /** Compares where both have come to. @param difference one that is known already */
  async #compare(place: string, difference?: string): Promise<void> {
    const { maker, reference } = this.#deps;
    const found =
      difference ??
      (await stateDifference(this.#after(reference), this.#after(maker))) ??
      accessDifference(reference.accesses, maker.accesses);
    if (found) this.#report(place, found);
  }

  #after(maker: BlockMaker): Overlay {
    const state = new Overlay(this.#base);
    state.apply(maker.writes());
    return state;
  }

  #report(place: string, difference: string): void {
    this.#deps.report(`block ${this.#env!.number}, ${place}: ${difference}`);
  }
}

/** What a stored receipt says of the outcome: `block-codec.ts` has its fields. */
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
