import { type Address, bytesToHex } from '@ethereumjs/util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WholeBlock } from '../../../src/chain/whole-block.ts';
import { CALL_RULES, TRANSACTION_RULES } from '../../../src/engine/engine.ts';
import { EthereumjsEngine } from '../../../src/engine/ethereumjs/ethereumjs-engine.ts';
import { ShadowEngine } from '../../../src/engine/shadow/shadow-engine.ts';
import { CoreBlockMaker } from '../../../src/engine/wasm/core-block-maker.ts';
import { FastEngine } from '../../../src/engine/wasm/fast-engine.ts';
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

/** The differences that the engine finds in one run. */
async function differences(given: Message, rules = TRANSACTION_RULES): Promise<string[]> {
  const found: string[] = [];
  const engine = new ShadowEngine({
    schedule,
    crypto: await chooseCrypto(),
    onDifference: ({ message }) => found.push(message),
  });
  await engine.execute(given, env, new Overlay(state), rules);
  return found;
}

/** Changes what the fast engine says. */
function fastSays(change: (outcome: Executed, state: Overlay) => Outcome): void {
  const { execute } = FastEngine.prototype;
  vi.spyOn(FastEngine.prototype, 'execute').mockImplementation(async function (this: FastEngine, ...run) {
    return change((await execute.apply(this, run)) as Executed, run[2] as Overlay);
  });
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the shadow engine', () => {
  it.each([
    ['a transaction', {}, TRANSACTION_RULES],
    [
      'a call, which need not keep the rules of transactions',
      { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n },
      CALL_RULES,
    ],
  ] as const)('compares %s with EthereumJS, and finds no difference', async (_, fields, rules) => {
    const reference = vi.spyOn(EthereumjsEngine.prototype, 'execute');
    expect(await differences({ ...message(STORE), ...fields }, rules)).toEqual([]);
    expect(await reference.mock.results[0]!.value).toMatchObject({ kind: 'executed', success: true });
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
    fastSays(change);
    const found = await differences(message(STORE));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`message to ${KITCHEN}: ${name}`);
  });

  it('ends where only one of the two refuses a transaction', async () => {
    fastSays(() => ({ kind: 'invalid', error: new DevnetError('noDeposits') }));
    expect(await differences(message(STORE))).toEqual([expect.stringContaining('refused: ')]);
  });

  describe('compares what the protocol writes', () => {
    const parent = parentOf(new Map([...allocOf([], false), ...SYSTEM]), new MemorySource());
    const withdrawals = [{ index: 0n, validatorIndex: 1n, address: RICH[1]!.address, amount: 5n }];

    async function found(): Promise<string[]> {
      const differences: string[] = [];
      const engine = new ShadowEngine({
        schedule,
        crypto: await chooseCrypto(),
        onDifference: ({ message }) => differences.push(message),
      });
      const plan = { ...PLAN, withdrawals };
      const whole = await WholeBlock.open(parent, plan, engine, hashOfBlock, { leads: false });
      await whole.seal({ strict: false });
      whole.close();
      return differences;
    }

    it('at the start and the end of a block, and finds no difference', async () => {
      expect(await found()).toEqual([]);
    });

    it('and ends with a difference at the start', async () => {
      const { open } = CoreBlockMaker.prototype;
      // As if it had been written already.
      const before = { gasUsed: 0n, counted: { execution: 0n, state: 0n } };
      vi.spyOn(CoreBlockMaker.prototype, 'open').mockImplementation(function (this: CoreBlockMaker, start) {
        return open.call(this, start, before);
      });
      expect((await found())[0]).toContain(`block 2, start: slot`);
    });

    it('and at the end, in requests and in state', async () => {
      const { seal } = CoreBlockMaker.prototype;
      vi.spyOn(CoreBlockMaker.prototype, 'seal').mockImplementation(async function (
        this: CoreBlockMaker,
        finish,
      ) {
        const made = await seal.call(this, { ...finish, withdrawals: [] });
        return { ...made, requests: [Uint8Array.of(1, 2)] };
      });
      const differences = await found();
      expect(differences).toHaveLength(2);
      expect(differences[0]).toContain('block 2, end: requests: [] and ["0x0102"]');
      expect(differences[1]).toContain(`block 2, end: account ${RICH[1]!.address}`);
    });
  });
});
