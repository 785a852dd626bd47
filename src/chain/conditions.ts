import { Address, bytesToHex, equalsBytes } from '@ethereumjs/util';
import { EMPTY_ROOT, NEW_ACCOUNT } from '../state/account.ts';
import { keyBytes } from '../state/hex-key.ts';
import { UNKNOWN_ROOT } from '../state/remote-state.ts';
import type { StateView } from '../state/view.ts';

/** The expected values of an account. */
export interface KnownAccount {
  /** root of its storage trie, 32 bytes */
  readonly storageRoot?: Uint8Array;
  /** values without leading zeros, by slot (`0x` and 64 hex digits) */
  readonly slots: ReadonlyMap<string, Uint8Array>;
  /** wei */
  readonly balance?: bigint;
  readonly nonce?: bigint;
  readonly code?: Uint8Array;
}

/** Conditions for the inclusion of a transaction (ERC-7796). They aren't part of the transaction itself. */
export interface Conditions {
  /** by `0x` address */
  readonly knownAccounts: ReadonlyMap<string, KnownAccount>;
  /** range of the including block's number, both ends inclusive */
  readonly blockNumberMin?: bigint;
  readonly blockNumberMax?: bigint;
  /** range of the including block's timestamp in seconds, both ends inclusive */
  readonly timestampMin?: bigint;
  readonly timestampMax?: bigint;
}

/** The block that would include a transaction. */
export interface Inclusion {
  readonly number: bigint;
  /** seconds */
  readonly timestamp: bigint;
}

/** The number of look-ups that the conditions need, counted as op-geth does. */
export function costOf(conditions: Conditions): number {
  const { knownAccounts, blockNumberMin, blockNumberMax, timestampMin, timestampMax } = conditions;
  let cost = 0;
  for (const { storageRoot, slots, balance, nonce, code } of knownAccounts.values())
    cost += slots.size + [storageRoot, balance, nonce, code].filter((value) => value !== undefined).length;
  if (blockNumberMin !== undefined || blockNumberMax !== undefined) cost++;
  if (timestampMin !== undefined || timestampMax !== undefined) cost++;
  return cost;
}

/** The reason why no block can meet the conditions; `undefined` if a block can. */
export function contradictionIn({
  blockNumberMin: firstBlock = 0n,
  blockNumberMax: lastBlock = firstBlock,
  timestampMin: firstTime = 0n,
  timestampMax: lastTime = firstTime,
}: Conditions): string | undefined {
  if (firstBlock > lastBlock) return 'block number minimum constraint must be less than the maximum';
  if (firstTime > lastTime) return 'timestamp minimum constraint must be less than the maximum';
  return undefined;
}

/**
 * Describes the first condition that isn't met; `undefined` if all are.
 * @param state the state before the transaction
 * @param wroteStorage whether an account's storage was written after its storage root in `state` was computed: a condition on that root
 *   is then not met
 */
export async function unmetCondition(
  conditions: Conditions,
  block: Inclusion,
  state: StateView,
  wroteStorage: (address: string) => boolean = () => false,
): Promise<string | undefined> {
  const unmet =
    outOfRange('block number', block.number, conditions.blockNumberMin, conditions.blockNumberMax) ??
    outOfRange('block timestamp', block.timestamp, conditions.timestampMin, conditions.timestampMax);
  if (unmet) return unmet;
  for (const [key, known] of conditions.knownAccounts) {
    const difference = await differenceOf(new Address(keyBytes(key)), known, state, () => wroteStorage(key));
    if (difference) return `failed state check: account ${key}: ${difference}`;
  }
  return undefined;
}

function outOfRange(
  what: string,
  value: bigint,
  min: bigint | undefined,
  max: bigint | undefined,
): string | undefined {
  if (min !== undefined && value < min) return `failed header check: ${what} ${value} is below ${min}`;
  if (max !== undefined && value > max) return `failed header check: ${what} ${value} is above ${max}`;
  return undefined;
}

async function differenceOf(
  address: Address,
  { storageRoot, slots, balance, nonce, code }: KnownAccount,
  state: StateView,
  wroteStorage: () => boolean,
): Promise<string | undefined> {
  const account = (await state.getAccount(address)) ?? NEW_ACCOUNT;
  if (balance !== undefined && account.balance !== balance)
    return `balance ${account.balance}, expected ${balance}`;
  if (nonce !== undefined && account.nonce !== nonce) return `nonce ${account.nonce}, expected ${nonce}`;
  if (code && !equalsBytes(await state.getCode(address), code)) return 'the code differs';
  if (storageRoot) {
    if (wroteStorage()) return 'an earlier transaction of the block wrote to the storage';
    const root = account.storageRoot ?? EMPTY_ROOT;
    if (equalsBytes(root, UNKNOWN_ROOT)) return 'the storage root is not known on a forked chain';
    if (!equalsBytes(root, storageRoot))
      return `storage root ${bytesToHex(root)}, expected ${bytesToHex(storageRoot)}`;
  }
  for (const [slot, expected] of slots) {
    const value = await state.getStorage(address, keyBytes(slot));
    if (!equalsBytes(value, expected))
      return `slot ${slot} has ${bytesToHex(value)}, expected ${bytesToHex(expected)}`;
  }
  return undefined;
}
