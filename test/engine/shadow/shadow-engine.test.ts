import { type Address, bytesToHex } from '@ethereumjs/util';
import { describe, expect, it, vi } from 'vitest';
import { BlockBuilder } from '../../../src/chain/block-builder.ts';
import { CALL_RULES, TRANSACTION_RULES } from '../../../src/engine/engine.ts';
import { EthereumjsEngine } from '../../../src/engine/ethereumjs/ethereumjs-engine.ts';
import { ShadowEngine } from '../../../src/engine/shadow/shadow-engine.ts';
import { FastEngine } from '../../../src/engine/wasm/fast-engine.ts';
import type { Workspace } from '../../../src/engine/workspace.ts';
import { DevnetError } from '../../../src/errors.ts';
import { chooseCrypto } from '../../../src/protocol/crypto.ts';
import { singleHardfork } from '../../../src/protocol/hardfork.ts';
import type { Executed, Message, Outcome } from '../../../src/protocol/types.ts';
import { MemorySource } from '../../../src/state/node-cache.ts';
import { Overlay } from '../../../src/state/overlay.ts';
import { PLAN, parentOf, SYSTEM } from '../../chain/both-ways.ts';
import { CHAIN_ID, callData, GWEI, Kitchen } from '../ethereumjs/accounts.ts';
import { allocOf, KITCHEN, RICH } from '../ethereumjs/scenarios.ts';
import {
  blockOf,
  engineOf,
  hashOfBlock,
  messageFrom,
  PLAIN_BLOCK,
  stockCommon,
  trieStateOf,
} from '../ethereumjs/stock.ts';

const schedule = singleHardfork(CHAIN_ID, 'prague', await chooseCrypto());
const common = stockCommon('prague');
const state = trieStateOf(allocOf([], false));
const { fork } = engineOf('prague');
const { coinbase: COINBASE } = PLAIN_BLOCK;
const { env } = blockOf(PLAIN_BLOCK, fork, common);

function message(data: Uint8Array, to: Address = KITCHEN, nonce = 0): Message {
  const fields = { nonce, gasLimit: 1_000_000n, gasPrice: 2n * GWEI, to, data };
  return messageFrom(RICH[0]!.address, fields, common);
}

const STORE = callData(Kitchen, 'tstoreThenLoad', 1n, 5n);

/** A shadow engine, the fast one in it, and the differences that it finds. */
async function shadow() {
  const crypto = await chooseCrypto();
  const [fast, reference] = [
    new FastEngine({ schedule, crypto }),
    new EthereumjsEngine({ schedule, crypto }),
  ];
  const found: string[] = [];
  const engine = new ShadowEngine({ fast, reference, onDifference: ({ message }) => found.push(message) });
  return { engine, fast, reference, found };
}

/** The differences that the engine finds in one run. @param change changes what the fast engine says */
async function differences(
  given: Message,
  rules = TRANSACTION_RULES,
  change: (outcome: Executed, state: Overlay) => Outcome = (outcome) => outcome,
): Promise<string[]> {
  const { engine, fast, found } = await shadow();
  const execute = fast.execute.bind(fast);
  fast.execute = async (...run) => change((await execute(...run)) as Executed, run[2] as Overlay);
  await engine.execute(given, env, new Overlay(state), rules);
  return found;
}

describe('the shadow engine', () => {
  it.each([
    ['a transaction', {}, TRANSACTION_RULES],
    [
      'a call, which need not keep the rules of transactions',
      { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n },
      CALL_RULES,
    ],
  ] as const)('compares %s with EthereumJS, and finds no difference', async (_, fields, rules) => {
    const { engine, reference, found } = await shadow();
    const runs = vi.spyOn(reference, 'execute');
    await engine.execute({ ...message(STORE), ...fields }, env, new Overlay(state), rules);
    expect(found).toEqual([]);
    expect(await runs.mock.results[0]!.value).toMatchObject({ kind: 'executed', success: true });
  });

  it('agrees that a transaction with another nonce is invalid', async () => {
    expect(await differences(message(STORE, KITCHEN, 7))).toEqual([]);
  });

  it.each<[name: string, change: (outcome: Executed, after: Overlay) => Outcome]>([
    ['success', (outcome) => ({ ...outcome, success: false })],
    ['gasUsed', (outcome) => ({ ...outcome, gasUsed: outcome.gasUsed + 1n })],
    ['returnData', (outcome) => ({ ...outcome, returnData: new Uint8Array(31) })],
    [
      'logs',
      (outcome) => ({ ...outcome, logs: [{ address: KITCHEN, topics: [], data: new Uint8Array(1) }] }),
    ],
    ['createdAddress', (outcome) => ({ ...outcome, createdAddress: KITCHEN })],
    ['effectiveGasPrice', (outcome) => ({ ...outcome, effectiveGasPrice: 1n })],
    ['blobGasUsed', (outcome) => ({ ...outcome, blobGasUsed: 1n })],
    ['failure', (outcome) => ({ ...outcome, failure: { revert: true, reason: 'revert' } })],
    [
      `account ${COINBASE}`,
      (outcome, after) => {
        after.setAccount(COINBASE, { nonce: 0n, balance: 5n, codeHash: new Uint8Array(32) });
        return outcome;
      },
    ],
    [
      `slot ${bytesToHex(new Uint8Array(32))}`,
      (outcome, after) => {
        after.setStorage(KITCHEN, new Uint8Array(32), Uint8Array.of(9));
        return outcome;
      },
    ],
  ])('ends with a difference in %s', async (name, change) => {
    const found = await differences(message(STORE), TRANSACTION_RULES, change);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`message to ${KITCHEN}: ${name}`);
  });

  it('ends where only one of the two refuses a transaction', async () => {
    const refuse = (): Outcome => ({ kind: 'invalid', error: new DevnetError('noDeposits') });
    const found = await differences(message(STORE), TRANSACTION_RULES, refuse);
    expect(found).toEqual([expect.stringContaining('refused: ')]);
  });

  describe('compares what the protocol writes', () => {
    const parent = parentOf(new Map([...allocOf([], false), ...SYSTEM]), new MemorySource());
    const withdrawals = [{ index: 0n, validatorIndex: 1n, address: RICH[1]!.address, amount: 5n }];

    /** The differences in a block. @param change changes the fast engine's workspace */
    async function foundWith(change: (workspace: Workspace) => Partial<Workspace>): Promise<string[]> {
      const { engine, fast, found } = await shadow();
      const open = fast.workspace.bind(fast);
      fast.workspace = (...given) => {
        const workspace = open(...given);
        return Object.assign(workspace, change(workspace));
      };
      const plan = { ...PLAN, withdrawals };
      const builder = await BlockBuilder.begin(parent, plan, engine, hashOfBlock, {
        withL1Attributes: false,
      });
      await builder.sealAndKeep({ strict: false });
      builder.close();
      return found;
    }

    it('at the start and the end of a block, and finds no difference', async () => {
      expect(await foundWith(() => ({}))).toEqual([]);
    });

    it('and ends with a difference at the start', async () => {
      // As if it had been written already.
      const before = { gasUsed: 0n, counted: { execution: 0n, state: 0n } };
      const found = await foundWith((workspace) => {
        const open = workspace.open.bind(workspace);
        return { open: (start) => open(start, before) };
      });
      expect(found[0]).toContain(`block 2, start: slot`);
    });

    it('and at the end, in requests and in state', async () => {
      const found = await foundWith((workspace) => {
        const seal = workspace.seal.bind(workspace);
        return {
          seal: async (finish) => {
            const made = await seal({ ...finish, withdrawals: [] });
            return { ...made, requests: [Uint8Array.of(1, 2)] };
          },
        };
      });
      expect(found).toHaveLength(2);
      expect(found[0]).toContain('block 2, end: requests: [] and ["0x0102"]');
      expect(found[1]).toContain(`block 2, end: account ${RICH[1]!.address}`);
    });
  });
});
