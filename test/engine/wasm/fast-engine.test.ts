import { bytesToHex, hexToBytes } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALL_RULES } from '../../../src/engine/engine.ts';
import { messageOf } from '../../../src/engine/message.ts';
import { outcomeDifference, stateDifference } from '../../../src/engine/shadow/differences.ts';
import { DevnetError } from '../../../src/errors.ts';
import { EMPTY_ROOT, MAX_BALANCE, NEW_ACCOUNT } from '../../../src/state/account.ts';
import { ForkedState } from '../../../src/state/forked-state.ts';
import { MemorySource } from '../../../src/state/node-cache.ts';
import { Overlay } from '../../../src/state/overlay.ts';
import { RemoteState } from '../../../src/state/remote-state.ts';
import { TrieState } from '../../../src/state/trie-state.ts';
import { FUZZ, runs } from '../../fuzz.ts';
import { callOf, ENV } from '../ethereumjs/call-of.ts';
import { program } from '../ethereumjs/programs.ts';
import { allocOf, at, CALLED, RICH, spec } from '../ethereumjs/scenarios.ts';
import { engineOf, stockCommon, trieStateOf } from '../ethereumjs/stock.ts';
import { foldIn } from './fold-in.ts';
import { signed } from './stock-summary.ts';

/** Stores 1 in slot 0, then returns the hash of block 1, then of block 2. */
const CODE = hexToBytes('0x60016000556001405060024060005260206000f3');
const CONTRACT = at(0x5001);

const call = callOf(CONTRACT, 1_000_000n);

/** A stored state with the contract. */
async function storedState(source: MemorySource): Promise<TrieState> {
  const writes = new Overlay(trieStateOf(allocOf([], false)));
  await writes.setCode(CONTRACT, CODE);
  const state = (writes.base as TrieState).fold(writes.writes());
  source.store(state.unstored());
  return TrieState.at(source, state.root);
}

describe('while a run waits', () => {
  it('what has to be stored with a block is reported, and the run goes on as if nothing had been', async () => {
    const { engine } = engineOf('osaka', 'fast');
    const source = new MemorySource();
    const base = await storedState(source);
    const block = new Overlay(base);
    block.setAccount(at(0x5003), { ...NEW_ACCOUNT, balance: 5n });
    const sealed = (await foldIn(engine, base, block.writes())) as TrieState;

    let arrive = (_: Uint8Array): void => {};
    const hash = new Promise<Uint8Array>((resolve) => {
      arrive = resolve;
    });
    const waiting = { ...ENV, blockHash: () => hash };
    const overlay = new Overlay(sealed);
    const run = engine.execute(call, waiting, overlay, CALL_RULES);

    source.store(sealed.unstored());
    const reopened = TrieState.at(source, sealed.root);
    expect(reopened.getAccount(at(0x5003))).toMatchObject({ balance: 5n });
    expect(bytesToHex(sealed.root)).toBe(bytesToHex(sealed.rootOfTries));

    arrive(new Uint8Array(32).fill(7));
    const outcome = await run;
    expect(outcome).toMatchObject({ success: true, returnData: new Uint8Array(32).fill(7) });
    expect(overlay.getStorage(CONTRACT, new Uint8Array(32))).toEqual(Uint8Array.of(1));
  });

  it('others run on the same state, more of them at once than there are executors', async () => {
    const { engine } = engineOf('osaka', 'fast');
    const base = await storedState(new MemorySource());
    const arrivals: (() => void)[] = [];
    const runs = Array.from({ length: 40 }, (_, i) => {
      const blockHash = () =>
        new Promise<Uint8Array>((resolve) => {
          arrivals.push(() => resolve(new Uint8Array(32).fill(i)));
        });
      return engine.execute(call, { ...ENV, blockHash }, new Overlay(base), CALL_RULES);
    });
    const all = Promise.all(runs);
    let done = false;
    void all.finally(() => {
      done = true;
    });
    while (!done) {
      for (const arrive of arrivals.splice(0)) arrive();
      await new Promise(setImmediate);
    }
    for (const [i, outcome] of (await all).entries())
      expect(outcome).toMatchObject({ success: true, returnData: new Uint8Array(32).fill(i) });
  });
});

it('many overrides are taken over in slices, and where the call ends meanwhile the next one sees none of them', async () => {
  const { engine } = engineOf('osaka', 'fast');
  const base = await storedState(new MemorySource());
  let pauses = 0;
  let last = Number.POSITIVE_INFINITY;
  const background = {
    due: true,
    pause: async () => {
      if (++pauses >= last) throw new DevnetError('timedOut', { ms: 1 });
    },
    hold: () => {},
  };
  const run = (overlay: Overlay) =>
    engine.execute(call, { ...ENV, blockHash: () => new Uint8Array(32) }, overlay, CALL_RULES, {
      background,
      discards: true,
    });
  const many = new Overlay(base);
  for (let i = 0; i < 2_000; i++) many.setAccount(at(0x9000 + i), { ...NEW_ACCOUNT, balance: 1n });
  many.setAccount(CONTRACT, { ...NEW_ACCOUNT });
  last = 5;
  await expect(run(many)).rejects.toMatchObject({ kind: 'timedOut' });
  expect(pauses).toBe(5);
  last = Number.POSITIVE_INFINITY;
  expect(await run(new Overlay(base))).toMatchObject({ success: true, returnData: new Uint8Array(32) });
  pauses = 0;
  expect(await run(many)).toMatchObject({ success: true, returnData: new Uint8Array(0) });
  expect(pauses).toBeGreaterThan(10);
});

it('overrides of a simulation are taken over in slices, too, and none is left where it ends meanwhile', async () => {
  const { engine } = engineOf('osaka', 'fast');
  const base = await storedState(new MemorySource());
  let pauses = 0;
  let last = 5;
  const background = {
    due: true,
    pause: async () => {
      if (++pauses >= last) throw new DevnetError('timedOut', { ms: 1 });
    },
    hold: () => {},
  };
  const options = {
    rules: CALL_RULES,
    withStateRoot: false,
    fullTransactions: false,
    errorText: () => '',
    background,
  };
  const writer = engine.simulationWriter(base, options)!;
  const many = new Overlay(writer.state);
  for (let i = 0; i < 2_000; i++) many.setAccount(at(0x9000 + i), { ...NEW_ACCOUNT, balance: 1n });
  await expect(writer.apply(many.writes())).rejects.toMatchObject({ kind: 'timedOut' });
  expect(pauses).toBe(5);
  last = Number.POSITIVE_INFINITY;
  expect(await writer.state.getAccount(at(0x9000))).toBeUndefined();
  await writer.apply(many.writes());
  expect(pauses).toBeGreaterThan(15);
  for (const i of [0, 1_999])
    expect(await writer.state.getAccount(at(0x9000 + i))).toMatchObject({ balance: 1n });
  writer.discard();
});

it('an empty account of the genesis state is deleted by a call (EIP-161), whichever engine runs it', async () => {
  const results = await Promise.all(
    (['ethereumjs', 'fast'] as const).map(async (name) => {
      const { engine } = engineOf('osaka', name);
      const overlay = new Overlay(trieStateOf(allocOf([], true)));
      const outcome = await engine.execute({ ...call, to: at(0x3001) }, ENV, overlay, CALL_RULES);
      return { outcome, account: await overlay.getAccount(at(0x3001)) };
    }),
  );
  expect(results[1]!.account).toBeUndefined();
  expect(results[1]!.account).toEqual(results[0]!.account);
  expect(results[1]!.outcome).toEqual(results[0]!.outcome);
});

it('wei that would bring a balance above 256 bits are lost, whether fees or the balance of a destroyed contract', async () => {
  const [rich, beneficiary] = [at(0xc0), at(0x7001)];
  const alloc = new Map([
    ...allocOf([], false),
    ...[rich, beneficiary].map((account) => [account.toString(), { balance: MAX_BALANCE - 4n }] as const),
  ]);
  const destroyed = hexToBytes(`0x73${beneficiary.toString().slice(2)}ff`);
  const results = await Promise.all(
    (['ethereumjs', 'fast'] as const).map(async (name) => {
      const { engine } = engineOf('osaka', name);
      const overlay = new Overlay(trieStateOf(alloc));
      await overlay.setCode(CONTRACT, destroyed);
      const paying = { ...call, from: RICH[0]!.address, maxFeePerGas: 10n, maxPriorityFeePerGas: 10n };
      const outcomes = [];
      for (const message of [
        { ...paying, value: 5n },
        { ...paying, to: beneficiary, value: 5n },
      ])
        outcomes.push(await engine.execute(message, ENV, overlay, CALL_RULES));
      return { outcomes, writes: overlay.writes().accounts };
    }),
  );
  for (const { outcomes, writes } of results) {
    expect(outcomes).toMatchObject([{ success: true }, { success: false }]);
    expect(writes.get(beneficiary.toString())?.balance ?? MAX_BALANCE - 4n).toBe(MAX_BALANCE - 4n);
    expect(writes.get(rich.toString())?.balance ?? MAX_BALANCE - 4n).toBe(MAX_BALANCE - 4n);
    expect(writes.get(CONTRACT.toString())?.balance).toBe(0n);
  }
});

it('an empty account that a dev method has made is removed by the block that has it as its coinbase (EIP-161)', async () => {
  const emptied = at(0x9001);
  const accounts = await Promise.all(
    (['ethereumjs', 'fast'] as const).map(async (name) => {
      const { engine } = engineOf('osaka', name);
      const source = new MemorySource();
      const base = await storedState(source);
      const env = { ...ENV, coinbase: emptied };
      // The executor learns that there is no such account.
      await engine.execute(call, env, new Overlay(base), CALL_RULES);
      const patch = new Overlay(base);
      patch.setAccount(emptied, NEW_ACCOUNT);
      const patched = base.fold(patch.writes());
      source.store(patched.unstored());
      const overlay = new Overlay(patched.asStored(source));
      expect(await overlay.getAccount(emptied)).toBeDefined();
      await engine.execute(call, env, overlay, CALL_RULES);
      return overlay.getAccount(emptied);
    }),
  );
  expect(accounts).toEqual([undefined, undefined]);
});

it('a sender whose nonce goes on with 0 is removed where that leaves it empty (EIP-161)', async () => {
  const sender = at(0x8001);
  const roots = await Promise.all(
    (['ethereumjs', 'fast'] as const).map(async (name) => {
      const { engine } = engineOf('osaka', name);
      const overlay = new Overlay(trieStateOf(allocOf([], false)));
      overlay.setAccount(sender, { ...NEW_ACCOUNT, nonce: 2n ** 64n - 1n });
      const message = { ...call, from: sender, to: RICH[0]!.address };
      expect(await engine.execute(message, ENV, overlay, CALL_RULES)).toMatchObject({ success: true });
      expect(await overlay.getAccount(sender)).toBeUndefined();
      return bytesToHex((await foldIn(engine, overlay.base as TrieState, overlay.writes())).root);
    }),
  );
  expect(roots[1]).toBe(roots[0]);
});

it('a creation by a sender with the highest nonce fails without an address (EIP-2681)', async () => {
  const sender = at(0x8001);
  const { to: _, ...creation } = { ...call, from: sender, data: CODE };
  const outcomes = await Promise.all(
    (['ethereumjs', 'fast'] as const).map(async (name) => {
      const { engine } = engineOf('osaka', name);
      const overlay = new Overlay(trieStateOf(allocOf([], false)));
      overlay.setAccount(sender, { ...NEW_ACCOUNT, nonce: 2n ** 64n - 1n });
      // The executor runs another contract first, whose address must not be taken for the new one's.
      await overlay.setCode(CONTRACT, CODE);
      await engine.execute(call, ENV, overlay, CALL_RULES);
      return engine.execute(creation, ENV, overlay, CALL_RULES);
    }),
  );
  expect(outcomes[0]).not.toHaveProperty('createdAddress');
  expect(outcomeDifference(outcomes[0]!, outcomes[1]!)).toBeUndefined();
});

it('an empty account that has storage is removed with it by a transfer of nothing, and stays without it (EIP-161)', async () => {
  const emptied = at(0x6001);
  const storage = new Map([[bytesToHex(new Uint8Array(32)), Uint8Array.of(7)]]);
  const alloc = new Map([...allocOf([], false), [emptied.toString(), { balance: 0n, storage }] as const]);
  const roots = await Promise.all(
    (['ethereumjs', 'fast'] as const).map(async (name) => {
      const { engine } = engineOf('osaka', name);
      const state = trieStateOf(alloc);
      const source = new MemorySource();
      source.store(state.unstored());
      const overlay = new Overlay(TrieState.at(source, state.root));
      for (const value of [0n, 1n]) {
        const message = { ...call, from: RICH[0]!.address, to: emptied, value, data: new Uint8Array() };
        expect(await engine.execute(message, ENV, overlay, CALL_RULES)).toMatchObject({ success: true });
      }
      expect(await overlay.getStorage(emptied, new Uint8Array(32))).toEqual(new Uint8Array());
      return bytesToHex((await foldIn(engine, overlay.base as TrieState, overlay.writes())).root);
    }),
  );
  expect(roots[1]).toBe(roots[0]);
});

it('a contract that stored something can be created again once its creation was taken back (EIP-7610)', async () => {
  const { engine } = engineOf('osaka', 'fast');
  const base = await storedState(new MemorySource());
  const { to: _, ...creation } = { ...call, data: CODE };
  const created = async () => {
    const overlay = new Overlay(base);
    const outcome = await engine.execute(creation, ENV, overlay, CALL_RULES);
    return { outcome, writes: overlay.writes() };
  };
  const first = await created();
  expect(first.outcome).toMatchObject({ success: true });
  // The tries have the slot from here on.
  await foldIn(engine, base, first.writes);
  const second = await created();
  expect(second.outcome).toEqual(first.outcome);
});

it('CALLCODE transfers nothing, also where a contract calls the code at its own address (traceTransfers)', async () => {
  // Without call data: CALLCODE of its own address, with 1 wei and 32 bytes of call data. With call data: nothing.
  const code = hexToBytes('0x3660125760006000602060006001305af2005b00');
  const writes = new Overlay(trieStateOf(allocOf([], false)));
  await writes.setCode(CONTRACT, code);
  const message = { ...call, from: RICH[0]!.address, value: 5n };
  const rules = { ...CALL_RULES, transferLogs: true };
  for (const name of ['ethereumjs', 'fast'] as const) {
    const { engine } = engineOf('osaka', name);
    const state = new Overlay(writes);
    const outcome = await engine.execute(message, ENV, state, rules, { numberLogs: true });
    expect(outcome).toMatchObject({ success: true, emittedLogs: 1, logs: [{ transfer: true }] });
  }
});

it('transfers of ETH leave the logs that EthereumJS gives them, in their places among the others (traceTransfers)', {
  timeout: 120_000 * FUZZ,
}, async () => {
  const common = stockCommon('osaka');
  const [{ engine: reference }, { engine }] = [engineOf('osaka'), engineOf('osaka', 'fast')];
  const rules = { ...CALL_RULES, transferLogs: true };
  const scenario = fc.record({
    programs: fc.tuple(program(CALLED, true), program(CALLED, true), program(CALLED, true)),
    specs: fc.array(spec([0, 1, 2, 4], true), { minLength: 3, maxLength: 6 }),
    value: fc.constantFrom(1n, 1000n),
  });
  let transfers = 0;
  await fc.assert(
    fc.asyncProperty(scenario, async ({ programs, specs, value }) => {
      const state = trieStateOf(allocOf(programs, true));
      const [expected, actual] = [new Overlay(state), new Overlay(state)];
      for (const { from, fields } of specs) {
        const tx = signed(from, { ...fields, nonce: 0n }, common);
        const sent = { tx, from, raw: tx.serialize(), hash: new Uint8Array(32), impersonated: false };
        const message = { ...messageOf(sent), value, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
        const run = [message, ENV, rules, { numberLogs: true }] as const;
        const wanted = await reference.execute(run[0], run[1], expected, run[2], run[3]);
        const got = await engine.execute(run[0], run[1], actual, run[2], run[3]);
        expect(outcomeDifference(wanted, got)).toBeUndefined();
        if (got.kind === 'executed') transfers += got.logs.filter(({ transfer }) => transfer).length;
      }
      expect(await stateDifference(expected, actual)).toBeUndefined();
    }),
    { numRuns: runs(30) },
  );
  expect(transfers).toBeGreaterThan(60);
});

describe('a call of an account that delegates (EIP-7702)', () => {
  const account = at(0x8001);
  const CALLS: [string, string][] = [
    ['CALL', '5f5f5f5f5f'],
    ['CALLCODE', '5f5f5f5f5f'],
    ['DELEGATECALL', '5f5f5f5f'],
    ['STATICCALL', '5f5f5f5f'],
  ];
  const OPCODES: Record<string, string> = {
    CALL: 'f1',
    CALLCODE: 'f2',
    DELEGATECALL: 'f4',
    STATICCALL: 'fa',
  };
  const DELEGATES: [string, ReturnType<typeof at>][] = [
    ['to a contract', at(0x8002)],
    ['to itself', account],
    ['to an account that delegates', at(0x8003)],
    ['to a precompile', at(4)],
    ['to an account without code', at(0x8004)],
  ];

  it.each(
    DELEGATES.flatMap(([to, delegate]) => CALLS.map(([name, words]) => [to, name, delegate, words] as const)),
  )('%s costs the same by %s, cold and warm, whichever engine runs it', async (_, name, delegate, words) => {
    // Both calls give away 30,000 gas; then the gas that is left is returned.
    const one = `${words}73${account.toString().slice(2)}617530${OPCODES[name]}50`;
    const code = hexToBytes(`0x${one}${one}5a5f5260205ff3`);
    const delegation = (to: { toString(): string }) => hexToBytes(`0xef0100${to.toString().slice(2)}`);
    const outcomes = await Promise.all(
      (['ethereumjs', 'fast'] as const).map(async (engineName) => {
        const { engine } = engineOf('osaka', engineName);
        const overlay = new Overlay(trieStateOf(allocOf([], false)));
        await overlay.setCode(CONTRACT, code);
        await overlay.setCode(at(0x8002), hexToBytes('0x60015f5500'));
        await overlay.setCode(at(0x8003), delegation(at(0x8002)));
        await overlay.setCode(account, delegation(delegate));
        return engine.execute(call, ENV, overlay, CALL_RULES);
      }),
    );
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(outcomes[1]).toMatchObject({ success: true });
  });
});

it('goes back to a state, and reads it anew where what it holds can not be compared with it', async () => {
  const { engine } = engineOf('osaka', 'fast');
  const source = new MemorySource();
  const base = await storedState(source);
  const unreadable = TrieState.at(source, base.root);
  let reads = 0;
  Object.defineProperty(unreadable, 'root', {
    get() {
      reads++;
      throw new Error('unreadable');
    },
  });
  const block = new Overlay(base);
  block.setAccount(at(0x5003), { ...NEW_ACCOUNT, balance: 5n });
  const next = (await foldIn(engine, base, block.writes())) as TrieState;
  source.store(next.unstored());
  for (const state of [unreadable, base]) {
    engine.returnTo(state);
    const run = await engine.execute(
      call,
      { ...ENV, blockHash: () => new Uint8Array(32) },
      new Overlay(base),
      CALL_RULES,
    );
    expect(run).toMatchObject({ kind: 'executed', success: true });
  }
  expect(reads).toBe(1);
});

it("a forked chain's roots come from the core, and from the state itself where an account was removed", async () => {
  const { engine } = engineOf('osaka', 'fast');
  const source = new MemorySource();
  const told = { nonce: 1n, balance: 5n, code: Uint8Array.of(0x5b) };
  const reads = { account: async () => told, storage: async () => Uint8Array.of(7) };
  const remote = new RemoteState({ reads });
  let state = new ForkedState(TrieState.at(source, EMPTY_ROOT), remote);
  const slot = (n: number) => new Uint8Array(32).fill(n, 31);
  const fold = async (change: (overlay: Overlay) => unknown): Promise<boolean> => {
    const overlay = new Overlay(state);
    await change(overlay);
    const slow = state.fold(overlay.writes());
    const folded = (await foldIn(engine, state, overlay.writes())) as ForkedState;
    expect(bytesToHex(folded.root)).toBe(bytesToHex(slow.root));
    const unstored = folded.unstored();
    source.store(unstored);
    state = folded.asStored(source);
    return 'encoded' in unstored;
  };
  const [one, two, three] = [at(1), at(2), at(3)];
  expect(await fold((overlay) => overlay.setAccount(one, { ...NEW_ACCOUNT, balance: 8n }))).toBe(true);
  // Of an account of which nothing was ever read, also 0.
  expect(await fold((overlay) => overlay.setStorage(two, slot(1), new Uint8Array()))).toBe(true);
  expect(await fold((overlay) => overlay.setStorage(two, slot(2), Uint8Array.of(0x90)))).toBe(true);
  expect(await fold((overlay) => overlay.setCode(three, Uint8Array.of(0x60)))).toBe(true);
  expect(await fold((overlay) => overlay.setStorage(three, slot(1), Uint8Array.of(3)))).toBe(true);
  expect(await state.getStorage(two, slot(1))).toHaveLength(0);
  expect(await state.getStorage(two, slot(3))).toEqual(Uint8Array.of(7));
  expect(await fold((overlay) => overlay.setAccount(three, undefined))).toBe(false);
  expect(await state.getStorage(three, slot(2))).toHaveLength(0);
  expect(await fold((overlay) => overlay.setAccount(one, { ...NEW_ACCOUNT, balance: 9n }))).toBe(true);
  // Made again, it goes on hiding what the other chain has.
  expect(await fold((overlay) => overlay.setCode(three, Uint8Array.of(0x61)))).toBe(false);
  expect(await fold((overlay) => overlay.setStorage(three, slot(4), Uint8Array.of(4)))).toBe(false);
  expect(await fold((overlay) => overlay.setStorage(three, slot(5), Uint8Array.of(5)))).toBe(true);
  expect(await state.getStorage(three, slot(2))).toHaveLength(0);
});
