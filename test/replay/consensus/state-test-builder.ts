import { createBlock } from '@ethereumjs/block';
import { RLP } from '@ethereumjs/rlp';
import { createTx, type TypedTxData } from '@ethereumjs/tx';
import {
  bytesToHex,
  createAddressFromPrivateKey,
  hexToBytes,
  type PrefixedHexString,
} from '@ethereumjs/util';
import { runTx } from '@ethereumjs/vm';
import type { HardforkName } from '../../../src/protocol/hardfork.ts';
import type {
  StateTest,
  StateTestEnv,
  StateTestPost,
  StateTestTransaction,
} from '../../../src/replay/consensus/state-test.ts';
import { parseAlloc } from '../../../src/state/genesis.ts';
import { keccak256 } from '../../../src/state/keccak.ts';
import { CHAIN_ID } from '../../engine/ethereumjs/accounts.ts';
import { stockCommon, stockVm } from '../../engine/ethereumjs/stock.ts';

const bytes = (hex: string) => hexToBytes(hex as PrefixedHexString);
const KEY = `0x${'45'.repeat(32)}`;
export const SENDER = createAddressFromPrivateKey(bytes(KEY)).toString();
export const CONTRACT = '0x00000000000000000000000000000000000000c0';
export const COINBASE = '0x2adc25665018aa1fe0e6bc666dac8fc2697ff9ba';

const ENV: StateTestEnv = {
  currentCoinbase: COINBASE,
  currentGasLimit: '0x055d4a80',
  currentNumber: '0x0a',
  currentTimestamp: '0x03e8',
  currentRandom: `0x${'00'.repeat(31)}2a`,
  currentDifficulty: '0x020000',
  currentBaseFee: '0x07',
  currentExcessBlobGas: '0x00',
};

/** Two choices of everything: `indexes` pick one. */
const TRANSACTION: StateTestTransaction = {
  nonce: '0x00',
  gasPrice: '0x0a',
  gasLimit: ['0x030d40', '0x5208'],
  to: CONTRACT,
  value: ['0x00', '0x07'],
  data: ['0x', '0x0102'],
  sender: SENDER,
  secretKey: KEY,
};

/** Makes state tests by EthereumJS's own VM, one post after the other. */
export class StateTestBuilder {
  readonly #code: string;
  readonly #transaction: StateTestTransaction;
  readonly #env: StateTestEnv;
  readonly #posts: Record<string, StateTestPost[]> = {};

  /** @param options.code of the contract that is called */
  constructor(options: { code: string; transaction?: object; env?: Partial<StateTestEnv> }) {
    this.#code = options.code;
    this.#transaction = { ...TRANSACTION, ...options.transaction };
    this.#env = { ...ENV, ...options.env };
  }

  get pre() {
    return {
      [SENDER]: { nonce: '0x00', balance: '0x3635c9adc5dea00000', code: '0x', storage: {} },
      [CONTRACT]: { nonce: '0x01', balance: '0x00', code: this.#code, storage: { '0x00': '0xdead' } },
    };
  }

  /** Adds a post. @param fork name in the tests @param hardfork its name in EthereumJS */
  async post(
    fork: string,
    hardfork: HardforkName,
    indexes: StateTestPost['indexes'] = { data: 0, gas: 0, value: 0 },
    changes: Partial<StateTestPost> = {},
  ): Promise<this> {
    const filled = await this.#fill(hardfork, indexes);
    this.#posts[fork] ??= [];
    this.#posts[fork].push({ indexes, ...filled, ...changes });
    return this;
  }

  /** Adds a post whose transaction is to be refused. */
  refused(fork: string, changes: Partial<StateTestPost>): this {
    this.#posts[fork] ??= [];
    this.#posts[fork].push({
      indexes: { data: 0, gas: 0, value: 0 },
      hash: '0x',
      logs: bytesToHex(keccak256(RLP.encode([]))),
      expectException: 'TransactionException',
      ...changes,
    });
    return this;
  }

  build(): StateTest {
    const { pre } = this;
    return {
      env: this.#env,
      pre,
      transaction: this.#transaction,
      post: this.#posts,
      config: { chainid: `0x${CHAIN_ID.toString(16)}` },
    };
  }

  /** The root of the state that nothing has changed. */
  async rootBefore(): Promise<string> {
    const vm = await stockVm(stockCommon('osaka', false), parseAlloc(this.pre));
    return bytesToHex(await vm.stateManager.getStateRoot());
  }

  async #fill(hardfork: HardforkName, { data, gas, value }: StateTestPost['indexes']) {
    const common = stockCommon(hardfork, false);
    const vm = await stockVm(common, parseAlloc(this.pre), BLOCKS);
    const {
      data: datas,
      gasLimit,
      value: values,
      accessLists,
      sender: _,
      secretKey: __,
      ...rest
    } = this.#transaction;
    const accessList = accessLists?.[data] ?? undefined;
    const tx = createTx(
      {
        ...rest,
        ...(accessList && { type: 1, accessList, chainId: CHAIN_ID }),
        ...{ data: datas[data], gasLimit: gasLimit[gas], value: values[value] },
      } as TypedTxData,
      { common },
    ).sign(bytes(KEY));
    const env = this.#env;
    const isMerged = common.gteHardfork('paris');
    const block = createBlock(
      {
        header: {
          coinbase: env.currentCoinbase as PrefixedHexString,
          gasLimit: env.currentGasLimit as PrefixedHexString,
          number: env.currentNumber as PrefixedHexString,
          timestamp: env.currentTimestamp as PrefixedHexString,
          ...(isMerged
            ? { mixHash: bytes(env.currentRandom!) }
            : { difficulty: env.currentDifficulty as PrefixedHexString }),
          ...(common.isActivatedEIP(1559) && { baseFeePerGas: env.currentBaseFee as PrefixedHexString }),
          ...(common.isActivatedEIP(4844) && { excessBlobGas: 0n, blobGasUsed: 0n }),
        },
      },
      { common, skipConsensusFormatValidation: true },
    );
    const { execResult } = await runTx(vm, { tx, block });
    const logs = (execResult.logs ?? []).map(([address, topics, bytes]) => [address, topics, bytes]);
    return {
      hash: bytesToHex(await vm.stateManager.getStateRoot()),
      logs: bytesToHex(keccak256(RLP.encode(logs))),
      txbytes: bytesToHex(tx.serialize()),
    };
  }
}

/** Blocks of which nothing but the hash is known: keccak256 of the number as decimal text, as state tests define. */
const BLOCKS = {
  getBlock: async (number: number) => ({ hash: () => keccak256(new TextEncoder().encode(String(number))) }),
  putBlock: async () => {},
  shallowCopy() {
    return this;
  },
};
