import type { Hex } from '../data/types.ts';
import { count, etherText } from '../format.ts';
import { Changes } from './changes.tsx';

/** A part of an account in the answer of `prestateTracer`. */
export interface AccountPart {
  readonly balance?: Hex;
  readonly nonce?: number;
  readonly code?: Hex;
  readonly storage?: Readonly<Record<Hex, Hex>>;
}

const ZERO = `0x${'0'.repeat(64)}` as Hex;

/** What a transaction changed: `pre` has the values before, `post` those that differ afterwards. */
export function PrestateDiff({
  pre,
  post,
}: {
  pre: Record<Hex, AccountPart>;
  post: Record<Hex, AccountPart>;
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
      ...slots.flatMap((slot) =>
        row(`slot ${slot}`, before.storage?.[slot] ?? ZERO, after.storage?.[slot] ?? ZERO),
      ),
    ];
  });
  return <Changes rows={rows} />;
}

function sizeOf(code: Hex | undefined): string {
  return `${((code ?? '0x').length - 2) / 2} bytes`;
}
