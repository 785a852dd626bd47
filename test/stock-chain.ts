import { type Block, type BlockHeader, createBlockFromRPC, type JSONRPCBlock } from '@ethereumjs/block';
import { Account, Address, bytesToHex, hexToBytes, unpadBytes } from '@ethereumjs/util';
import { runBlock, type VM } from '@ethereumjs/vm';
import type { HardforkName } from '../src/protocol/hardfork.ts';
import { builtinAlloc } from '../src/state/genesis.ts';
import { ETHER } from './engine/ethereumjs/accounts.ts';
import { stockCommon, stockVm } from './engine/ethereumjs/stock.ts';
import type { Call } from './wire.ts';

/** Accounts and slots that dev methods write: their values are taken over from the node after each block. */
export interface DevWritten {
  /** `0x` addresses */
  readonly addresses: readonly string[];
  /** of each of them, `0x` hex of 32 bytes */
  readonly slots: readonly string[];
}

export interface StockChainOptions {
  readonly hardfork: HardforkName;
  /** the dev accounts, which have 10,000 ether in the genesis block */
  readonly accounts: readonly Address[];
  readonly written?: DevWritten;
  /** Checks a header; default: only what follows from the execution is checked. */
  readonly validateHeader?: (header: BlockHeader, parent: BlockHeader) => void;
}

const quantity = (number: bigint) => `0x${number.toString(16)}`;

/** A node's chain, executed again by EthereumJS's own VM over a state of its own. */
export class StockChain {
  readonly #options: StockChainOptions;
  readonly #vm: VM;
  /** by number */
  readonly #blocks = new Map<bigint, Block>();
  #height = 0n;

  private constructor(options: StockChainOptions, vm: VM) {
    this.#options = options;
    this.#vm = vm;
    const blockchain = {
      getBlock: async (number: number) => this.#blocks.get(BigInt(number)),
      putBlock: async () => {},
      validateHeader: async (header: BlockHeader) =>
        this.#options.validateHeader?.(header, this.#blocks.get(header.number - 1n)!.header),
    };
    Object.assign(vm, { blockchain });
    Object.assign(vm.evm, { blockchain });
  }

  /** The genesis block alone. @throws Error when the node's is another one */
  static async begin(call: Call, options: StockChainOptions): Promise<StockChain> {
    const { accounts, hardfork } = options;
    const alloc = builtinAlloc({ accounts, balance: 10_000n * ETHER });
    const chain = new StockChain(options, await stockVm(stockCommon(hardfork, false), alloc));
    const genesis = await chain.#fetch(call, 0n);
    expectSame('state root of the genesis block', await chain.#root(), genesis.header.stateRoot);
    chain.#blocks.set(0n, genesis);
    return chain;
  }

  /**
   * Executes the blocks that are new on the node, after a rollback there from the newest common one on.
   * @returns the blocks; throws Error where a state root, receipts root, bloom, gas or requests hash isn't the header's
   */
  async catchUp(call: Call): Promise<Block[]> {
    const head = BigInt(await call('eth_blockNumber'));
    let common = head < this.#height ? head : this.#height;
    const hashOn = async (number: bigint) =>
      (await call('eth_getBlockByNumber', quantity(number), false))?.hash;
    while (bytesToHex(this.#blocks.get(common)!.hash()) !== (await hashOn(common))) common--;
    if (common < this.#height) {
      await this.#vm.stateManager.setStateRoot(this.#blocks.get(common)!.header.stateRoot);
      this.#height = common;
    }
    const executed: Block[] = [];
    while (this.#height < head) executed.push(await this.#execute(call, this.#height + 1n));
    return executed;
  }

  async #execute(call: Call, number: bigint): Promise<Block> {
    const block = await this.#fetch(call, number);
    const parent = this.#blocks.get(number - 1n)!;
    expectSame(`parent of block ${number}`, block.header.parentHash, parent.hash());
    if (block.common.isActivatedEIP(4844)) block.validateBlobTransactions(parent.header);
    await this.#takeOver(call, number - 1n);
    const skipHeaderValidation = this.#options.validateHeader === undefined;
    // Without `generate` it throws where what it computes isn't the header's.
    const { stateRoot } = await runBlock(this.#vm, { block, skipHeaderValidation });
    expectSame(`state root of block ${number}`, stateRoot, block.header.stateRoot);
    this.#blocks.set(number, block);
    this.#height = number;
    return block;
  }

  async #fetch(call: Call, number: bigint): Promise<Block> {
    const json: JSONRPCBlock = await call('eth_getBlockByNumber', quantity(number), true);
    if (!json) throw new Error(`the node has no block ${number}`);
    const block = createBlockFromRPC(json, [], { common: stockCommon(this.#options.hardfork, false) });
    expectSame(`hash of block ${number}`, block.hash(), hexToBytes(json.hash as `0x${string}`));
    return block;
  }

  /** Writes what dev methods have written to the state of a block. */
  async #takeOver(call: Call, number: bigint): Promise<void> {
    const { addresses, slots } = this.#options.written ?? { addresses: [], slots: [] };
    const { stateManager } = this.#vm;
    const tag = quantity(number);
    for (const hex of addresses) {
      const address = new Address(hexToBytes(hex as `0x${string}`));
      const [balance, nonce, code, ...values] = await Promise.all([
        call('eth_getBalance', hex, tag),
        call('eth_getTransactionCount', hex, tag),
        call('eth_getCode', hex, tag),
        ...slots.map((slot) => call('eth_getStorageAt', hex, slot, tag)),
      ]);
      const known = await stateManager.getAccount(address);
      const isEmpty = BigInt(balance) === 0n && BigInt(nonce) === 0n && code === '0x';
      if (!known && isEmpty) continue;
      await stateManager.putAccount(
        address,
        new Account(BigInt(nonce), BigInt(balance), known?.storageRoot, known?.codeHash),
      );
      if (bytesToHex(await stateManager.getCode(address)) !== code)
        await stateManager.putCode(address, hexToBytes(code));
      for (const [i, slot] of slots.entries()) {
        const key = hexToBytes(slot as `0x${string}`);
        const value = unpadBytes(hexToBytes(values[i]));
        if (Buffer.compare(unpadBytes(await stateManager.getStorage(address, key)), value) !== 0)
          await stateManager.putStorage(address, key, value);
      }
    }
    // The caches expect writes within a transaction only.
    await stateManager.setStateRoot(await this.#root());
  }

  #root(): Promise<Uint8Array> {
    return this.#vm.stateManager.getStateRoot();
  }
}

function expectSame(what: string, got: Uint8Array, expected: Uint8Array): void {
  if (Buffer.compare(got, expected) === 0) return;
  throw new Error(`${what}: ${bytesToHex(got)} instead of ${bytesToHex(expected)}`);
}
