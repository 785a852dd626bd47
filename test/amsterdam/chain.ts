import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.ts';
import { type Call, callsOf, type Wire } from '../wire.ts';

/** Both engines: the figures of each EIP are held against each of them. */
const ENGINES = ['fast', 'ethereumjs'] as const;

/** EIP-8037: state gas of a slot, an account, a delegation and a byte of code. */
export const SLOT = 97_920n;
export const ACCOUNT = 183_600n;
export const DELEGATION = 35_190n;
export const CODE_BYTE = 1_530n;

export const SYSTEM = '0xfffffffffffffffffffffffffffffffffffffffe';
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Contracts of a test, by number; none exists before it gets code or a balance. */
export const at = (number: number) => `0x${number.toString(16).padStart(40, '0')}`;
export const A = at(0xa001);
export const B = at(0xb001);
/** an account that doesn't exist */
export const NEW = at(0xe001);

export const hex = (value: bigint | number) => `0x${value.toString(16)}`;
/** 32 bytes, 0x */
export const word = (value: bigint | number | string) =>
  `0x${(typeof value === 'string' ? value.replace('0x', '') : value.toString(16)).padStart(64, '0')}`;
/** PUSH20 of an address */
export const pushed = (address: string) => `73${address.slice(2)}`;
/** PUSHn of a number */
export function push(value: bigint | number): string {
  const digits = value.toString(16);
  const bytes = digits.length % 2 ? `0${digits}` : digits;
  return BigInt(value) === 0n ? '5f' : `${(0x5f + bytes.length / 2).toString(16)}${bytes}`;
}
/** MSTORE of the top of the stack at 0, LOG0 of it: a log tells of it, returned data doesn't. */
export const TELL = '5f5260205fa0';
/** CALL without data and value. @param gas code that pushes it; default: all, by GAS */
export const callOf = (to: string, { value = 0, gas = '5a' } = {}) =>
  `5f5f5f5f${push(value)}${pushed(to)}${gas}f1`;

export interface Transaction {
  readonly from?: string;
  /** absent: a creation */
  readonly to?: string;
  readonly value?: bigint;
  readonly gas?: bigint;
  readonly data?: string;
  readonly accessList?: object;
  readonly authorizationList?: readonly object[];
  readonly maxPriorityFeePerGas?: string;
}

/** What a transaction has come to in its block. */
export interface Ended {
  readonly status: number;
  /** paid: after refunds, at least the floor */
  readonly gas: bigint;
  /** by dimension, before refunds */
  readonly execution: bigint;
  readonly state: bigint;
  /** the header's, of a block with nothing but this transaction */
  readonly header: bigint;
  readonly logs: readonly Wire[];
  /** the words that its logs without topics have as data */
  readonly told: readonly bigint[];
  readonly created: string;
  readonly block: Wire;
  readonly receipt: Wire;
}

/** A chain on which each test finds the state of the first one. */
export class Chain {
  /** an account with ether */
  from = '';
  /** another one */
  other = '';
  call: Call = () => Promise.reject(new Error('no node was started'));
  #node: Devnet | undefined;
  #snapshot = '';

  get node(): Devnet {
    return this.#node!;
  }

  async start(options: DevnetOptions): Promise<void> {
    this.#node = await createDevnet({ hardfork: 'amsterdam', automine: true, manualClock: true, ...options });
    this.call = callsOf(this.#node);
    [this.from, this.other] = await this.call('eth_accounts');
    this.#snapshot = await this.call('evm_snapshot');
  }

  async reset(): Promise<void> {
    await this.call('evm_revert', this.#snapshot);
    this.#snapshot = await this.call('evm_snapshot');
  }

  async close(): Promise<void> {
    await this.#node?.close();
  }

  /** Puts code there, with the values of slots 0, 1, ... */
  async put(address: string, code: string, slots: readonly number[] = [], balance = 0): Promise<void> {
    await this.call('anvil_setCode', address, `0x${code}`);
    for (const [slot, value] of slots.entries())
      await this.call('anvil_setStorageAt', address, hex(slot), word(value));
    if (balance) await this.call('anvil_setBalance', address, hex(balance));
  }

  /** Sends a transaction and looks at what it has come to. @throws the error where it is refused */
  async send({ value = 0n, gas = 2_000_000n, data = '', ...rest }: Transaction): Promise<Ended> {
    const hash = await this.call('eth_sendTransaction', {
      from: this.from,
      ...rest,
      ...{ value: hex(value), gas: hex(gas), input: `0x${data}` },
    });
    const receipt = await this.call('eth_getTransactionReceipt', hash);
    const block = await this.call('eth_getBlockByNumber', receipt.blockNumber, false);
    const trace = await this.call('debug_traceTransaction', hash, { tracer: 'callTracer' });
    return {
      status: Number(receipt.status),
      gas: BigInt(receipt.gasUsed),
      execution: BigInt(trace.executionGasUsed),
      state: BigInt(trace.stateGasUsed),
      header: BigInt(block.gasUsed),
      logs: receipt.logs,
      told: receipt.logs
        .filter(({ topics, data }: Wire) => topics.length === 0 && data !== '0x')
        .map(({ data }: Wire) => BigInt(data)),
      created: receipt.contractAddress,
      ...{ block, receipt },
    };
  }

  /** What the access list of a block has of an account; `undefined` where it isn't in. */
  async listed(address: string, block = 'latest'): Promise<Wire> {
    const list: Wire[] = await this.call('eth_getBlockAccessList', block);
    return list.find((account) => account.address === address.toLowerCase());
  }

  /** An authorization (EIP-7702). @param authority address of a dev account, or a private key. @param nonce of the authority */
  async authorization(authority: string, to: string, nonce = 0): Promise<object> {
    const { signAuthorization } = await import('viem/accounts');
    const known = this.node.accounts.find(({ address }) => address.toLowerCase() === authority.toLowerCase());
    const privateKey = known?.privateKey ?? authority;
    const signed = await signAuthorization({
      privateKey: privateKey as `0x${string}`,
      chainId: 31337,
      contractAddress: to as `0x${string}`,
      nonce,
    });
    const { r, s, yParity } = signed;
    return { chainId: hex(31337), address: to, nonce: hex(nonce), yParity: hex(yParity!), r, s };
  }
}

/** Tests that run on a chain of each engine. */
export function onEachEngine(name: string, tests: (chain: Chain) => void, options: DevnetOptions = {}): void {
  describe.each(ENGINES)(`${name}, engine %s`, (engine) => {
    const chain = new Chain();
    beforeAll(() => chain.start({ engine, ...options }));
    beforeEach(() => chain.reset());
    afterAll(() => chain.close());
    tests(chain);
  });
}
