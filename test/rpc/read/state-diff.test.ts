import { Address } from '@ethereumjs/util';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDevnet } from '../../../src/index.ts';
import { hex } from '../../../src/rpc/codec/hex.ts';
import { keysThatDiffer, stateDiff, writtenBetween } from '../../../src/rpc/read/state-diff.ts';
import { EMPTY_ROOT, NEW_ACCOUNT } from '../../../src/state/account.ts';
import { MemorySource } from '../../../src/state/node-cache.ts';
import { Overlay } from '../../../src/state/overlay.ts';
import { TrieState } from '../../../src/state/trie-state.ts';
import type { StateWrites } from '../../../src/state/view.ts';
import { runs } from '../../fuzz.ts';
import { liveNode } from '../../live-node.ts';
import { callsOf, codeOf } from '../../wire.ts';

const HOLDER = `0x${'c0'.repeat(20)}`;
/** Code that stores its calldata's second word in the slot of the first. */
const STORES = '0x60203560003555';
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;

/** A write: the balance of an account, or one of its slots. */
type Write = { readonly account: number; readonly slot?: number | undefined; readonly value: number };
const change: fc.Arbitrary<Write> = fc.record({
  account: fc.nat(5),
  slot: fc.option(fc.nat(5), { nil: undefined }),
  value: fc.nat(3),
});
/** Accounts with and without storage. */
const START: readonly Write[] = [0, 1, 2, 3].flatMap((account) => [
  { account, value: 1 },
  ...(account < 2 ? [0, 1, 2].map((slot) => ({ account, slot, value: 1 })) : []),
]);

function writesOf(changes: readonly Write[]): StateWrites {
  const overlay = new Overlay(TrieState.at(new MemorySource(), EMPTY_ROOT));
  for (const { account, slot, value } of changes) {
    const address = new Address(new Uint8Array(20).fill(account + 1));
    if (slot === undefined) overlay.setAccount(address, { ...NEW_ACCOUNT, balance: BigInt(value) });
    else overlay.setStorage(address, new Uint8Array(32).fill(slot + 1), Uint8Array.of(value));
  }
  return overlay.writes();
}

let live: Awaited<ReturnType<typeof liveNode>>;
beforeEach(async () => {
  live = await liveNode();
  await live.call('anvil_setCode', HOLDER, STORES);
});
afterEach(() => live.close());

const store = (slot: number, value: number) =>
  live.call('eth_sendTransaction', {
    from: live.accounts.first,
    to: HOLDER,
    gas: '0x186a0',
    data: `${word(slot)}${word(value).slice(2)}`,
  });
const diff = (from: string, to: string) => live.call('devnet_stateDiff', from, to);

describe('devnet_stateDiff', () => {
  it('has balances, nonces and slots of the block being built, old and new', async () => {
    await store(1, 5);
    await live.seal();
    await store(1, 6);
    await store(2, 7);
    await live.tick();
    const [old, now] = await Promise.all(
      ['latest', 'pending'].map((tag) => live.call('eth_getBalance', live.accounts.first, tag)),
    );
    const changes = await diff('latest', 'pending');
    expect(changes[HOLDER]).toEqual({
      storage: { [word(1)]: [word(5), word(6)], [word(2)]: [word(0), word(7)] },
    });
    expect(changes[live.accounts.first]).toEqual({ balance: [old, now], nonce: ['0x1', '0x3'] });
  });

  it('is the same when the tries are compared, after the blocks are sealed', async () => {
    await store(3, 1);
    await live.seal();
    await store(3, 2);
    await live.send();
    await live.tick();
    const pending = await diff('latest', 'pending');
    const { number } = await live.call('eth_getBlockByNumber', 'pending', false);
    await live.seal();
    const before = `0x${(Number(number) - 1).toString(16)}`;
    expect(await diff(before, number)).toEqual(pending);
  });

  it('spans several blocks, and answers the contrary for the contrary order', async () => {
    await store(1, 1);
    await live.seal();
    await store(1, 0);
    await store(4, 4);
    await live.seal();
    await live.call('anvil_setBalance', HOLDER, '0x5');
    await live.seal();
    const forth = await diff('0x0', 'latest');
    expect(forth[HOLDER]).toMatchObject({
      balance: ['0x0', '0x5'],
      storage: { [word(4)]: [word(0), word(4)] },
    });
    expect(Object.keys(forth[HOLDER].storage)).toEqual([word(4)]);
    const back = await diff('latest', '0x0');
    expect(back[HOLDER].storage).toEqual({ [word(4)]: [word(4), word(0)] });
    expect(await diff('latest', 'latest')).toEqual({});
  });

  it('marks accounts that exist in one of the blocks only', async () => {
    await live.call('eth_sendTransaction', {
      from: live.accounts.first,
      to: `0x${'d1'.repeat(20)}`,
      value: '0x9',
    });
    await live.tick();
    expect((await diff('latest', 'pending'))[`0x${'d1'.repeat(20)}`]).toMatchObject({
      balance: [null, '0x9'],
    });
  });

  it('reads what was written on a fork', async () => {
    await live.seal();
    const fork = await createDevnet({ port: 0, manualClock: true, forkUrl: live.node.url! });
    const call = callsOf(fork);
    const from = live.accounts.first;
    await call('eth_sendTransaction', {
      from,
      to: HOLDER,
      gas: '0x186a0',
      data: `${word(8)}${word(9).slice(2)}`,
    });
    await call('devnet_tick');
    const nonce = await call('eth_getTransactionCount', from, 'latest');
    const changes = await call('devnet_stateDiff', 'latest', 'pending');
    expect(changes[from].nonce).toEqual([nonce, `0x${(Number(nonce) + 1).toString(16)}`]);
    expect(changes[HOLDER]).toEqual({ storage: { [word(8)]: [word(0), word(9)] } });
    await fork.close();
  });

  it('refuses blocks that are not there', async () => {
    expect(await codeOf(diff('0x0', '0xffff'))).toBe(-32000);
  });
});

it('refuses more than 10,000 changes', async () => {
  const large = await liveNode({ automine: true, gasLimit: 300_000_000n });
  // PUSH0 CALLDATALOAD, JUMPDEST, sstore(n, 1), n - 1, as long as it isn't zero
  await large.call('anvil_setCode', HOLDER, '0x5f355b60018155600190038060025700');
  const fill = (data: string) =>
    large.call('eth_sendTransaction', { from: large.accounts.first, to: HOLDER, gas: '0x11000000', data });
  await fill(word(9_900));
  expect(Object.keys((await large.call('devnet_stateDiff', '0x0', 'latest'))[HOLDER].storage)).toHaveLength(
    9_900,
  );
  await fill(word(10_000));
  expect(await codeOf(large.call('devnet_stateDiff', '0x0', 'latest'))).toBe(-32000);
  await large.close();
});

it('finds the same in the writes as in the tries', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(change, { maxLength: 6 }), { minLength: 1, maxLength: 4 }),
      async (folds) => {
        const source = new MemorySource();
        const first = TrieState.at(source, EMPTY_ROOT).fold(writesOf(START));
        source.store(first.unstored());
        const before = TrieState.at(source, first.root);
        const preimages = new Map([...first.preimages()].map(([hash, bytes]) => [hex(hash), bytes]));
        const after = folds.reduce((state, changes) => state.fold(writesOf(changes)), before);
        const database = { getPreimage: (hash: Uint8Array) => preimages.get(hex(hash)) };
        const written = writtenBetween(before, after)!;
        const fast = await stateDiff(before, after, database);
        const keys = await keysThatDiffer(before, after, database);
        const slow = await stateDiff(before, after, database);
        // Making the tries has used up the writes.
        if (after !== before) expect(writtenBetween(before, after)).toBeUndefined();
        expect(slow).toEqual(fast);
        for (const [address, slots] of keys) {
          expect(written.has(address)).toBe(true);
          for (const slot of slots) expect(written.get(address)!.has(slot)).toBe(true);
        }
      },
    ),
    { numRuns: runs(60) },
  );
});
