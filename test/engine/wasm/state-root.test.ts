import { Address, bytesToHex, hexToBytes, setLengthLeft } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as at from '../../../src/core/memory/layout.ts';
import type { Executor } from '../../../src/engine/wasm/executor.ts';
import { finishLater, finishNow } from '../../../src/engine/wasm/run.ts';
import type { OutsideState } from '../../../src/engine/wasm/types.ts';
import { EMPTY_ROOT } from '../../../src/state/account.ts';
import { type GenesisAccount, genesisWrites } from '../../../src/state/genesis.ts';
import { integerBytes, integerOf } from '../../../src/state/integers.ts';
import { keccak256 } from '../../../src/state/keccak.ts';
import { MemorySource, type Unstored } from '../../../src/state/node-cache.ts';
import { TrieState } from '../../../src/state/trie-state.ts';
import { walkState } from '../../../src/state/walk-state.ts';
import { FUZZ, runs } from '../../fuzz.ts';
import { executorOf } from './executors.ts';

const NOTHING = new Uint8Array(0);
const giveWay = async () => {};
const slotBytes = (slot: bigint) => setLengthLeft(integerBytes(slot), 32);
const addressBytes = (n: number) => setLengthLeft(integerBytes(BigInt(n)), 20);

/** Numbers whose hashes begin in pairs with the same four nibbles, so that extensions and deep branches come about. */
function alike(count: number, bytesOf: (n: number) => Uint8Array): number[] {
  const seen = new Map<string, number>();
  const found: number[] = [];
  for (let n = 0x10000; found.length < count; n++) {
    const start = bytesToHex(keccak256(bytesOf(n)).subarray(0, 2));
    const other = seen.get(start);
    if (other) found.push(other, n);
    else seen.set(start, n);
  }
  return found;
}

const WHO = [...alike(8, addressBytes), ...Array.from({ length: 6 }, (_, i) => 0x20000 + i)];
// The hashes of each two of the last slots have nine nibbles in common: their leaves may be embedded in a branch.
const WHICH = [
  0,
  1,
  2,
  ...alike(4, (n) => slotBytes(BigInt(n))),
  247_476,
  515_151,
  268_005,
  645_179,
  525_905,
  705_297,
];

interface Contract {
  nonce: bigint;
  balance: bigint;
  code: number | undefined;
  slots: Map<number, bigint>;
}
/** What the state has to be: accounts by their numbers. */
type Model = Map<number, Contract>;

const codeOf = (byte: number) => Uint8Array.of(0x60, byte);
const copyOf = (model: Model): Model =>
  new Map([...model].map(([who, contract]) => [who, { ...contract, slots: new Map(contract.slots) }]));

/** The state that the node's own tries make of the model. */
function stateOf(model: Model): TrieState {
  const alloc = new Map(
    Array.from(model, ([who, { nonce, balance, code, slots }]): [string, GenesisAccount] => [
      bytesToHex(addressBytes(who)),
      {
        nonce,
        balance,
        ...(code !== undefined && { code: codeOf(code) }),
        storage: new Map(
          Array.from(slots, ([slot, value]) => [bytesToHex(slotBytes(BigInt(slot))), integerBytes(value)]),
        ),
      },
    ]),
  );
  return TrieState.at(new MemorySource(), EMPTY_ROOT).fold(genesisWrites(alloc));
}

/** A store, and an executor that reads all state from it and stores in it what is new. */
class Host {
  readonly stored = new MemorySource();
  readonly preimages = new Map<string, string>();
  root: Uint8Array;
  executor: Executor;
  fetched = 0;
  readonly #isAsync: boolean;
  /** each so many fetches of a node one fails; 0 = none */
  readonly #failures: number;

  constructor(genesis: Model, isAsync: boolean, failures: number) {
    const state = stateOf(genesis);
    this.store(state.unstored());
    this.root = state.root;
    this.#isAsync = isAsync;
    this.#failures = failures;
    this.executor = this.start();
  }

  start(): Executor {
    const state = () => TrieState.at(this.stored, this.root);
    const answer = <T>(read: () => T): T | Promise<T> => (this.#isAsync ? giveWay().then(read) : read());
    const source: OutsideState = {
      getAccount: (address) => answer(() => state().getAccount(address)),
      getStorage: (address, slot) => answer(() => state().getStorage(address, slot)),
      getCode: (address) => answer(() => state().getCode(address)),
      getNode: (hash) =>
        answer(() => {
          this.fetched++;
          if (this.#failures > 0 && this.fetched % this.#failures === 0) throw new Error('unreachable');
          return this.stored.getNode(hash);
        }),
    };
    this.executor = executorOf('osaka', source);
    this.executor.useState(this.root);
    return this.executor;
  }

  store(unstored: Unstored): void {
    this.stored.store(unstored);
    for (const [hash, node] of unstored.nodes) expect(keccak256(node)).toEqual(hash);
    for (const [hash, preimage] of unstored.preimages)
      this.preimages.set(bytesToHex(hash), bytesToHex(preimage));
  }

  async fold(run = () => finishLater(this.executor.fold(), giveWay)): Promise<string> {
    const root = await run().catch((error: Error) => {
      if (error.message !== 'unreachable') throw error;
      return this.#untilReached(() => finishLater(this.executor.fold(), giveWay));
    });
    return bytesToHex(root);
  }

  /** Does what fails again, until all nodes that it needs have come. */
  async #untilReached<T>(run: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof Error) || error.message !== 'unreachable') throw error;
      }
    }
  }

  async foldAndStore(run?: () => Promise<Uint8Array>): Promise<string> {
    const root = await this.fold(run);
    const changed = this.executor.changedNodes().parts;
    this.store(changed);
    this.root = hexToBytes(root as `0x${string}`);
    const reached = new Set<string>();
    for (const part of walkState(
      this.root,
      () => true,
      (hash) => this.stored.getNode(hash)!,
    ))
      if (part.kind === 'node') reached.add(bytesToHex(part.hash));
    for (const [hash] of changed.nodes) expect(reached).toContain(bytesToHex(hash));
    return root;
  }

  account(who: number): Promise<number> {
    return this.#untilReached(() => finishLater(this.executor.loadAccount(addressBytes(who)), giveWay));
  }

  async setSlot(account: number, slot: number, value: bigint): Promise<void> {
    await this.#untilReached(() => finishLater(this.executor.loadSlot(account, BigInt(slot)), giveWay));
    this.executor.setSlot(account, BigInt(slot), value);
  }
}

const who = fc.constantFrom(...WHO);
const which = fc.constantFrom(...WHICH);
const value = fc.oneof(fc.constantFrom(0n, 0n, 1n, 127n, 128n), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }));
const op = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constant('account' as const), who, value }) },
  { weight: 12, arbitrary: fc.record({ op: fc.constant('slot' as const), who, which, value }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('code' as const), who, byte: fc.nat(3) }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('delete' as const), who }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('clear' as const), who }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('mark' as const) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('revert' as const) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('fold' as const), isStored: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('drop' as const) }) },
);
type Op = typeof op extends fc.Arbitrary<infer T> ? T : never;

async function doOp(step: Op, host: Host, model: Model, marks: [number, Model][]): Promise<Model> {
  const { executor } = host;
  if (step.op === 'mark') {
    marks.push([executor.core.mark(), copyOf(model)]);
    return model;
  }
  if (step.op === 'revert') {
    const last = marks.pop();
    if (!last) return model;
    executor.core.revertTo(last[0]);
    return last[1];
  }
  if (step.op === 'fold') {
    expect(await (step.isStored ? host.foldAndStore() : host.fold())).toBe(bytesToHex(stateOf(model).root));
    return model;
  }
  if (step.op === 'drop') {
    executor.dropNodes();
    return model;
  }
  const account = await host.account(step.who);
  const known = model.get(step.who);
  if (step.op === 'delete' || step.op === 'clear') {
    for (const slot of known?.slots.keys() ?? []) await host.setSlot(account, slot, 0n);
    known?.slots.clear();
    if (step.op === 'clear') return model;
    executor.setBalance(account, 0n);
    executor.setNonce(account, 0n);
    executor.setCode(account, new Uint8Array(0));
    // EIP-161: an account that was loaded exists until it is touched.
    executor.memory.setWord(at.SCRATCH, 0n);
    executor.core.addBalance(account, at.SCRATCH);
    model.delete(step.who);
    return model;
  }
  const contract: Contract = known ?? { nonce: 1n, balance: 0n, code: undefined, slots: new Map() };
  if (!known) {
    executor.setNonce(account, 1n);
    model.set(step.who, contract);
  }
  if (step.op === 'account') {
    contract.balance = step.value;
    executor.setBalance(account, step.value);
  } else if (step.op === 'code') {
    contract.code = step.byte;
    executor.setCode(account, codeOf(step.byte));
  } else {
    await host.setSlot(account, step.which, step.value);
    if (step.value === 0n) contract.slots.delete(step.which);
    else contract.slots.set(step.which, step.value);
  }
  return model;
}

/** Whether the store has everything of a state, and nothing else is reached from its root. */
function expectReadable(host: Host, model: Model): void {
  const state = TrieState.at(host.stored, host.root);
  for (const [number, { nonce, balance, code, slots }] of model) {
    const bytes = addressBytes(number);
    const address = new Address(bytes);
    expect(state.getAccount(address)).toMatchObject({ nonce, balance });
    expect(state.getCode(address)).toEqual(code === undefined ? new Uint8Array(0) : codeOf(code));
    const { entries } = state.storageEntries(address, new Uint8Array(32), WHICH.length + 1);
    expect(entries.length).toBe(slots.size);
    expect(host.preimages.get(bytesToHex(keccak256(bytes)))).toBe(bytesToHex(bytes));
    for (const [slot, expected] of slots) {
      const key = slotBytes(BigInt(slot));
      expect(integerOf(state.getStorage(address, key))).toBe(expected);
      expect(host.preimages.get(bytesToHex(keccak256(key)))).toBe(bytesToHex(key));
    }
  }
  expect([...state.accountTrie.entries()].length).toBe(model.size);
}

const block = fc.record({
  ops: fc.array(op, { maxLength: 25 }),
  undone: fc.constantFrom(0, 0, 0, 1, 2),
  after: fc.constantFrom('go on', 'go on', 'drop', 'start anew'),
});

describe('the state root of an executor that loads everything from a store', () => {
  it('is that of the tries of the node, and the store can open it', { timeout: 120_000 * FUZZ }, async () => {
    let loaded = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(op, { maxLength: 60 }),
        fc.array(block, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        fc.constantFrom(0, 0, 3, 7),
        async (genesisOps, blocks, isAsync, failures) => {
          // The genesis is made by the same steps, on an executor that nobody looks at.
          let model: Model = new Map();
          const workspace = new Host(model, false, 0);
          for (const step of genesisOps) model = await doOp(step, workspace, model, []);
          const host = new Host(model, isAsync, failures);
          let undo: Model[] = [];
          for (const { ops, undone, after } of blocks) {
            const { executor } = host;
            const before = copyOf(model);
            executor.core.startBlock(0);
            const marks: [number, Model][] = [];
            for (const step of ops) model = await doOp(step, host, model, marks);
            expect(await host.foldAndStore()).toBe(bytesToHex(stateOf(model).root));
            expectReadable(host, model);
            executor.core.closeBlock();
            undo.push(before);
            for (let i = 0; i < undone; i++) {
              const last = undo.pop();
              if (!last) break;
              model = last;
              executor.core.undoBlock();
              expect(await host.foldAndStore()).toBe(bytesToHex(stateOf(model).root));
              expectReadable(host, model);
            }
            if (after === 'drop') {
              expect(executor.dropNodes()).toBe(true);
              expect(executor.nodeBytes).toBe(0);
            }
            if (after === 'start anew') {
              host.start();
              undo = [];
            }
          }
          loaded += host.fetched;
        },
      ),
      { numRuns: runs(16) },
    );
    expect(loaded).toBeGreaterThan(0);
  });

  const account = (slots: readonly [number, bigint][]): Model =>
    new Map([[WHO[0]!, { nonce: 1n, balance: 5n, code: undefined, slots: new Map(slots) }]]);

  it('lists what comes back after it was removed, and nothing of what was taken back', async () => {
    const host = new Host(account([0, 1, 2].map((slot) => [slot, 1n])), false, 0);
    const { executor } = host;
    const listed = async () => {
      await host.fold();
      return [...executor.changedNodes().parts.nodes].map(([, node]) => node);
    };
    const entry = await host.account(WHO[0]!);
    await host.setSlot(entry, 1, 0n);
    await listed();
    await host.setSlot(entry, 1, 1n);
    const [, root = NOTHING, leaf = NOTHING, ...more] = await listed();
    expect(keccak256(root)).toEqual(executor.fieldsOf(entry).storageRoot);
    expect(bytesToHex(root)).toContain(bytesToHex(keccak256(leaf)).slice(2));
    expect(more).toEqual([]);
    const mark = executor.core.mark();
    await host.setSlot(entry, 1, 7n);
    executor.setBalance(entry, 9n);
    executor.core.revertTo(mark);
    expect(await listed()).toEqual([]);
  });

  it('is not computed with a node that is missing or damaged, and goes on once it is there', async () => {
    const model = account([...WHICH.keys()].map((i) => [WHICH[i]!, 1n]));
    const removed = [0, 1, 2, 247_476, 515_151];
    for (let damaged = 0, needed = 1; damaged < needed; damaged++) {
      const host = new Host(model, false, 0);
      const get = host.stored.getNode.bind(host.stored);
      const remove = async () => {
        const entry = await host.account(WHO[0]!);
        for (const slot of removed) await host.setSlot(entry, slot, 0n);
        return await finishLater(host.executor.fold(), giveWay);
      };
      let asked = 0;
      let hash: Uint8Array = NOTHING;
      host.stored.getNode = (wanted) => {
        if (asked++ !== damaged) return get(wanted);
        hash = wanted;
        return damaged % 2 === 0 ? undefined : get(wanted)!.map((byte, i) => (i === 9 ? byte ^ 1 : byte));
      };
      const reason = damaged % 2 === 0 ? 'missing' : 'malformed';
      const error = await remove().catch((thrown: Error) => thrown);
      expect(error).toMatchObject({ message: `${reason} trie node ${bytesToHex(hash)}` });
      const left = copyOf(model);
      for (const slot of removed) left.get(WHO[0]!)!.slots.delete(slot);
      expect(bytesToHex(await remove())).toBe(bytesToHex(stateOf(left).root));
      // Each node is asked for once, and after a failure once more, with the extension before it if it has one.
      if (damaged > 0) expect(asked - needed).toBeLessThanOrEqual(2);
      else needed = asked - 1;
    }
  });

  it('is not computed with what is no node, whatever it is', () => {
    const stored = new MemorySource();
    const executor = executorOf('osaka', {
      getAccount: () => undefined,
      getStorage: () => NOTHING,
      getCode: () => NOTHING,
      getNode: (hash) => stored.getNode(hash),
    });
    const entry = executor.account(BigInt(WHO[0]!));
    const nodes = [...stateOf(account([[0, 1n]])).unstored().nodes].map(([, node]) => node);
    const state = stateOf(new Map([...WHO.keys()].map((i) => [WHO[i]!, account([]).get(WHO[0]!)!])));
    nodes.push(...[...state.unstored().nodes].map(([, node]) => node));
    finishNow(executor.loadAccount(addressBytes(WHO[0]!)));
    fc.assert(
      fc.property(
        fc.constantFrom(...nodes),
        fc.array(fc.tuple(fc.nat(600), fc.nat(255)), { maxLength: 3 }),
        fc.nat(600),
        (node, changes, cut) => {
          const copy = node.slice(0, cut === 0 ? node.length : cut);
          for (const [offset, byte] of changes) copy[offset % copy.length] = byte;
          stored.store({ nodes: [[keccak256(copy), copy]], code: [] });
          executor.useState(keccak256(copy));
          executor.setNonce(entry, 1n);
          try {
            executor.stateRoot();
          } catch (error) {
            expect(String(error)).toMatch(/^Error: (missing|malformed) trie node 0x/);
          }
        },
      ),
      { numRuns: runs(300) },
    );
  });
});
