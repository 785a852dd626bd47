import { type Address, bytesToHex, hexToBytes } from '@ethereumjs/util';
import type { OnProgress } from '../progress.ts';
import { EMPTY_CODE_HASH, EMPTY_ROOT, stripZeros } from './account.ts';
import {
  BEACON_ROOTS,
  BLOCK_HASHES,
  BUILDER_DEPOSITS,
  BUILDER_EXITS,
  CONSOLIDATION_REQUESTS,
  CREATE2_DEPLOYER,
  type GenesisContract,
  MULTICALL3,
  WITHDRAWAL_REQUESTS,
} from './genesis-code.ts';
import { integerBytes } from './integers.ts';
import { keccak256 } from './keccak.ts';
import { barePredeployAlloc, predeployAlloc } from './predeploys.ts';
import { preinstallAlloc } from './preinstalls.ts';
import type { AccountState, StateWrites, StorageWrites } from './view.ts';

export interface GenesisAccount {
  /** wei */
  readonly balance: bigint;
  readonly nonce?: bigint;
  readonly code?: Uint8Array;
  /** by slot, `0x` hex of 32 bytes */
  readonly storage?: ReadonlyMap<string, Uint8Array>;
}

/** The accounts of a chain's genesis state, by lower-case `0x` address. */
export type GenesisAlloc = ReadonlyMap<string, GenesisAccount>;

export interface BuiltinOptions {
  /** the dev accounts */
  readonly accounts: readonly Address[];
  /** wei for each of them */
  readonly balance: bigint;
  /** default: true */
  readonly create2Deployer?: boolean;
  /** default: true */
  readonly multicall3?: boolean;
  /** the contracts of EIP-8282; default: false */
  readonly builders?: boolean;
  /** The OP Stack's contracts; default: none. `bare`: without proxies and without preinstalls. */
  readonly opStack?: { readonly chainId: bigint; readonly bare: boolean } | undefined;
}

/** Without the last two, other clients reject Prague blocks ("empty system contract"). */
const SYSTEM_CONTRACTS = [BEACON_ROOTS, BLOCK_HASHES, WITHDRAWAL_REQUESTS, CONSOLIDATION_REQUESTS];

/** EIP-8282. Without these contracts, an Amsterdam block is invalid. */
export const BUILDER_CONTRACTS = [BUILDER_DEPOSITS, BUILDER_EXITS];

/** The built-in genesis allocation: dev accounts, system contracts, and contracts that tools expect on every chain. */
export function builtinAlloc(options: BuiltinOptions): GenesisAlloc {
  const contracts: GenesisContract[] = [...SYSTEM_CONTRACTS];
  if (options.builders) contracts.push(...BUILDER_CONTRACTS);
  if (options.create2Deployer ?? true) contracts.push(CREATE2_DEPLOYER);
  if (options.multicall3 ?? true) contracts.push(MULTICALL3);
  const alloc = new Map<string, GenesisAccount>(opStackAlloc(options.opStack));
  for (const { address, code } of contracts)
    alloc.set(address, { balance: 0n, nonce: 1n, code: hexToBytes(code) });
  for (const account of options.accounts) alloc.set(account.toString(), { balance: options.balance });
  return alloc;
}

function opStackAlloc(opStack: BuiltinOptions['opStack']): Iterable<[string, GenesisAccount]> {
  if (!opStack) return [];
  if (opStack.bare) return barePredeployAlloc();
  return [...predeployAlloc(), ...preinstallAlloc(opStack.chainId)];
}

/** The writes that turn an empty state into the genesis state. */
export function genesisWrites(alloc: GenesisAlloc): StateWrites {
  const accounts = new Map<string, AccountState>();
  const storage = new Map<string, StorageWrites>();
  const code = new Map<string, Uint8Array>();
  for (const [address, account] of alloc) {
    const codeHash = account.code?.length ? keccak256(account.code) : EMPTY_CODE_HASH;
    if (account.code?.length) code.set(bytesToHex(codeHash), account.code);
    accounts.set(address, {
      nonce: account.nonce ?? 0n,
      balance: account.balance,
      codeHash,
      storageRoot: EMPTY_ROOT,
    });
    if (!account.storage?.size) continue;
    const slots = new Map<string, Uint8Array>();
    for (const [slot, value] of account.storage) slots.set(slot, stripZeros(value));
    storage.set(address, { cleared: true, slots });
  }
  return { accounts, storage, code };
}

/**
 * Reads the `alloc` of a geth genesis.json: addresses and slots with or without `0x`, numbers as hex or decimal
 * strings or as JSON integers.
 * @throws Error that names the account and the field
 */
export function parseAlloc(json: unknown, onProgress?: OnProgress): GenesisAlloc {
  const alloc = new Map<string, GenesisAccount>();
  const entries = Object.entries(record(json, 'alloc'));
  const { length: total } = entries;
  for (const [name, entry] of entries) {
    onProgress?.({ task: 'Reading the genesis file', done: alloc.size, total, unit: 'accounts' });
    const at = `alloc.${name}`;
    const address = bytesToHex(hex(name, 20, at));
    if (alloc.has(address)) throw new Error(`${at}: the account is listed twice`);
    const { balance = 0, nonce = 0, code = '0x', storage = {} } = record(entry, at);
    const slots = new Map<string, Uint8Array>();
    for (const [slot, value] of Object.entries(record(storage, `${at}.storage`))) {
      const place = `${at}.storage.${slot}`;
      slots.set(bytesToHex(word(slot, place)), stripZeros(word(value, place)));
    }
    alloc.set(address, {
      balance: quantity(balance, 256, `${at}.balance`),
      nonce: quantity(nonce, 64, `${at}.nonce`),
      code: hex(code, undefined, `${at}.code`),
      storage: slots,
    });
  }
  return alloc;
}

function record(value: unknown, at: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${at}: not an object`);
  return value as Record<string, unknown>;
}

/** 32 bytes; short values are padded on the left, as geth does */
function word(value: unknown, at: string): Uint8Array {
  const digits = typeof value === 'string' ? value.replace(/^0x/i, '') : undefined;
  return hex(digits?.padStart(64, '0'), 32, at);
}

function hex(value: unknown, length: number | undefined, at: string): Uint8Array {
  const digits = typeof value === 'string' ? value.replace(/^0x/i, '') : undefined;
  if (digits === undefined || digits.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(digits))
    throw new Error(`${at}: not hex bytes`);
  const bytes = hexToBytes(`0x${digits}`);
  if (length !== undefined && bytes.length !== length) throw new Error(`${at}: not ${length} bytes`);
  return bytes;
}

function quantity(value: unknown, bits: number, at: string): bigint {
  const isText = typeof value === 'string' && /^(0x[0-9a-f]+|[0-9]+)$/i.test(value);
  // The JSON parser rounds numbers above 2^53: reject such a number rather than use a wrong amount.
  if (!isText && !(Number.isSafeInteger(value) && (value as number) >= 0))
    throw new Error(`${at}: not an amount`);
  const amount = BigInt(value as string | number);
  if (integerBytes(amount).length * 8 > bits) throw new Error(`${at}: more than ${bits} bits`);
  return amount;
}
