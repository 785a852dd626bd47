import { type Address, bytesToHex, equalsBytes } from '@ethereumjs/util';
import type { BlockEnv, Executed, Message } from '../protocol/types.ts';
import { EMPTY_CODE_HASH } from '../state/account.ts';
import { addressOfKey, keyBytes } from '../state/hex-key.ts';
import type { Overlay } from '../state/overlay.ts';
import type { AccountState } from '../state/view.ts';

/** The result of a run of a message. */
export interface RunResult {
  readonly executed: Executed;
  readonly env: BlockEnv;
  /** the state after the run; the overlay contains all writes of the run */
  readonly state: Overlay;
  /** wei that the sender got in addition, to pay for a higher gas limit */
  readonly given: bigint;
}

const NOTHING: Pick<AccountState, 'nonce' | 'balance' | 'codeHash'> = {
  nonce: 0n,
  balance: 0n,
  codeHash: EMPTY_CODE_HASH,
};

/**
 * The first difference between the states after two runs of a message, in words. Effects of the price of the gas are ignored: the
 * sender's balance is compared without the fee, and the coinbase's without the tip. An empty account counts as non-existent (EIP-161).
 * @param unpriced accounts, `0x` hex, whose balances aren't compared: on an OP chain those that pay or receive fees
 */
export async function stateDifference(
  message: Message,
  now: RunResult,
  other: RunResult,
  unpriced: ReadonlySet<string> = new Set(),
): Promise<string | undefined> {
  const written = [now.state.writes(), other.state.writes()];
  const accounts = new Set(
    written.flatMap(({ accounts, storage }) => [...accounts.keys(), ...storage.keys()]),
  );
  for (const key of accounts) {
    const address = addressOfKey(key);
    const [before, after] = [
      accountOf(await now.state.getAccount(address)),
      accountOf(await other.state.getAccount(address)),
    ];
    if (isEmpty(before) !== isEmpty(after))
      return `the account ${key} ${isEmpty(before) ? "doesn't exist now, but then" : "exists now, but doesn't then"}`;
    if (before.nonce !== after.nonce) return `the nonce of ${key}: ${before.nonce} now, ${after.nonce} then`;
    if (!equalsBytes(before.codeHash, after.codeHash)) return `the code of ${key}`;
    const balances = [
      before.balance + feesOf(address, message, now),
      after.balance + feesOf(address, message, other),
    ];
    if (!unpriced.has(key) && balances[0] !== balances[1])
      return `the balance of ${key}: ${balances[0]} wei now, ${balances[1]} wei then, without fees`;
    const slots = new Set(written.flatMap(({ storage }) => [...(storage.get(key)?.slots.keys() ?? [])]));
    for (const slot of slots) {
      const [value, changed] = [
        await now.state.getStorage(address, keyBytes(slot)),
        await other.state.getStorage(address, keyBytes(slot)),
      ];
      if (!equalsBytes(value, changed))
        return `the slot ${shortened(slot)} of ${key}: ${numberText(value)} now, ${numberText(changed)} then`;
    }
  }
  return undefined;
}

const accountOf = (account: AccountState | undefined) => account ?? NOTHING;

function isEmpty({ nonce, balance, codeHash }: typeof NOTHING): boolean {
  return nonce === 0n && balance === 0n && equalsBytes(codeHash, EMPTY_CODE_HASH);
}

/** Wei that an account paid for gas minus the wei that it received for gas and as {@link RunResult.given}. */
function feesOf(address: Address, message: Message, { executed, env, given }: RunResult): bigint {
  const { gasUsed, effectiveGasPrice, blobGasUsed } = executed;
  const baseFee = env.baseFeePerGas ?? 0n;
  let paid = 0n;
  if (address.equals(message.from))
    paid +=
      gasUsed * effectiveGasPrice -
      given +
      (message.maxFeePerBlobGas ? blobGasUsed * (env.blobBaseFee ?? 0n) : 0n);
  if (address.equals(env.coinbase) && effectiveGasPrice > baseFee)
    paid -= gasUsed * (effectiveGasPrice - baseFee);
  return paid;
}

/** A slot without leading zeros, because most slots are small numbers. */
const shortened = (slot: string): string => numberText(keyBytes(slot));

function numberText(value: Uint8Array): string {
  return `0x${bytesToHex(value).slice(2).replace(/^0+/, '') || '0'}`;
}
