import type { Block, BlockHeader } from '@ethereumjs/block';
import {
  type AccessList2930TxData,
  type BlobEIP4844TxData,
  createTx,
  type EOACode7702TxData,
  type TypedTxData,
} from '@ethereumjs/tx';
import {
  Address,
  bytesToHex,
  concatBytes,
  createAddressFromString,
  createContractAddress,
  hexToBytes,
} from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.ts';
import type { HardforkName } from '../../src/protocol/hardfork.ts';
import {
  authorize,
  CHAIN_ID,
  Counter,
  callData,
  ETHER,
  GWEI,
  Kitchen,
  signer,
  Token,
} from '../engine/ethereumjs/accounts.ts';
import { stockCommon } from '../engine/ethereumjs/stock.ts';
import { StockChain } from '../stock-chain.ts';
import { callsOf } from '../wire.ts';

const WITHDRAWALS = new Address(hexToBytes('0x00000961ef480eb55e80d19ad83579a64c007002'));
const CONSOLIDATIONS = new Address(hexToBytes('0x0000bbddc7ce488642fb579f8b00f3a590007251'));
const FRESH = '0x00000000000000000000000000000000000f4e54';
/** sha256 of nothing: no requests (EIP-7685) */
const NO_REQUESTS = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

type TransactionField = keyof AccessList2930TxData | keyof BlobEIP4844TxData | keyof EOACode7702TxData;
/** What all types have and what only some have; the types of the library are one union each. */
type Fields = Partial<Record<Exclude<TransactionField, 'nonce'>, unknown>> & { readonly by?: number };

/** Signs for the dev accounts, with the nonces in the order of the calls. */
class Sender {
  readonly #node: Devnet;
  readonly #hardfork: HardforkName;
  readonly #nonces = new Map<number, bigint>();
  sent = 0;

  constructor(node: Devnet, hardfork: HardforkName) {
    this.#node = node;
    this.#hardfork = hardfork;
  }

  /** Counts a nonce up, as a transaction or an authorization does. */
  skip(by: number, nonce = this.#nonces.get(by) ?? 0n): void {
    this.#nonces.set(by, nonce + 1n);
  }

  /** Signs and submits. @returns where it creates a contract, if it does */
  async send({ by = 0, ...fields }: Fields): Promise<Address> {
    const { address, privateKey } = this.#node.accounts[by]!;
    const nonce = this.#nonces.get(by) ?? 0n;
    this.skip(by, nonce);
    const type = Number(fields.type ?? 2);
    const tx = createTx(
      {
        gasLimit: 1_000_000n,
        ...(type < 2 ? { gasPrice: 5n * GWEI } : { maxFeePerGas: 5n * GWEI, maxPriorityFeePerGas: GWEI }),
        ...(type > 0 && { chainId: CHAIN_ID }),
        ...fields,
        type,
        nonce,
      } as TypedTxData,
      { common: stockCommon(this.#hardfork) },
    ).sign(hexToBytes(privateKey));
    await this.#node.provider.request({
      method: 'eth_sendRawTransaction',
      params: [bytesToHex(tx.serialize())],
    });
    this.sent++;
    return createContractAddress(createAddressFromString(address), nonce);
  }
}

/**
 * A mix of all that a block may hold.
 * @param step called between the parts, so that they come into several blocks
 * @returns how many transactions were sent
 */
async function traffic(node: Devnet, hardfork: HardforkName, step: () => Promise<unknown>): Promise<number> {
  const has = (eip: number) => stockCommon(hardfork).isActivatedEIP(eip);
  const sender = new Sender(node, hardfork);
  const kitchen = await sender.send({ data: Kitchen.initCode, value: ETHER, gasLimit: 5_000_000n });
  const counter = await sender.send({ data: Counter.initCode, type: 0 });
  const name = `${'00'.repeat(31)}60${'00'.repeat(31)}80${'00'.repeat(30)}ffff${'00'.repeat(64)}`;
  const token = await sender.send({
    data: concatBytes(Token.initCode, hexToBytes(`0x${name}`)),
    gasLimit: 3_000_000n,
  });
  await sender.send({ by: 1, to: FRESH, value: 5n, type: 0, gasLimit: 21_000n });
  await step();
  await sender.send({ to: kitchen, data: callData(Kitchen, 'create', 7n), value: 9n });
  await sender.send({ to: kitchen, data: callData(Kitchen, 'createAndDestroy', FRESH), value: 9n });
  await sender.send({ to: kitchen, data: callData(Kitchen, 'emitMany', 5n, '0x1234'), type: 1 });
  await sender.send({ by: 1, to: counter, data: callData(Counter, 'incrementAndFail') });
  await sender.send({ by: 1, to: kitchen, data: callData(Kitchen, 'burnAll'), gasLimit: 60_000n });
  await step();
  await sender.send({ to: token, data: callData(Token, 'transfer', FRESH, 3n) });
  await sender.send({ to: kitchen, data: callData(Kitchen, 'fill', 0n, 20n, 1n) });
  await sender.send({
    to: kitchen,
    data: callData(Kitchen, 'relay', counter.toString(), bytesToHex(callData(Counter, 'hashOf', 1n))),
  });
  await sender.send({
    by: 2,
    to: counter,
    type: 1,
    accessList: [{ address: counter.toString(), storageKeys: [bytesToHex(new Uint8Array(32))] }],
    data: callData(Counter, 'increment'),
  });
  // Base fees must move both ways: one block is more than half full.
  await sender.send({ by: 3, data: Uint8Array.of(0xfe), gasLimit: 16_000_000n });
  await step();
  await sender.send({ to: kitchen, data: callData(Kitchen, 'fill', 3n, 1n, 0n) });
  await sender.send({ by: 1, to: FRESH, data: new Uint8Array(3000).fill(1), gasLimit: 200_000n });
  if (has(4844)) {
    for (const by of [4, 5])
      await sender.send({
        by,
        type: 3,
        to: counter,
        maxFeePerBlobGas: GWEI,
        blobVersionedHashes: Array.from({ length: 3 }, () => `0x01${'cd'.repeat(31)}`),
      });
    await step();
    await sender.send({ to: kitchen, data: callData(Kitchen, 'tstoreThenLoad', 1n, 4n) });
  }
  if (has(7702)) {
    const authority = signer('an authority');
    const signerOf = (by: number) => ({
      key: hexToBytes(node.accounts[by]!.privateKey),
      address: createAddressFromString(node.accounts[by]!.address),
    });
    const authorizationList = [
      authorize(authority, { to: kitchen.bytes, nonce: 0n }),
      authorize(authority, { to: counter.bytes, nonce: 7n }),
      authorize(signerOf(6), { to: counter.bytes, nonce: 1n }),
      authorize(signerOf(9), { to: counter.bytes, nonce: 0n }),
    ];
    await sender.send({ by: 6, type: 4, to: authority.address, authorizationList, value: 1n });
    // Their nonces moved by the authorizations: what follows waits behind them.
    for (const by of [6, 9]) {
      sender.skip(by);
      await sender.send({ by, to: signerOf(by).address, data: callData(Counter, 'increment') });
    }
    await step();
  }
  if (has(7002)) {
    const pubkey = new Uint8Array(48).fill(0xaa);
    // More than the 16 that a block takes: the rest goes into the next one.
    for (let i = 0; i < 18; i++)
      await sender.send({
        by: 7,
        to: WITHDRAWALS,
        data: concatBytes(pubkey, new Uint8Array(7), Uint8Array.of(i)),
        value: 10n,
        gasLimit: 300_000n,
      });
    await step();
    await sender.send({
      by: 8,
      to: CONSOLIDATIONS,
      data: concatBytes(pubkey, pubkey),
      value: 1n,
      gasLimit: 300_000n,
    });
    await step();
  }
  await step();
  await step();
  return sender.sent;
}

/** Runs all blocks of the chain again. @returns what they were made of */
async function runAgain(node: Devnet, hardfork: HardforkName): Promise<Block[]> {
  const accounts = node.accounts.map(({ address }) => createAddressFromString(address));
  const call = callsOf(node);
  const chain = await StockChain.begin(call, { hardfork, accounts, validateHeader });
  return chain.catchUp(call);
}

/** The header rules that a node after the merge checks. */
function validateHeader(header: BlockHeader, parent: BlockHeader): void {
  expect(header.timestamp).toBeGreaterThan(parent.timestamp);
  header.validateGasLimit(parent);
  expect(header.baseFeePerGas).toBe(parent.calcNextBaseFee());
  if (header.common.isActivatedEIP(4844))
    expect(header.excessBlobGas).toBe(parent.calcNextExcessBlobGas(header.common));
}

const FORKS: readonly HardforkName[] = ['london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'];
const OPTIONS = {
  manualClock: true,
  timestamp: 1_700_000_000,
  coinbase: '0x00000000000000000000000000000000000000c0',
} as const satisfies DevnetOptions;

describe.each(FORKS)('a chain at %s', (hardfork) => {
  const checkKinds = (blocks: readonly Block[], sent: number) => {
    expect(blocks.flatMap(({ transactions }) => transactions)).toHaveLength(sent);
    const common = stockCommon(hardfork);
    const fees = blocks.map(({ header }) => header.baseFeePerGas!);
    expect(fees.some((fee, i) => i > 0 && fee > fees[i - 1]!)).toBe(true);
    expect(fees.some((fee, i) => i > 0 && fee < fees[i - 1]!)).toBe(true);
    const types = new Set(blocks.flatMap(({ transactions }) => transactions.map(({ type }) => type)));
    const expected = [2930, 1559, 4844, 7702].flatMap((eip, i) =>
      common.isActivatedEIP(eip) ? [i + 1] : [],
    );
    expect([...types].sort()).toEqual([0, ...expected]);
    if (!common.isActivatedEIP(7685)) return;
    const asked = blocks.filter(({ header }) => bytesToHex(header.requestsHash!) !== NO_REQUESTS);
    expect(asked.length).toBeGreaterThanOrEqual(2);
  };

  it('that was pre-confirmed is what the library makes of it', async () => {
    const node = await createDevnet({ ...OPTIONS, hardfork, blockTime: 1, flashblockInterval: 200 });
    try {
      let steps = 0;
      const sent = await traffic(node, hardfork, () => node.clock.advance(++steps % 2 ? 200 : 1000));
      await node.clock.advance(3000);
      const blocks = await runAgain(node, hardfork);
      expect(blocks.length).toBeGreaterThan(4);
      checkKinds(blocks, sent);
    } finally {
      await node.close();
    }
  });

  it('that was made a transaction at a time is what the library makes of it', async () => {
    const node = await createDevnet({ ...OPTIONS, hardfork, automine: true });
    try {
      const sent = await traffic(node, hardfork, () => node.clock.advance(12_000));
      await node.provider.request({ method: 'evm_mine', params: [] });
      checkKinds(await runAgain(node, hardfork), sent);
    } finally {
      await node.close();
    }
  });
});
