import { changesInSlot, type VariablesByAccount } from '../data/state-variables.ts';
import type { Hex } from '../data/types.ts';
import { count, etherText } from '../format.ts';
import { Changes, variableRow } from './changes.tsx';

/** The fields of an account that `prestateTracer` returns. */
export interface AccountPart {
  readonly balance?: Hex;
  readonly nonce?: number;
  readonly code?: Hex;
  readonly storage?: Readonly<Record<Hex, Hex>>;
}

const ZERO = `0x${'0'.repeat(64)}` as Hex;

/**
 * The state changes of a transaction.
 * @param props.pre the values before the transaction
 * @param props.post the changed values after the transaction
 * @param props.variables the contracts' state variables, by account in lower case
 */
export function PrestateDiff({
  pre,
  post,
  variables = new Map(),
}: {
  pre: Record<Hex, AccountPart>;
  post: Record<Hex, AccountPart>;
  variables?: VariablesByAccount;
}) {
  const addresses = [...new Set([...Object.keys(pre), ...Object.keys(post)])].sort() as Hex[];
  const rows = addresses.flatMap((address) => {
    const [before = {}, after = {}] = [pre[address], post[address]];
    const row = (what: string, from: string, to: string) =>
      from === to ? [] : [{ address, what, from, to }];
    const slots = [
      ...new Set([...Object.keys(before.storage ?? {}), ...Object.keys(after.storage ?? {})]),
    ] as Hex[];
    return [
      ...(after.balance === undefined
        ? []
        : row('balance', etherText(before.balance ?? '0x0', 18), etherText(after.balance, 18))),
      ...(after.nonce === undefined ? [] : row('nonce', count(before.nonce ?? 0), count(after.nonce))),
      ...(after.code === undefined ? [] : row('code', sizeOf(before.code), sizeOf(after.code))),
      ...slots.flatMap((slot) => {
        const words = [before.storage?.[slot] ?? ZERO, after.storage?.[slot] ?? ZERO] as const;
        const named = changesInSlot(variables.get(address.toLowerCase()) ?? [], slot, words);
        return named.length > 0
          ? named.map((change) => variableRow(address, change))
          : row(`slot ${slot}`, ...words);
      }),
    ];
  });
  return <Changes rows={rows} />;
}

function sizeOf(code: Hex | undefined): string {
  return `${((code ?? '0x').length - 2) / 2} bytes`;
}
