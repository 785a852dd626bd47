import { bytesToHex, setLengthLeft } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDevnet, type DevnetOptions } from '../../src/index.ts';
import type { HardforkName } from '../../src/protocol/hardfork.ts';
import { GWEI } from '../engine/ethereumjs/accounts.ts';
import { program } from '../engine/ethereumjs/programs.ts';
import { allocOf, CALLED, type Spec, spec } from '../engine/ethereumjs/scenarios.ts';
import { stockCommon } from '../engine/ethereumjs/stock.ts';
import { signed } from '../engine/wasm/stock-summary.ts';
import { FUZZ, runs } from '../fuzz.ts';
import { callsOf, type Wire } from '../wire.ts';

const ENGINES = ['fast', 'ethereumjs'] as const;
/** `npm run test:histories` sets them: how many transactions, the seed of the first history, and on which hardfork. */
const { TRANSACTIONS, SEED, HARDFORK } = process.env;
/** Whether somebody searches for longer, and wants to know for how long. */
const SEARCHES = FUZZ > 1 || TRANSACTIONS !== undefined;
const TARGETS = CALLED.map((bytes) => bytesToHex(bytes));

const quantity = (value: bigint | number) => `0x${value.toString(16)}`;
const word = (value: Uint8Array) => bytesToHex(setLengthLeft(value, 32));

/** What is done to both chains. */
type Step =
  | { readonly kind: 'send' | 'fill'; readonly specs: readonly Spec[] }
  | { readonly kind: 'call' | 'estimate' | 'trace'; readonly spec: Spec; readonly back: number }
  | ({ readonly kind: 'simulate'; readonly blocks: readonly (readonly Spec[])[] } & Simulation)
  | { readonly kind: 'snapshot' }
  | { readonly kind: 'revert'; readonly choice: number }
  | { readonly kind: 'reorg' | 'rollback' | 'mine'; readonly count: number }
  | { readonly kind: 'balance' | 'nonce' | 'slot'; readonly target: string; readonly value: number }
  | { readonly kind: 'code'; readonly target: string; readonly code: Uint8Array }
  | { readonly kind: 'prove'; readonly target: string; readonly back: number };

/** Members of the parameter of `eth_simulateV1`. */
interface Simulation {
  readonly validation: boolean;
  readonly traceTransfers: boolean;
  readonly returnFullTransactions: boolean;
}

/** @param types of the transactions */
function historyOf(types: readonly number[], hardfork: HardforkName): fc.Arbitrary<Step[]> {
  const one = spec(types, true, hardfork);
  const target = fc.constantFrom(...TARGETS);
  const back = fc.nat(3);
  const count = fc.integer({ min: 1, max: 3 });
  const several = fc.array(one, { minLength: 2, maxLength: 6 });
  const blocks = fc.array(fc.array(one, { maxLength: 3 }), { minLength: 1, maxLength: 3 });
  const simulation = {
    validation: fc.boolean(),
    traceTransfers: fc.boolean(),
    returnFullTransactions: fc.boolean(),
  };
  const kinds = <const K extends string>(...names: K[]) => fc.constantFrom(...names);
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 8, arbitrary: one.map((it): Step => ({ kind: 'send', specs: [it] })) },
    { weight: 3, arbitrary: fc.record({ kind: kinds('fill'), specs: several }) },
    { weight: 3, arbitrary: fc.record({ kind: kinds('call', 'estimate', 'trace'), spec: one, back }) },
    { weight: 2, arbitrary: fc.record({ kind: kinds('simulate'), blocks, ...simulation }) },
    { weight: 2, arbitrary: fc.record({ kind: kinds('snapshot') }) },
    { weight: 2, arbitrary: fc.record({ kind: kinds('revert'), choice: fc.nat(5) }) },
    { weight: 2, arbitrary: fc.record({ kind: kinds('reorg', 'rollback', 'mine'), count }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: kinds('balance', 'nonce', 'slot'), target, value: fc.nat(9) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: kinds('code'), target, code: program(CALLED, true) }) },
    { weight: 1, arbitrary: fc.record({ kind: kinds('prove'), target, back }) },
  );
  return fc.array(step, SEARCHES ? { minLength: 150, maxLength: 200 } : { minLength: 25, maxLength: 40 });
}

/** The parameters of a call, from those of a transaction. */
function callOf({ from, to, fields }: Spec): Wire {
  const { data, gasLimit, value, accessList } = fields as Wire;
  return {
    from: from.toString(),
    ...(to && { to: to.toString() }),
    input: bytesToHex(data),
    gas: quantity(gasLimit),
    value: quantity(value),
    ...(accessList && { accessList }),
  };
}

/** The fields of a transaction, with fees above the base fee. */
function priced(fields: Spec['fields']): Wire {
  const { gasPrice, maxFeePerGas, ...rest } = fields as Wire;
  if (gasPrice !== undefined) return { ...rest, gasPrice: gasPrice + 2n * GWEI };
  return { ...rest, maxFeePerGas: maxFeePerGas + 2n * GWEI };
}

/** A chain with the accounts that the transactions meet. */
class History {
  readonly #node: Awaited<ReturnType<typeof createDevnet>>;
  readonly #common: ReturnType<typeof stockCommon>;
  /** ids, and the head at that time */
  readonly #snapshots: { id: string; head: string }[] = [];
  sent = 0;

  private constructor(node: Awaited<ReturnType<typeof createDevnet>>, hardfork: HardforkName) {
    this.#node = node;
    this.#common = stockCommon(hardfork);
  }

  static async start(
    {
      engine,
      hardfork,
      simulateStateRoot,
    }: Required<Pick<DevnetOptions, 'engine' | 'simulateStateRoot'>> & { hardfork: HardforkName },
    alloc: ReturnType<typeof allocOf>,
  ): Promise<History> {
    // EthereumJS may take minutes for a trace on a busy machine.
    const rpcTimeout = 0;
    const options: DevnetOptions = {
      engine,
      hardfork,
      simulateStateRoot,
      automine: true,
      timestamp: 1_700_000_000,
      rpcTimeout,
    };
    const history = new History(await createDevnet({ ...options, manualClock: true }), hardfork);
    for (const [address, { balance, nonce, code, storage }] of alloc) {
      await history.ask('anvil_setBalance', address, quantity(balance));
      if (nonce) await history.ask('anvil_setNonce', address, quantity(nonce));
      if (code) await history.ask('anvil_setCode', address, bytesToHex(code));
      for (const [slot, value] of storage ?? [])
        await history.ask('anvil_setStorageAt', address, slot, word(value));
    }
    await history.ask('evm_mine');
    return history;
  }

  /** What a call answers, or its error. */
  ask(method: string, ...params: unknown[]): Promise<Wire> {
    return callsOf(this.#node)(method, ...params).catch(({ code, message, data }) => ({
      error: { code, message, data },
    }));
  }

  /** @returns all that was answered, and the head after it */
  async take(step: Step): Promise<Wire[]> {
    return [...(await this.#take(step)), await this.ask('eth_getBlockByNumber', 'latest', true)];
  }

  async #take(step: Step): Promise<Wire[]> {
    switch (step.kind) {
      case 'send':
        return this.#send(step.specs);
      case 'fill': {
        await this.ask('evm_setAutomine', false);
        const sent = await this.#send(step.specs);
        await this.ask('evm_mine');
        await this.ask('evm_setAutomine', true);
        return [...sent, await this.ask('eth_getBlockReceipts', 'latest'), await this.ask('txpool_content')];
      }
      case 'call':
        return [await this.ask('eth_call', callOf(step.spec), await this.#tagOf(step.back))];
      case 'estimate':
        return [await this.ask('eth_estimateGas', callOf(step.spec), await this.#tagOf(step.back))];
      case 'trace': {
        const params = [callOf(step.spec), await this.#tagOf(step.back)];
        return [
          await this.ask('debug_traceCall', ...params, {
            tracer: 'callTracer',
            tracerConfig: { withLog: true },
          }),
          await this.ask('debug_traceCall', ...params, {
            tracer: 'prestateTracer',
            tracerConfig: { diffMode: true },
          }),
        ];
      }
      case 'simulate': {
        const { kind, blocks, ...simulation } = step;
        const blockStateCalls = blocks.map((specs) => ({ calls: specs.map(callOf) }));
        return [await this.ask('eth_simulateV1', { blockStateCalls, ...simulation }, 'latest')];
      }
      case 'snapshot': {
        const id = await this.ask('evm_snapshot');
        this.#snapshots.push({ id, head: await this.#headHash() });
        return [id];
      }
      case 'revert': {
        const { length } = this.#snapshots;
        if (length === 0) return [];
        const [{ id, head }] = this.#snapshots.splice(step.choice % length) as [{ id: string; head: string }];
        const reverted = await this.ask('evm_revert', id);
        if (reverted === true) expect(await this.#headHash()).toBe(head);
        return [reverted];
      }
      case 'reorg':
        return [await this.ask('anvil_reorg', step.count, [])];
      case 'rollback':
        return [await this.ask('anvil_rollback', step.count)];
      case 'mine':
        return [await this.ask('anvil_mine', quantity(step.count), '0x7')];
      case 'balance':
        return [await this.ask('anvil_setBalance', step.target, quantity(10n ** BigInt(2 * step.value)))];
      case 'nonce':
        return [await this.ask('anvil_setNonce', step.target, quantity(step.value))];
      case 'slot': {
        const value = word(Uint8Array.of(step.value));
        return [await this.ask('anvil_setStorageAt', step.target, quantity(step.value % 3), value)];
      }
      case 'code':
        return [await this.ask('anvil_setCode', step.target, bytesToHex(step.code))];
      case 'prove': {
        const slots = ['0x0', '0x1', '0x2'];
        return [await this.ask('eth_getProof', step.target, slots, await this.#tagOf(step.back))];
      }
    }
  }

  async #send(specs: readonly Spec[]): Promise<Wire[]> {
    const answers: Wire[] = [];
    for (const { from, nonceOff, fields } of specs) {
      const nonce = BigInt(await this.ask('eth_getTransactionCount', from.toString(), 'pending'));
      const raw = signed(from, { ...priced(fields), nonce: nonce + nonceOff }, this.#common).serialize();
      const hash = await this.ask('eth_sendRawTransaction', bytesToHex(raw));
      answers.push(hash);
      if (typeof hash !== 'string') continue;
      this.sent++;
      answers.push(await this.ask('eth_getTransactionReceipt', hash));
    }
    return answers;
  }

  async #headHash(): Promise<string> {
    return (await this.ask('eth_getBlockByNumber', 'latest', false)).hash;
  }

  /** The number of an earlier block. */
  async #tagOf(back: number): Promise<string> {
    const head = Number(await this.ask('eth_blockNumber'));
    return quantity(Math.max(0, head - back));
  }

  close(): Promise<void> {
    return this.#node.close();
  }
}

/** With the types of their transactions, without blobs: a blob transaction is sent with its blobs, of 128 KiB each. */
const FORKS: readonly (readonly [HardforkName, readonly number[]])[] = [
  ['cancun', [0, 1, 2, 2]],
  ['prague', [0, 1, 2, 2, 4]],
  ['osaka', [0, 1, 2, 2, 4]],
  ['amsterdam', [0, 1, 2, 2, 4]],
];

const chosen = FORKS.filter(([name]) => !TRANSACTIONS || name === HARDFORK);

describe.each(chosen)('a history on %s', (hardfork, types) => {
  const scenario = fc.record({
    programs: fc.tuple(program(CALLED, true), program(CALLED, true), program(CALLED, true)),
    steps: historyOf(types, hardfork),
    simulateStateRoot: fc.boolean(),
  });
  let histories = 0;
  let sent = 0;
  const property = fc.asyncProperty(scenario, async ({ programs, steps, simulateStateRoot }) => {
    const alloc = allocOf(programs, false);
    const [fast, stock] = await Promise.all(
      ENGINES.map((engine) => History.start({ engine, hardfork, simulateStateRoot }, alloc)),
    );
    try {
      for (const step of steps) expect(await fast!.take(step)).toEqual(await stock!.take(step));
      sent += fast!.sent;
      histories++;
    } finally {
      await Promise.all([fast!.close(), stock!.close()]);
    }
  });
  // To stderr: Vitest holds back what a test prints to stdout.
  const tell = () => process.stderr.write(`${hardfork}: ${histories} histories with ${sent} transactions\n`);

  it('has the same answers, receipts, roots and hashes with the fast engine and with EthereumJS', {
    timeout: 120_000 * FUZZ + 1000 * Number(TRANSACTIONS ?? 0),
  }, async () => {
    if (TRANSACTIONS) {
      for (let seed = Number(SEED); sent < Number(TRANSACTIONS); seed++) {
        // It is long: making it smaller would take an hour.
        await fc.assert(property, { seed, numRuns: 1, endOnFailure: true });
        if (histories % 20 === 0) tell();
      }
    } else await fc.assert(property, { numRuns: runs(2) });
    if (SEARCHES) tell();
    // The others are refused.
    expect(sent).toBeGreaterThan((SEARCHES ? 45 : 8) * histories);
  });
});
