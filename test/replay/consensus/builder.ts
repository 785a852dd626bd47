import { RLP } from '@ethereumjs/rlp';
import { createTx, type TypedTxData } from '@ethereumjs/tx';
import { Address, bytesToHex } from '@ethereumjs/util';
import { DEFAULT_DERIVATION_PATH, DEFAULT_MNEMONIC, deriveAccounts } from '../../../src/accounts.ts';
import type { Block, Header, TrieBlock } from '../../../src/chain/block.ts';
import { BlockBuilder } from '../../../src/chain/block-builder.ts';
import type { BlockPlan } from '../../../src/chain/block-draft.ts';
import { canonicalDifficulty } from '../../../src/chain/difficulty.ts';
import { genesisBlock } from '../../../src/chain/genesis-block.ts';
import { encodeHeader, hashHeader } from '../../../src/chain/header.ts';
import { encodeBlock } from '../../../src/chain/store/block-codec.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { EthereumjsEngine } from '../../../src/engine/ethereumjs/ethereumjs-engine.ts';
import { TransactionDecoder } from '../../../src/mempool/decode.ts';
import { chooseCrypto } from '../../../src/protocol/crypto.ts';
import type { ConsensusCase, FixtureBlock } from '../../../src/replay/consensus/fixture.ts';
import { networkOf } from '../../../src/replay/consensus/network.ts';
import { builtinAlloc, type GenesisAccount, type GenesisAlloc } from '../../../src/state/genesis.ts';

const crypto = await chooseCrypto();
const [SENDER, OTHER] = deriveAccounts({
  mnemonic: DEFAULT_MNEMONIC,
  path: DEFAULT_DERIVATION_PATH,
  count: 2,
});
export const other = OTHER!.address;

/** Of blocks of megabytes: the library's `bytesToHex` joins their hex byte by byte, which takes seconds. */
const hexOf = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;

/** Makes chains by this node's own rules, to be given back to it as fixtures, whole or spoilt. */
export class ConsensusBuilder {
  readonly network: string;
  readonly genesis: TrieBlock;
  readonly engine: Engine;
  readonly #alloc: GenesisAlloc;
  readonly #branch = new Map<string, TrieBlock>();
  readonly #blocks: FixtureBlock[] = [];

  /** @param fields.codes code of contracts besides, by address */
  constructor(
    network: string,
    fields: { difficulty?: bigint; gasLimit?: bigint; codes?: Readonly<Record<string, Uint8Array>> } = {},
  ) {
    this.network = network;
    const { schedule } = networkOf(network, { chainId: 1n }, crypto);
    this.engine = new EthereumjsEngine({ schedule, crypto });
    const accounts = { accounts: [SENDER!.address], balance: 10n ** 24n };
    const codes = Object.entries(fields.codes ?? {}).map(
      ([address, code]) => [address, { balance: 0n, nonce: 1n, code }] as const,
    );
    const builders = schedule.at(0n, 0n, 0n).has(8282);
    this.#alloc = new Map<string, GenesisAccount>([...builtinAlloc({ ...accounts, builders }), ...codes]);
    const block = genesisBlock(
      {
        timestamp: 0n,
        gasLimit: fields.gasLimit ?? 30_000_000n,
        coinbase: new Address(new Uint8Array(20)),
        extraData: new Uint8Array(),
        mixHash: new Uint8Array(32),
        ...(fields.difficulty !== undefined && { difficulty: fields.difficulty }),
      },
      this.#alloc,
      schedule.at(0n, 0n, fields.difficulty ?? 0n),
    );
    this.genesis = { ...block, sealed: true };
    this.#branch.set(bytesToHex(block.hash), this.genesis);
  }

  /** Signs for the only account that has something. */
  sign(data: TypedTxData, at: { number: bigint; timestamp: bigint; difficulty?: bigint }): Uint8Array {
    const { common } = this.engine.schedule.at(at.number, at.timestamp, at.difficulty ?? 0n);
    return createTx({ gasLimit: 100_000n, ...data } as TypedTxData, { common })
      .sign(SENDER!.privateKey)
      .serialize();
  }

  /** A valid block after `parent`. */
  async next(
    parent: TrieBlock,
    plan: Partial<BlockPlan> & { work?: boolean; send?: readonly TypedTxData[] } = {},
  ): Promise<TrieBlock> {
    const { work, send = [], ...rest } = plan;
    const number = parent.header.number + 1n;
    const timestamp = plan.timestamp ?? parent.header.timestamp + 12n;
    const guess = this.engine.schedule.at(number, timestamp, work ? 1n : 0n);
    const difficulty = work ? canonicalDifficulty({ number, timestamp }, parent.header, guess) : 0n;
    const doubled = guess.has(1559) && parent.header.baseFeePerGas === undefined;
    const builder = await BlockBuilder.begin(
      parent,
      {
        timestamp,
        coinbase: new Address(new Uint8Array(20)),
        gasLimit: parent.header.gasLimit * (doubled ? 2n : 1n),
        prevRandao: new Uint8Array(32),
        extraData: new Uint8Array(),
        difficulty,
        ...rest,
      },
      this.engine,
      () => undefined,
      { withL1Attributes: false },
    );
    const decoder = new TransactionDecoder({ transactionGasCap: false });
    const { common } = this.engine.schedule.at(number, timestamp, difficulty);
    for (const data of send) {
      const raw = this.sign(data, { number, timestamp, difficulty });
      const outcome = await builder.add(decoder.decode(raw, common), { gasCap: true });
      if (outcome.kind === 'invalid') throw outcome.error;
    }
    const { block } = await builder.sealAndKeep({ strict: false });
    builder.close();
    return { ...block, sealed: true };
  }

  /** Gives the fixture a block that must be taken. */
  valid(block: Block): this {
    this.#blocks.push({ rlp: hexOf(encodeBlock(block)), blockHeader: {} });
    return this;
  }

  /** Gives the fixture a block that must be refused: one with other fields, or any bytes. */
  invalid(block: Block, changes: Partial<Header> | Uint8Array, exception = 'refused'): this {
    const bytes =
      changes instanceof Uint8Array
        ? changes
        : encodeBlock({ ...block, header: { ...block.header, ...changes } });
    this.#blocks.push({ rlp: hexOf(bytes), expectException: exception });
    return this;
  }

  /** The fixture so far. */
  build(last: Pick<Block, 'hash'> & Partial<TrieBlock>, more: Partial<ConsensusCase> = {}): ConsensusCase {
    return {
      network: this.network,
      genesisRLP: bytesToHex(
        RLP.encode([
          RLP.decode(encodeHeader(this.genesis.header)),
          [],
          [],
          ...(this.genesis.withdrawals ? [[]] : []),
        ]),
      ),
      genesisBlockHeader: { hash: bytesToHex(this.genesis.hash) },
      pre: Object.fromEntries(
        [...this.#alloc].map(([address, { balance, nonce = 0n, code }]) => [
          address,
          {
            balance: `0x${balance.toString(16)}`,
            nonce: `0x${nonce.toString(16)}`,
            code: bytesToHex(code ?? new Uint8Array()),
            storage: {},
          },
        ]),
      ),
      blocks: [...this.#blocks],
      lastblockhash: bytesToHex(last.hash),
      ...(last.state && { postStateHash: bytesToHex(last.state.root) }),
      ...more,
    };
  }
}

/** The block with another header, and the hash that goes with it. */
export function withHeader(block: TrieBlock, changes: Partial<Header>): TrieBlock {
  const header = { ...block.header, ...changes };
  return { ...block, header, hash: hashHeader(header) };
}

/** A transfer of one wei to {@link other}. */
export const transfer = (nonce: bigint) => ({
  type: 0,
  nonce,
  gasPrice: 20n * 10n ** 9n,
  to: other,
  value: 1n,
});
