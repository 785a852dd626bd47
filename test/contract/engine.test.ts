import { bytesToHex, createAddressFromString } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { BlockBuilder } from '../../src/chain/block-builder.ts';
import { type BlockPlan, draftBlock, finishOf } from '../../src/chain/block-draft.ts';
import { CALL_RULES, type Engine, TRANSACTION_RULES } from '../../src/engine/engine.ts';
import { ENGINES } from '../../src/engine/engine-name.ts';
import { messageOf } from '../../src/engine/message.ts';
import { newEngine } from '../../src/engine/new-engine.ts';
import type { Workspace } from '../../src/engine/workspace.ts';
import { startOf } from '../../src/engine/workspace.ts';
import { chooseCrypto } from '../../src/protocol/crypto.ts';
import { singleHardfork } from '../../src/protocol/hardfork.ts';
import type { Message } from '../../src/protocol/types.ts';
import { NEW_ACCOUNT, ZERO_HASH } from '../../src/state/account.ts';
import type { ChainState } from '../../src/state/chain-state.ts';
import { BEACON_ROOTS, BLOCK_HASHES } from '../../src/state/genesis-code.ts';
import { integerWord } from '../../src/state/integers.ts';
import { MemorySource } from '../../src/state/node-cache.ts';
import { Overlay } from '../../src/state/overlay.ts';
import { TrieState } from '../../src/state/trie-state.ts';
import type { StateView } from '../../src/state/view.ts';
import { PLAN, parentOf, SYSTEM, signerFor } from '../chain/both-ways.ts';
import { CHAIN_ID, callData, Kitchen } from '../engine/ethereumjs/accounts.ts';
import { callOf, ENV } from '../engine/ethereumjs/call-of.ts';
import { allocOf, at, KITCHEN, RICH } from '../engine/ethereumjs/scenarios.ts';
import { hashOfBlock, stockCommon } from '../engine/ethereumjs/stock.ts';

const crypto = await chooseCrypto();
const common = stockCommon('osaka');
const { transfer } = signerFor(common);
const ALLOC = new Map([...allocOf([], false), ...SYSTEM]);
const SENDER = RICH[0]!.address;
/** the first slot that `fill` writes */
const FILLED = 2n ** 128n + 3n;
const FILL = callData(Kitchen, 'fill', 3n, 1n, 7n);
/** EIP-4788, EIP-2935 */
const RING = 8191n;

const filling = (nonce: bigint) => transfer(nonce, KITCHEN, { data: FILL });

describe.each(ENGINES)('the engine %s', (name) => {
  const differences: string[] = [];
  const engine: Engine = newEngine(name, {
    schedule: singleHardfork(CHAIN_ID, 'osaka', crypto),
    crypto,
    onDifference: ({ message }) => differences.push(message),
  });

  function startAfter(parent: ReturnType<typeof parentOf>, plan: BlockPlan = PLAN) {
    const draft = draftBlock(parent, plan, engine, hashOfBlock);
    return { draft, start: startOf(draft) };
  }

  function add(workspace: Workspace, transaction: ReturnType<typeof transfer>, options = {}) {
    return workspace.add(messageOf(transaction), transaction.raw, TRANSACTION_RULES, options);
  }

  async function rootOf(state: ChainState): Promise<string> {
    // Of the tries, whatever computed the root before.
    return bytesToHex(state instanceof TrieState ? state.rootOfTries : state.root);
  }

  describe('makes blocks', () => {
    it('with what the protocol writes at their start, and transactions one after the other', async () => {
      const parent = parentOf(ALLOC, new MemorySource());
      const { draft, start } = startAfter(parent);
      const workspace = engine.workspace(parent.state, { withStateRoot: true });
      await workspace.open(start);
      const [roots, hashes] = [BEACON_ROOTS, BLOCK_HASHES].map(({ address }) =>
        createAddressFromString(address),
      );
      const place = (PLAN.timestamp % RING) + RING;
      expect(await workspace.state.getStorage(roots!, integerWord(place))).toEqual(
        PLAN.parentBeaconBlockRoot,
      );
      expect(await workspace.state.getStorage(hashes!, integerWord(parent.header.number))).toEqual(
        parent.hash,
      );

      expect(await workspace.nonceOf(SENDER)).toBe(0n);
      expect(await add(workspace, transfer(0n, at(5), { value: 9n }))).toMatchObject({ success: true });
      expect(await add(workspace, filling(1n))).toMatchObject({ success: true });
      expect(await workspace.nonceOf(SENDER)).toBe(2n);
      expect(await workspace.state.getAccount(at(5))).toMatchObject({ balance: 9n });
      expect(await workspace.state.getStorage(KITCHEN, integerWord(FILLED))).toEqual(Uint8Array.of(7));
      expect(await workspace.state.getCode(KITCHEN)).toEqual(Kitchen.code);

      const made = await workspace.seal(finishOf(draft, { strict: true }));
      const { state, writes } = await workspace.keep();
      expect(bytesToHex(made.stateRoot)).toBe(await rootOf(state));
      expect(bytesToHex(state.root)).toBe(await rootOf(parent.state.fold(writes)));
      expect(made.requests).toEqual([]);
    });

    it('without a transaction that is invalid, which changes nothing', async () => {
      const parent = parentOf(ALLOC, new MemorySource());
      const { start } = startAfter(parent);
      const workspace = engine.workspace(parent.state, { withStateRoot: true });
      await workspace.open(start);
      await add(workspace, transfer(0n, at(5)));
      for (const [wrong, error] of [
        [transfer(0n, at(6)), 'nonceTooLow'],
        [transfer(2n, at(6)), 'nonceTooHigh'],
        [transfer(1n, at(6), { value: 10n ** 40n }), 'insufficientFunds'],
      ] as const)
        expect(await add(workspace, wrong)).toMatchObject({ kind: 'invalid', error: { kind: error } });
      expect(await workspace.nonceOf(SENDER)).toBe(1n);
      expect(await add(workspace, transfer(1n, at(6)))).toMatchObject({ kind: 'executed' });
      workspace.discard();
    });

    it('with withdrawals (EIP-4895), which are paid at their end', async () => {
      const parent = parentOf(ALLOC, new MemorySource());
      const withdrawals = [{ index: 0n, validatorIndex: 1n, address: at(0x77), amount: 5n }];
      const builder = await BlockBuilder.begin(parent, { ...PLAN, withdrawals }, engine, hashOfBlock, {
        withL1Attributes: false,
      });
      expect(await builder.state.getAccount(at(0x77))).toBeUndefined();
      const { block } = await builder.sealAndKeep({ strict: true });
      expect(await block.state.getAccount(at(0x77))).toMatchObject({ balance: 5n * 10n ** 9n });
      expect(bytesToHex(block.header.stateRoot)).toBe(await rootOf(block.state));
    });

    it('that go on: what has been written at their start is not written again', async () => {
      const parent = parentOf(ALLOC, new MemorySource());
      const { draft, start } = startAfter(parent);
      const workspace = engine.workspace(parent.state, { withStateRoot: true });
      await workspace.open(start, { gasUsed: 0n, counted: { execution: 0n, state: 0n } });
      const made = await workspace.seal(finishOf(draft, { strict: true }));
      const { state } = await workspace.keep();
      expect(bytesToHex(made.stateRoot)).toBe(bytesToHex(parent.state.root));
      expect(made.header).toBeUndefined();
      expect(state.root).toEqual(parent.state.root);
    });

    it('or fails to, where a system contract is missing and has to be there (EIP-7002, EIP-7251)', async () => {
      const parent = parentOf(allocOf([], false), new MemorySource());
      const { draft, start } = startAfter(parent);
      for (const strict of [true, false]) {
        const workspace = engine.workspace(parent.state, { withStateRoot: true });
        await workspace.open(start);
        const sealing = (async () => workspace.seal(finishOf(draft, { strict })))();
        if (strict) await expect(sealing).rejects.toThrow('system contract empty');
        else expect(await sealing).toMatchObject({ requests: [] });
        workspace.discard();
      }
    });

    it('and leaves nothing of those that are discarded', async () => {
      const parent = parentOf(ALLOC, new MemorySource());
      const { draft, start } = startAfter(parent);
      const roots = new Set<string>();
      for (const value of [1n, 2n, 1n]) {
        const workspace = engine.workspace(parent.state, { withStateRoot: true });
        await workspace.open(start);
        await add(workspace, transfer(0n, at(5), { value }));
        const made = await workspace.seal(finishOf(draft, { strict: true }));
        roots.add(bytesToHex(made.stateRoot));
        workspace.discard();
        workspace.discard();
      }
      expect(roots.size).toBe(2);
      expect(await rootOf(parent.state)).toBe(bytesToHex(parent.header.stateRoot));
    });

    it('one after the other without state roots, with what somebody else writes between them', async () => {
      const parent = parentOf(ALLOC, new MemorySource());
      const workspace = engine.workspace(parent.state, { withStateRoot: false });
      let last: ReturnType<typeof parentOf> = parent;
      for (const nonce of [0n, 1n, 2n]) {
        const { draft, start } = startAfter(last, { ...PLAN, timestamp: PLAN.timestamp + nonce });
        const overridden = new Overlay(workspace.state);
        // The last one takes all of the contract's storage away.
        if (nonce === 2n) overridden.clearStorage(KITCHEN);
        else overridden.setStorage(KITCHEN, integerWord(4n + nonce), Uint8Array.of(1));
        await workspace.apply(overridden.writes());
        await workspace.open(start);
        expect(await add(workspace, transfer(nonce, at(5), { value: 1n }))).toMatchObject({ success: true });
        const { stateRoot } = await workspace.seal(finishOf(draft, { strict: true }));
        expect(stateRoot).toEqual(ZERO_HASH);
        last = { ...last, header: { ...last.header, ...start.env, number: start.env.number } } as never;
        expect(await workspace.state.getStorage(KITCHEN, integerWord(4n))).toEqual(
          nonce === 2n ? new Uint8Array() : Uint8Array.of(1),
        );
      }
      expect(await workspace.state.getAccount(at(5))).toMatchObject({ balance: 3n });
      workspace.discard();
    });

    it('two at once, which see nothing of each other', async () => {
      const parent = parentOf(ALLOC, new MemorySource());
      const { start } = startAfter(parent);
      const workspaces = [1n, 2n].map(() => engine.workspace(parent.state, { withStateRoot: true }));
      for (const workspace of workspaces) await workspace.open(start);
      for (const [i, workspace] of workspaces.entries())
        await add(workspace, transfer(0n, at(5), { value: BigInt(i + 1) }));
      for (const [i, workspace] of workspaces.entries()) {
        expect(await workspace.nonceOf(SENDER)).toBe(1n);
        expect(await workspace.state.getAccount(at(5))).toMatchObject({ balance: BigInt(i + 1) });
        const { state } = await workspace.keep();
        expect(bytesToHex(state.root)).toBe(await rootOf(state));
      }
    });

    it('with precompiles that were moved, for one message', async () => {
      const parent = parentOf(ALLOC, new MemorySource());
      const { start } = startAfter(parent);
      const workspace = engine.workspace(parent.state, { withStateRoot: false });
      await workspace.open(start);
      const precompiles = engine.precompiles(start.env);
      const identity = precompiles.get(at(4).toString().slice(2))!;
      precompiles.set(at(0x99).toString().slice(2), identity);
      const data = Uint8Array.of(1, 2, 3);
      expect(await add(workspace, transfer(0n, at(0x99), { data }))).toMatchObject({
        returnData: new Uint8Array(),
      });
      expect(await add(workspace, transfer(1n, at(0x99), { data }), { precompiles })).toMatchObject({
        returnData: data,
      });
      expect(await workspace.nonceOf(SENDER)).toBe(2n);
      workspace.discard();
    });
  });

  describe('calls', () => {
    const READ = { ...callOf(KITCHEN, 100_000n), data: callData(Kitchen, 'read', FILLED) };
    const WRITE = { ...callOf(KITCHEN, 100_000n), data: FILL };

    it('on a view, which gets what they write', async () => {
      const { state } = parentOf(ALLOC, new MemorySource());
      const overlay = new Overlay(state);
      expect(await engine.execute(WRITE, ENV, overlay, CALL_RULES)).toMatchObject({ success: true });
      expect(await overlay.getStorage(KITCHEN, integerWord(FILLED))).toEqual(Uint8Array.of(7));
      expect(await engine.execute(READ, ENV, overlay, CALL_RULES)).toMatchObject({
        returnData: integerWord(7n),
      });
      expect(await engine.execute(READ, ENV, new Overlay(state), CALL_RULES)).toMatchObject({
        returnData: integerWord(0n),
      });
    });

    it('that need not keep the rules of transactions, and leave the sender all that these rules are about', async () => {
      const state = new Overlay(parentOf(ALLOC, new MemorySource()).state);
      // It returns the base fee.
      state.setCode(at(0xba5e), Uint8Array.of(0x48, 0x5f, 0x52, 0x60, 0x20, 0x5f, 0xf3));
      const env = { ...ENV, baseFeePerGas: 1_000n };
      const run = (fields: Partial<Message>, rules = CALL_RULES) =>
        engine.execute({ ...callOf(at(0xba5e), 20_000_000n), ...fields }, env, state, rules);
      const code = await state.getCode(KITCHEN);
      expect(await run({ from: KITCHEN, nonce: 9n })).toMatchObject({
        success: true,
        effectiveGasPrice: 0n,
        returnData: integerWord(1_000n),
      });
      expect(await state.getCode(KITCHEN)).toEqual(code);
      const low = { from: SENDER, maxFeePerGas: 10n, maxPriorityFeePerGas: 10n };
      expect(await run(low)).toMatchObject({ kind: 'invalid', error: { kind: 'feeCapTooLow' } });
      expect(await run(low, { ...CALL_RULES, baseFee: false })).toMatchObject({
        success: true,
        effectiveGasPrice: 10n,
        returnData: integerWord(1_000n),
      });
      expect(await state.getAccount(env.coinbase)).toBeUndefined();
    });

    it('from an account whose nonce is the highest one: it creates nothing, and calls begin at 0 again (EIP-2681)', async () => {
      const state = new Overlay(parentOf(ALLOC, new MemorySource()).state);
      const from = at(0x2681);
      state.setAccount(from, { ...NEW_ACCOUNT, nonce: 2n ** 64n - 1n });
      const { to: _, ...creation } = { ...callOf(KITCHEN, 100_000n), from };
      expect(await engine.execute(creation, ENV, state, CALL_RULES)).toMatchObject({
        success: false,
        gasUsed: 53_000n,
        failure: { revert: false, reason: 'nonce uint64 overflow' },
      });
      expect(await state.getAccount(from)).toMatchObject({ nonce: 2n ** 64n - 1n });
      await engine.execute({ ...callOf(at(5), 100_000n), from }, ENV, state, CALL_RULES);
      expect((await state.getAccount(from))?.nonce ?? 0n).toBe(0n);
    });

    it('on a view that has to be waited for', async () => {
      const { state } = parentOf(ALLOC, new MemorySource());
      const remote: StateView = {
        getAccount: async (address) => state.getAccount(address),
        getCode: async (address) => state.getCode(address),
        getStorage: async (address, slot) => state.getStorage(address, slot),
      };
      const outcomes = [];
      for (const base of [state, remote]) {
        const overlay = new Overlay(base);
        await engine.execute(WRITE, ENV, overlay, CALL_RULES);
        outcomes.push(await engine.execute(READ, ENV, overlay, CALL_RULES));
      }
      expect(outcomes[1]).toEqual(outcomes[0]);
      expect(outcomes[0]).toMatchObject({ returnData: integerWord(7n) });
    });
  });

  it('goes on from an earlier state after blocks are undone, as if they had never been', async () => {
    const source = new MemorySource();
    const roots: string[][] = [[], []];
    const genesis = parentOf(ALLOC, source);
    for (const list of roots) {
      let parent = { ...genesis, state: TrieState.at(source, genesis.header.stateRoot) as ChainState };
      engine.returnTo(parent.state);
      for (const nonce of [0n, 1n, 2n]) {
        const plan = { ...PLAN, timestamp: PLAN.timestamp + nonce };
        const builder = await BlockBuilder.begin(parent, plan, engine, hashOfBlock, {
          withL1Attributes: false,
        });
        await builder.add(nonce === 1n ? filling(1n) : transfer(nonce, at(5), { value: 1n }), {
          gasCap: true,
        });
        const { block } = await builder.sealAndKeep({ strict: true });
        source.store(block.state.unstored());
        parent = { ...block, sealed: true, state: block.state.asStored(source) };
        list.push(bytesToHex(block.hash));
      }
    }
    expect(roots[1]).toEqual(roots[0]);
  });

  it('has found no difference to the other one', () => {
    expect(differences).toEqual([]);
  });
});
