import { Common, type CustomCrypto, Hardfork, Mainnet } from '@ethereumjs/common';
import { createTx, type TypedTransaction } from '@ethereumjs/tx';
import { Address, createZeroAddress } from '@ethereumjs/util';
import type { Block, BlockView, Header, Receipt, Transaction } from '../../src/chain/block.ts';
import { hashHeader } from '../../src/chain/header.ts';
import type { BlockRef, LoggedBlocks, OpenSnapshot, TransactionPosition } from '../../src/chain/refs.ts';
import { bloomBits } from '../../src/protocol/bloom.ts';
import type { Log } from '../../src/protocol/types.ts';
import { hex } from '../../src/rpc/codec/hex.ts';
import { SHAPES } from '../../src/rpc/compat/shapes.ts';
import type { RpcContext } from '../../src/rpc/context.ts';
import { Signers } from '../../src/rpc/send/signers.ts';
import type { AccountState, StateView } from '../../src/state/view.ts';

export const GWEI = 1_000_000_000n;
// Blob transactions refuse to be made without a kzg library; nothing here verifies blobs.
const customCrypto = { kzg: {} as NonNullable<CustomCrypto['kzg']> };
export const COMMON = new Common({
  chain: { ...Mainnet, chainId: 31337 },
  hardfork: Hardfork.Prague,
  customCrypto,
});
export const SENDER = new Address(new Uint8Array(20).fill(0xaa));
export const CONTRACT = new Address(new Uint8Array(20).fill(0xcc));

export const bytes = (fill: number, length = 32): Uint8Array => new Uint8Array(length).fill(fill);

/** State from plain tables; what isn't in them doesn't exist. */
export function fakeState(
  accounts: Record<string, { nonce?: bigint; balance?: bigint; code?: Uint8Array }> = {},
  storage: Record<string, Uint8Array> = {},
  async = false,
): StateView {
  const give = <T>(value: T): T | Promise<T> => (async ? Promise.resolve(value) : value);
  return {
    getAccount: (address) => {
      const found = accounts[address.toString()];
      const account: AccountState | undefined = found && {
        nonce: found.nonce ?? 0n,
        balance: found.balance ?? 0n,
        codeHash: bytes(0),
        storageRoot: bytes(0),
      };
      return give(account);
    },
    getCode: (address) => give(accounts[address.toString()]?.code ?? new Uint8Array()),
    getStorage: (address, slot) => give(storage[`${address}/${hex(slot)}`] ?? new Uint8Array()),
  };
}

/** A signed transaction; the sender is set by hand, nothing here recovers it. */
export function fakeTransaction(
  data: Record<string, unknown> & { type?: number },
  from = SENDER,
): Transaction {
  const signed = { v: data.type ? 1n : 27n, r: 5n, s: 6n, gasLimit: 100_000n, to: CONTRACT, ...data };
  const tx: TypedTransaction = createTx(signed as never, { common: COMMON, freeze: false });
  return {
    tx,
    from,
    hash: tx.isSigned() ? tx.hash() : bytes(0),
    raw: tx.serialize(),
    impersonated: !tx.isSigned(),
  };
}

export function fakeLog(topics: Uint8Array[] = [], address = CONTRACT): Log {
  return { address, topics, data: bytes(7, 3) };
}

interface Entry {
  transaction: Transaction;
  logs?: Log[];
  gasUsed?: bigint;
  receipt?: Partial<Receipt>;
}

function bloomOf(logs: readonly Log[]): Uint8Array {
  const bloom = new Uint8Array(256);
  for (const { address, topics } of logs)
    for (const item of [address.bytes, ...topics])
      for (const [byte, mask] of bloomBits(item)) bloom[byte]! |= mask;
  return bloom;
}

export function fakeBlock(
  number: bigint,
  parentHash: Uint8Array,
  entries: Entry[] = [],
  header: Partial<Header> = {},
  rest: Partial<BlockView> = {},
): BlockView {
  let cumulativeGasUsed = 0n;
  const receipts = entries.map(({ transaction, logs = [], gasUsed = 21_000n, receipt }): Receipt => {
    cumulativeGasUsed += gasUsed;
    return {
      type: transaction.tx.type,
      status: true,
      gasUsed,
      cumulativeGasUsed,
      logsBloom: bloomOf(logs),
      logs,
      effectiveGasPrice: 2n * GWEI,
      ...receipt,
    };
  });
  const full: Header = {
    parentHash,
    unclesHash: bytes(1),
    coinbase: createZeroAddress(),
    stateRoot: bytes(2),
    transactionsRoot: bytes(3),
    receiptsRoot: bytes(4),
    logsBloom: bloomOf(receipts.flatMap(({ logs }) => logs)),
    difficulty: 0n,
    number,
    gasLimit: 30_000_000n,
    gasUsed: cumulativeGasUsed,
    timestamp: 1_000n + 2n * number,
    extraData: new Uint8Array(),
    mixHash: bytes(5),
    nonce: bytes(0, 8),
    baseFeePerGas: GWEI,
    withdrawalsRoot: bytes(6),
    blobGasUsed: 0n,
    excessBlobGas: 0n,
    parentBeaconBlockRoot: bytes(0),
    requestsHash: bytes(8),
    ...header,
  };
  const block: Block = {
    header: full,
    hash: hashHeader(full),
    transactions: entries.map(({ transaction }) => transaction),
    receipts,
    withdrawals: [],
    uncles: [],
    size: 600,
  };
  return { ...block, state: fakeState(), sealed: true, ...rest };
}

/** Blocks in memory. The last one is the pending block. */
export class FakeChain implements OpenSnapshot {
  readonly blocks: BlockView[];
  readonly pending: BlockView;

  constructor(sealed: BlockView[], pending: BlockView) {
    this.blocks = sealed;
    this.pending = { ...pending, sealed: false };
  }

  get latest(): BlockView {
    return this.blocks.at(-1)!;
  }

  genesis = 0n;
  states = 0n;
  first = 0n;

  snapshot(): this {
    return this;
  }

  openSnapshot(): this {
    return this.snapshot();
  }

  capture(): void {}

  /** Finds every block of the range. */
  readonly logged: { -readonly [K in keyof LoggedBlocks]: LoggedBlocks[K] } = {
    removals: 0,
    find: (from, last) =>
      this.blocks
        .filter(({ header }) => header.number >= from && header.number <= last.number)
        .map(({ header }) => Number(header.number)),
    read: (number) => this.blocks.find(({ header }) => header.number === BigInt(number)),
    reservedAt: () => undefined,
  };

  resolve(ref: BlockRef): BlockView | undefined {
    if ('number' in ref) return this.blocks.find(({ header }) => header.number === ref.number);
    if ('flashblock' in ref) return undefined;
    if ('hash' in ref) return [...this.blocks, this.pending].find(({ hash }) => hex(hash) === hex(ref.hash));
    if (ref.tag === 'pending') return this.pending;
    return ref.tag === 'latest' ? this.latest : this.blocks[0];
  }

  callView(ref: BlockRef): BlockView | undefined {
    return this.resolve(ref);
  }

  readonly opening = undefined;

  findTransaction(hash: Uint8Array): TransactionPosition | undefined {
    for (const block of [...this.blocks, this.pending]) {
      const index = block.transactions.findIndex((transaction) => hex(transaction.hash) === hex(hash));
      if (index >= 0) return { block, index };
    }
    return undefined;
  }
}

/** Three sealed empty blocks and an empty pending one. */
export function emptyChain(): FakeChain {
  const blocks: BlockView[] = [];
  for (let number = 0n; number < 3n; number++)
    blocks.push(fakeBlock(number, blocks.at(-1)?.hash ?? bytes(0)));
  return new FakeChain(blocks, fakeBlock(3n, blocks.at(-1)!.hash));
}

/** Calls and the sequencer are not faked: tests of what uses them run on a real node. */
export function fakeContext(overrides: Partial<RpcContext> = {}): RpcContext {
  const context: Partial<RpcContext> = {
    cause: 'outside',
    chain: emptyChain(),
    chainId: 31337n,
    clientVersion: 'anvil/test',
    headSince: () => 5_000,
    accounts: [{ address: SENDER, privateKey: bytes(1) }],
    signers: new Signers({
      accounts: [{ address: SENDER, privateKey: bytes(1) }],
      impersonateAll: false,
    }),
    shapes: SHAPES.anvil,
    pool: {
      nextNonce: () => 9n,
      find: () => undefined,
      mayHold: false,
      hold: () => undefined,
      included: () => undefined,
      at: () => undefined,
      pending: () => new Map(),
      queued: () => new Map(),
      size: 0,
      has: () => false,
      obstacleTo: () => undefined,
    },
    fees: {
      nextBaseFee: (header) => (header.baseFeePerGas ?? 0n) * 2n,
      blobBaseFee: () => 1n,
      nextBlobBaseFee: () => 3n,
      maxBlobGas: () => 1_000n,
      suggestedTip: 1_000_000_000n,
      next: () => ({ baseFee: 2_000_000_000n, blobBaseFee: 1n }),
      baseFeeAfterOpen: () => undefined,
      suggestedPrice: () => 3_000_000_000n,
    },
    ...overrides,
  };
  return context as RpcContext;
}
