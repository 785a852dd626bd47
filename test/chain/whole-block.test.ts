import type { TypedTxData } from '@ethereumjs/tx';
import { Address, bytesToHex, hexToBytes } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transaction, TrieBlock } from '../../src/chain/block.ts';
import { append, BlockBuilder } from '../../src/chain/block-builder.ts';
import { type BlockPlan, openBlock } from '../../src/chain/block-draft.ts';
import { sealBlock } from '../../src/chain/block-seal.ts';
import { hashHeader } from '../../src/chain/header.ts';
import { encodeBlock, encodeReceipts } from '../../src/chain/store/block-codec.ts';
import { WholeBlock } from '../../src/chain/whole-block.ts';
import type { Engine } from '../../src/evm/engine.ts';
import type { HardforkName } from '../../src/evm/hardfork.ts';
import { EMPTY_ROOT, ZERO_HASH } from '../../src/state/account.ts';
import { type GenesisAccount, type GenesisAlloc, genesisWrites } from '../../src/state/genesis.ts';
import {
  BEACON_ROOTS,
  BLOCK_HASHES,
  CONSOLIDATION_REQUESTS,
  WITHDRAWAL_REQUESTS,
} from '../../src/state/genesis-code.ts';
import { keccak256 } from '../../src/state/keccak.ts';
import { MemorySource } from '../../src/state/node-cache.ts';
import { TrieState } from '../../src/state/trie-state.ts';
import { program } from '../evm/programs.ts';
import { allocOf, at, CALLED, envFields, RICH, spec } from '../evm/scenarios.ts';
import { engineOf, hashOfBlock, stockCommon } from '../evm/stock.ts';
import { signed } from '../executor/stock-summary.ts';
import { FUZZ, runs } from '../fuzz.ts';

const SYSTEM: readonly (readonly [string, GenesisAccount])[] = [
  BEACON_ROOTS,
  BLOCK_HASHES,
  WITHDRAWAL_REQUESTS,
  CONSOLIDATION_REQUESTS,
].map(({ address, code }) => [address, { balance: 0n, nonce: 1n, code: hexToBytes(code) }]);

const FORKS: readonly (readonly [HardforkName, readonly number[]])[] = [
  ['cancun', [0, 1, 2, 3]],
  ['prague', [0, 1, 2, 3, 4, 4]],
  ['osaka', [0, 1, 2, 3, 4, 4]],
];

/** The alloc as a stored state below a parent block. */
function parentOf(alloc: GenesisAlloc, source: MemorySource, number = 1n): TrieBlock {
  const folded = TrieState.at(source, EMPTY_ROOT).fold(genesisWrites(alloc));
  source.store(folded.unstored());
  const header = {
    parentHash: hashOfBlock(number - 1n),
    unclesHash: ZERO_HASH,
    coinbase: at(0),
    stateRoot: folded.root,
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: new Uint8Array(256),
    difficulty: 0n,
    number,
    gasLimit: 30_000_000n,
    gasUsed: 0n,
    timestamp: 1_000n,
    extraData: new Uint8Array(),
    mixHash: ZERO_HASH,
    nonce: new Uint8Array(8),
    baseFeePerGas: 7n,
    blobGasUsed: 0n,
    excessBlobGas: 0n,
    parentBeaconBlockRoot: ZERO_HASH,
  };
  return {
    header,
    hash: hashHeader(header),
    transactions: [],
    receipts: [],
    uncles: [],
    size: 0,
    sealed: true,
    state: TrieState.at(source, folded.root),
  };
}

const PLAN: BlockPlan = {
  timestamp: 1_012n,
  coinbase: at(0x7777),
  gasLimit: 30_000_000n,
  prevRandao: keccak256(Uint8Array.of(1)),
  extraData: Uint8Array.of(1, 2, 3),
  parentBeaconBlockRoot: keccak256(Uint8Array.of(2)),
};

/** All of a block that is stored, and its transactions that were refused. */
interface Made {
  readonly hash: string;
  readonly rlp: string;
  readonly size: number;
  readonly receipts: string;
  readonly root: string;
  readonly refused: readonly string[];
}

async function filled(builder: BlockBuilder, transactions: readonly Transaction[]): Promise<string[]> {
  const refused: string[] = [];
  for (const transaction of transactions) {
    const outcome = await builder.add(transaction, { gasCap: true });
    if (outcome.kind === 'invalid') refused.push(outcome.error.message);
  }
  return refused;
}

function madeOf(block: Omit<TrieBlock, 'sealed'>, refused: readonly string[]): Made {
  const { state } = block;
  if (!(state instanceof TrieState)) throw new Error('not a state of tries');
  expect(bytesToHex(hashHeader(block.header))).toBe(bytesToHex(block.hash));
  expect(encodeBlock(block).length).toBe(block.size);
  return {
    hash: bytesToHex(block.hash),
    rlp: bytesToHex(encodeBlock(block)),
    size: block.size,
    receipts: bytesToHex(encodeReceipts(block.receipts)),
    root: bytesToHex(state.rootOfTries),
    refused,
  };
}

/** The reference: opened, filled and sealed step by step. */
async function stepwise(parent: TrieBlock, plan: BlockPlan, engine: Engine, list: readonly Transaction[]) {
  const open = await openBlock(parent, plan, engine, hashOfBlock);
  const builder = BlockBuilder.over(open, engine);
  const refused = await filled(builder, list);
  return madeOf(await sealBlock(append(open, builder), engine), refused);
}

/** @returns the block, and whether it was really made whole */
async function whole(parent: TrieBlock, plan: BlockPlan, engine: Engine, list: readonly Transaction[]) {
  const opened = await WholeBlock.open(parent, plan, engine, hashOfBlock);
  if (!opened) throw new Error('the engine makes no block');
  try {
    const refused = await filled(opened.builder, list);
    const { block } = await opened.seal();
    return { block, made: madeOf(block, refused), inEngine: opened.builder.maker !== undefined };
  } finally {
    opened.close();
  }
}

describe.each(FORKS)('%s: a block that the fast engine makes whole', (hardfork, types) => {
  const common = stockCommon(hardfork);
  const { engine: reference } = engineOf(hardfork);
  const { engine } = engineOf(hardfork, 'fast');
  const scenario = fc.record({
    programs: fc.tuple(program(CALLED, true), program(CALLED, true), program(CALLED, true)),
    withEmpty: fc.boolean(),
    env: envFields,
    specs: fc.array(spec(types, true), { minLength: 3, maxLength: 8 }),
    withdrawals: fc.array(
      fc.tuple(fc.constantFrom(at(0x4001), at(0x3001), RICH[0]!.address), fc.bigInt(0n, 99n)),
      {
        maxLength: 2,
      },
    ),
  });

  it('is the one that EthereumJS makes step by step, and so is the next one on it', {
    timeout: 120_000 * FUZZ,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ programs, withEmpty, env, specs, withdrawals }) => {
        const source = new MemorySource();
        let parent = parentOf(new Map([...allocOf(programs, withEmpty), ...SYSTEM]), source);
        for (let first = 0; first < specs.length; first += 4) {
          const plan: BlockPlan = {
            ...PLAN,
            timestamp: PLAN.timestamp + BigInt(first),
            coinbase: env.coinbase,
            baseFeePerGas: env.baseFeePerGas,
            withdrawals: withdrawals.map(([address, amount], i) => ({
              index: BigInt(i),
              validatorIndex: 5n,
              address,
              amount,
            })),
          };
          const before = TrieState.at(source, parent.header.stateRoot);
          const nonces = new Map<string, bigint>();
          const list = specs.slice(first, first + 4).map(({ from, nonceOff, fields }) => {
            const next = nonces.get(from.toString()) ?? before.getAccount(from)?.nonce ?? 0n;
            if (nonceOff === 0n) nonces.set(from.toString(), next + 1n);
            return transactionOf(from, { ...fields, nonce: next + nonceOff });
          });
          const expected = await stepwise({ ...parent, state: before }, plan, reference, list);
          const { block, made } = await whole(parent, plan, engine, list);
          expect(made).toEqual(expected);
          // Stored as the chain stores it, and built on.
          const state = block.state as TrieState;
          source.store(state.unstored());
          parent = { ...block, sealed: true, state: state.settled(source) };
        }
      }),
      { numRuns: runs(25) },
    );
  });

  const transactionOf = (from: Address, fields: object): Transaction => {
    const tx = signed(from, fields as TypedTxData, common);
    const raw = tx.serialize();
    return { tx, from, raw, hash: keccak256(raw), impersonated: false };
  };
  const [sender] = RICH;
  const transfer = (nonce: bigint, to: Address, rest: object = {}) =>
    transactionOf(sender!.address, { type: 0, gasPrice: 10n, gasLimit: 200_000n, nonce, to, ...rest });

  /** The same transactions on both sides. @returns whether the block was made whole to its end */
  async function compare(alloc: GenesisAlloc, list: readonly Transaction[], plan = PLAN): Promise<boolean> {
    const parent = parentOf(alloc, new MemorySource());
    const expected = await stepwise(parent, plan, reference, list);
    const { made, inEngine } = await whole(parent, plan, engine, list);
    expect(made).toEqual(expected);
    return inEngine;
  }

  const alloc = new Map([...allocOf([], false), ...SYSTEM]);

  it('has the transactions behind one that the executor refuses', async () => {
    const list = [
      transfer(0n, at(1)),
      transfer(5n, at(2)),
      transfer(1n, at(3), { value: 10n ** 40n }),
      transfer(1n, at(4)),
    ];
    expect(await compare(alloc, list)).toBe(true);
  });

  it('is empty', async () => {
    expect(await compare(alloc, [])).toBe(true);
  });

  it('is finished step by step where an empty account with storage is removed (EIP-161)', async () => {
    const emptied = at(0x6001);
    const storage = new Map([[bytesToHex(new Uint8Array(32)), Uint8Array.of(7)]]);
    const odd = new Map([...alloc, [emptied.toString(), { balance: 0n, storage }] as const]);
    const list = [
      transfer(0n, at(0x6002), { value: 5n }),
      transfer(1n, emptied),
      transfer(2n, emptied, { value: 1n }),
      transfer(3n, at(0x6002), { value: 5n }),
    ];
    expect(await compare(odd, list)).toBe(false);
  });

  it('calls other code at the addresses of the system contracts', async () => {
    // PUSH1 1, PUSH1 0, SSTORE
    const code = hexToBytes('0x60016000550000');
    const replaced = SYSTEM.map(([address]): [string, GenesisAccount] => [
      address,
      { balance: 0n, nonce: 1n, code },
    ]);
    expect(await compare(new Map([...alloc, ...replaced]), [transfer(0n, at(5))])).toBe(true);
  });

  it('has no requests where their contracts are missing', async () => {
    const without = new Map([...alloc].slice(0, -2));
    expect(await compare(without, [transfer(0n, at(5))])).toBe(true);
  });

  it.runIf(hardfork !== 'cancun')('has the requests of its transactions (EIP-7002)', async () => {
    const to = new Address(hexToBytes(WITHDRAWAL_REQUESTS.address as `0x${string}`));
    const data = new Uint8Array(56).fill(9);
    expect(await compare(alloc, [transfer(0n, to, { data, value: 1n })])).toBe(true);
  });

  it('is lost when something unexpected fails in it, and the next one is right', async () => {
    const parent = parentOf(alloc, new MemorySource());
    const failing = () => {
      throw new Error('no hash');
    };
    const lost = await WholeBlock.open(parent, PLAN, engine, failing);
    // BLOCKHASH of block 0
    const asking = transfer(0n, at(1), { to: undefined, data: hexToBytes('0x600040') });
    expect(() => lost!.builder.add(asking, { gasCap: true })).toThrow('no hash');
    expect(lost!.builder.maker!.isLost).toBe(true);
    lost!.close();
    expect(await compare(alloc, [transfer(0n, at(5))])).toBe(true);
  });

  it('takes everything back when it is dropped', async () => {
    const source = new MemorySource();
    const parent = parentOf(alloc, source);
    const dropped = await WholeBlock.open(parent, PLAN, engine, hashOfBlock);
    await filled(dropped!.builder, [transfer(0n, at(0x6002), { value: 5n })]);
    dropped!.close();
    const expected = await stepwise(parent, PLAN, reference, [transfer(0n, at(0x6003))]);
    expect((await whole(parent, PLAN, engine, [transfer(0n, at(0x6003))])).made).toEqual(expected);
  });
});
