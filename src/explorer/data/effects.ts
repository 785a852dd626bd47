import { TRANSFER, TRANSFER_BATCH, TRANSFER_SINGLE } from './tokens.ts';
import type { Frame, Hex, Log, Receipt } from './types.ts';

/** A transfer of ETH, of an amount of a token, or of one token of a collection. */
export interface Transfer {
  /** `undefined` for ETH */
  readonly token: Hex | undefined;
  /** token id of an ERC-721 or ERC-1155 */
  readonly id?: bigint;
  readonly from: Hex;
  readonly to: Hex;
  readonly amount: bigint;
}

const addressIn = (topic: Hex): Hex => `0x${topic.slice(26)}`;

/** The token transfers that logs record, in their order. */
export function tokenTransfers(logs: readonly Log[]): Transfer[] {
  return logs.flatMap(({ address: token, topics, data }): Transfer[] => {
    const [kind, first, second, third] = topics;
    const words = data.slice(2).match(/.{64}/g) ?? [];
    const word = (i: number) => BigInt(`0x${words[i] ?? '0'}`);
    if (kind === TRANSFER && topics.length === 3)
      return [{ token, from: addressIn(first!), to: addressIn(second!), amount: word(0) }];
    if (kind === TRANSFER && topics.length === 4)
      return [{ token, id: BigInt(third!), from: addressIn(first!), to: addressIn(second!), amount: 1n }];
    if (topics.length !== 4) return [];
    const parties = { token, from: addressIn(second!), to: addressIn(third!) };
    if (kind === TRANSFER_SINGLE) return [{ ...parties, id: word(0), amount: word(1) }];
    if (kind !== TRANSFER_BATCH) return [];
    const list = (i: number) => {
      const at = Number(word(i) / 32n);
      return Array.from({ length: Math.min(Number(word(at)), words.length) }, (_, n) => word(at + 1 + n));
    };
    const amounts = list(1);
    return list(0).map((id, i) => ({ ...parties, id, amount: amounts[i] ?? 0n }));
  });
}

/** The ETH transfers of successful calls, in the order of the calls. */
export function etherTransfers(frame: Frame): Transfer[] {
  const { type, from, to, value, error, calls = [] } = frame;
  if (error !== undefined) return [];
  const amount = BigInt(value ?? '0x0');
  const isSent = amount > 0n && to && type !== 'DELEGATECALL' && type !== 'CALLCODE';
  return [...(isSent ? [{ token: undefined, from, to, amount }] : []), ...calls.flatMap(etherTransfers)];
}

/** The change of an account's balance of ETH or a token. */
export interface Change {
  readonly holder: Hex;
  readonly token: Hex | undefined;
  readonly id?: bigint;
  readonly amount: bigint;
}

const NOBODY = `0x${'0'.repeat(40)}`;

/** The sums of transfers by account and token, without sums of zero and without the zero address. */
export function changesOf(transfers: readonly Transfer[]): Change[] {
  const sums = new Map<string, Change>();
  const add = (holder: Hex, { token, id }: Transfer, amount: bigint) => {
    const key = `${holder} ${token} ${id}`;
    const before = sums.get(key)?.amount ?? 0n;
    sums.set(key, { holder, token, ...(id !== undefined && { id }), amount: before + amount });
  };
  for (const transfer of transfers) {
    add(transfer.from, transfer, -transfer.amount);
    add(transfer.to, transfer, transfer.amount);
  }
  return [...sums.values()].filter(({ holder, amount }) => amount !== 0n && holder !== NOBODY);
}

/** What a transaction's sender paid for gas, wei. */
export function feeOf({
  gasUsed,
  effectiveGasPrice,
}: Pick<Receipt, 'gasUsed' | 'effectiveGasPrice'>): bigint {
  return BigInt(gasUsed) * BigInt(effectiveGasPrice);
}

/** What the sender gave and got in a swap of one asset for another, without the fee. `undefined` if it isn't such a swap. */
export function swapIn(changes: readonly Change[], sender: Hex): { given: Change; got: Change } | undefined {
  const own = changes.filter(({ holder }) => holder === sender);
  const [given, ...moreGiven] = own.filter(({ amount }) => amount < 0n);
  const [got, ...moreGot] = own.filter(({ amount }) => amount > 0n);
  return given && got && moreGiven.length + moreGot.length === 0 ? { given, got } : undefined;
}
