import { Address, bytesToHex, setLengthLeft } from '@ethereumjs/util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CALL_RULES, type Engine, TRANSACTION_RULES } from '../../../src/engine/engine.ts';
import type { BlockEnv } from '../../../src/protocol/types.ts';
import { EMPTY_BYTES, EMPTY_ROOT, NEW_ACCOUNT } from '../../../src/state/account.ts';
import { ForkedState } from '../../../src/state/forked-state.ts';
import type { GenesisAlloc } from '../../../src/state/genesis.ts';
import { MemorySource } from '../../../src/state/node-cache.ts';
import { Overlay } from '../../../src/state/overlay.ts';
import { RemoteState } from '../../../src/state/remote-state.ts';
import { TrieState } from '../../../src/state/trie-state.ts';
import { FUZZ, runs } from '../../fuzz.ts';
import { program } from '../ethereumjs/programs.ts';
import { allocOf, at, CALLED, envFields, KITCHEN, spec } from '../ethereumjs/scenarios.ts';
import { blockOf, engineOf, messageFrom, stockCommon, trieStateOf } from '../ethereumjs/stock.ts';
import { foldIn } from './fold-in.ts';

type Of<T> = T extends fc.Arbitrary<infer Value> ? Value : never;

const common = stockCommon('osaka');
const { fork } = engineOf('osaka');

const message = spec([0, 1, 2, 3, 4], true);
const index = fc.nat({ max: 9 });
const place = fc.constantFrom(KITCHEN, at(0x2001), at(0x2002), at(0x3001), at(0x4001));
const slot = fc.nat({ max: 3 }).map((n) => setLengthLeft(Uint8Array.of(n), 32));
const value = fc.constantFrom(EMPTY_BYTES, Uint8Array.of(1), Uint8Array.of(2, 3));
const write = fc.oneof(
  fc.record({ what: fc.constant('balance' as const), place, wei: fc.constantFrom(0n, 1n, 10n ** 20n) }),
  fc.record({ what: fc.constant('slot' as const), place, slot, value }),
  fc.record({ what: fc.constant('code' as const), place, code: program(CALLED, true) }),
  fc.record({ what: fc.constant('clear' as const), place }),
  fc.record({ what: fc.constant('delete' as const), place }),
);
const STEPS = {
  send: [8, fc.record({ kind: fc.constant('send' as const), spec: message })],
  call: [
    4,
    fc.record({
      kind: fc.constant('call' as const),
      index,
      spec: message,
      writes: fc.array(write, { maxLength: 2 }),
    }),
  ],
  aside: [
    2,
    fc.record({
      kind: fc.constant('aside' as const),
      specs: fc.array(message, { maxLength: 3 }),
      keep: fc.boolean(),
    }),
  ],
  write: [2, fc.record({ kind: fc.constant('write' as const), write })],
  patch: [
    2,
    fc.record({
      kind: fc.constant('patch' as const),
      writes: fc.array(write, { minLength: 1, maxLength: 3 }),
    }),
  ],
  seal: [4, fc.record({ kind: fc.constant('seal' as const), settle: fc.boolean() })],
  back: [1, fc.record({ kind: fc.constant('back' as const), index })],
  reopen: [1, fc.record({ kind: fc.constant('reopen' as const) })],
  return: [3, fc.record({ kind: fc.constant('return' as const), index })],
} as const;
type Step = Of<(typeof STEPS)[keyof typeof STEPS][1]>;
const step: fc.Arbitrary<Step> = fc.oneof(
  ...Object.values(STEPS).map(([weight, arbitrary]) => ({
    weight,
    arbitrary: arbitrary as fc.Arbitrary<Step>,
  })),
);
const history = fc.record({
  programs: fc.tuple(program(CALLED, true), program(CALLED, true), program(CALLED, true)),
  env: envFields,
  steps: fc.array(step, { minLength: 10, maxLength: 40 }),
});

async function apply(state: Overlay, change: Of<typeof write>): Promise<void> {
  const { place } = change;
  const account = (await state.getAccount(place)) ?? NEW_ACCOUNT;
  if (change.what === 'balance') state.setAccount(place, { ...account, balance: change.wei });
  else if (change.what === 'code') await state.setCode(place, change.code);
  else if (change.what === 'clear') state.clearStorage(place);
  else if (change.what === 'delete') state.setAccount(place, undefined);
  else {
    // As dev methods and overrides do: there are no slots without an account.
    state.setAccount(place, account);
    state.setStorage(place, change.slot, change.value);
  }
}

type State = TrieState | ForkedState;

/** A state as another node tells it: each part is fetched once, and then at hand. */
function remoteOf(state: TrieState): RemoteState {
  return new RemoteState({
    reads: {
      account: async (bytes) => {
        const address = new Address(bytes);
        const { nonce, balance } = state.getAccount(address) ?? NEW_ACCOUNT;
        return { nonce, balance, code: state.getCode(address) };
      },
      storage: async (bytes, slot) => state.getStorage(new Address(bytes), slot),
    },
  });
}

/** States, each one made of the one before it, and an open one above the newest, by one engine. */
class History {
  readonly #engine: Engine;
  readonly #env: BlockEnv;
  readonly #source = new MemorySource();
  readonly #remote: RemoteState | undefined;
  readonly #sealed: State[];
  #open: Overlay;

  /** @param isForked whether the genesis state is that of another chain, of which this one is forked */
  constructor(engine: Engine, env: BlockEnv, genesis: GenesisAlloc, isForked: boolean) {
    this.#engine = engine;
    this.#env = env;
    const origin = trieStateOf(genesis, this.#source);
    this.#remote = isForked ? remoteOf(origin) : undefined;
    const state = isForked ? this.#at(EMPTY_ROOT) : origin;
    this.#sealed = [state];
    this.#open = new Overlay(state);
  }

  /** @returns what has to be the same whichever engine ran */
  async take(step: Step): Promise<unknown> {
    switch (step.kind) {
      case 'send':
        return this.#run(step.spec, this.#open, false);
      case 'call': {
        const state = new Overlay(this.#sealed[step.index % this.#sealed.length]!);
        for (const write of step.writes) await apply(state, write);
        return this.#run(step.spec, state, true);
      }
      case 'aside': {
        const state = new Overlay(this.#open);
        const outcomes: unknown[] = [];
        for (const spec of step.specs) outcomes.push(await this.#run(spec, state, false));
        if (step.keep) this.#open.apply(state.writes());
        return outcomes;
      }
      case 'write':
        // Only overrides of calls, which no block keeps, clear the storage of an account that isn't there.
        if (step.write.what === 'clear' && !(await this.#open.getAccount(step.write.place))) return;
        return apply(this.#open, step.write);
      case 'seal': {
        const before = this.#sealed.at(-1)!;
        const writes = this.#open.writes();
        const state = (await foldIn(this.#engine, before, writes)) as State;
        const root = bytesToHex(state.root);
        // A fork's tries hold what is written, whether it differs from the other chain or not.
        if (this.#remote) expect(root).toBe(bytesToHex(before.fold(writes).root));
        if (step.settle) this.#source.store(state.unstored());
        this.#openOn(step.settle ? state.asStored(this.#source) : state);
        return root;
      }
      case 'patch': {
        // As a dev write changes the state of the newest block.
        const before = this.#sealed.at(-1)!;
        const patch = new Overlay(before);
        for (const write of step.writes) await apply(patch, write);
        const state = before.fold(patch.writes()) as State;
        this.#engine.computeRoot(state);
        const root = bytesToHex(state.root);
        if (this.#remote) expect(root).toBe(bytesToHex(before.fold(patch.writes()).root));
        this.#source.store(state.unstored());
        const stored = state.asStored(this.#source);
        this.#openOn(stored);
        const read = [];
        for (const address of [KITCHEN, at(0x3001), at(0x5001)]) read.push(await stored.getAccount(address));
        return this.#remote ? undefined : { root, read };
      }
      case 'back':
        this.#sealed.length = (step.index % this.#sealed.length) + 1;
        return this.#openOn(this.#sealed.pop()!);
      case 'reopen': {
        const state = this.#sealed.pop()!;
        this.#source.store(state.unstored());
        return this.#openOn(this.#at(state.root));
      }
      case 'return': {
        // As a chain does that takes blocks back: it reads the state of its new head from the store.
        for (const state of this.#sealed) this.#source.store(state.unstored());
        this.#sealed.length = (step.index % this.#sealed.length) + 1;
        const state = this.#at(this.#sealed.pop()!.root);
        this.#engine.returnTo(state);
        return this.#openOn(state);
      }
    }
  }

  async #run({ from, nonceOff, fields }: Of<typeof message>, state: Overlay, isCall: boolean) {
    const nonce = ((await state.getAccount(from))?.nonce ?? 0n) + nonceOff;
    const outcome = await this.#engine.execute(
      messageFrom(from, { ...fields, nonce }, common),
      this.#env,
      state,
      isCall ? CALL_RULES : TRANSACTION_RULES,
    );
    if (outcome.kind === 'invalid') return outcome.error.message;
    // Some precompiles return a Buffer.
    return { ...outcome, returnData: bytesToHex(outcome.returnData) };
  }

  #at(root: Uint8Array): State {
    const own = TrieState.at(this.#source, root);
    return this.#remote ? new ForkedState(own, this.#remote) : own;
  }

  #openOn(state: State): void {
    this.#sealed.push(state);
    this.#open = new Overlay(state);
  }
}

test.each([
  ['states', false, 8],
  ['states of a forked chain', true, 4],
])(
  'the tables follow blocks, calls, writes from outside, reverts, and states that came from nowhere: %s',
  async (_, isForked, count) => {
    await fc.assert(
      fc.asyncProperty(history, async ({ programs, env: fields, steps }) => {
        const { env } = blockOf(fields, fork, common);
        const genesis = allocOf(programs, true);
        const [slow, fast] = (['ethereumjs', 'fast'] as const).map(
          (name) => new History(engineOf('osaka', name).engine, env, genesis, isForked),
        );
        for (const step of [...steps, { kind: 'seal', settle: false } as const])
          expect(await fast!.take(step)).toEqual(await slow!.take(step));
      }),
      { numRuns: runs(count) },
    );
  },
  60_000 * FUZZ,
);
