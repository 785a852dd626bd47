import type { Hex } from '../data/types.ts';
import { count, etherText, short } from '../format.ts';
import { nameOf } from '../names/name-of.ts';
import { isAwaited, tokenAmount, tokenOf } from '../names/tokens.ts';

interface Amount {
  /** `undefined` for ETH */
  readonly token: Hex | undefined;
  readonly id?: bigint;
  readonly amount: bigint;
}

/** An amount with its unit: `25 TST`, `0.02 ETH`, `COL #7`, `3 × ITM #4`. */
export function amountOf({ token, id, amount }: Amount): string {
  if (!token) return etherText(amount);
  const known = tokenOf(token);
  const symbol = known?.symbol || nameOf(token)?.text || short(token);
  if (id !== undefined) return amount === 1n ? `${symbol} #${id}` : `${amount} × ${symbol} #${id}`;
  if (known) return tokenAmount(amount, known);
  // Without the token's decimals the number would be wrong by powers of ten.
  return isAwaited(token) ? '…' : `${count(amount)} of ${symbol}`;
}

/** A change of an amount with its sign and unit. */
export function Signed({ change }: { change: Amount }) {
  const { amount } = change;
  return (
    <span class={amount < 0n ? '' : 'good'}>
      {amount < 0n ? '−' : '+'}
      {amountOf({ ...change, amount: amount < 0n ? -amount : amount })}
    </span>
  );
}
