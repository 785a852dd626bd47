import { decoder } from '../abi/contracts.ts';
import { store } from '../app.ts';
import { failureOf } from '../data/reasons.ts';
import type { Transaction } from '../data/types.ts';
import { describe } from '../names/describe.ts';
import { sourceOf } from '../names/source-of.ts';
import { Who } from '../parts/address.tsx';
import { argumentsText, callText } from '../parts/decoded.tsx';
import { StatusIcon } from '../parts/icon.tsx';

/**
 * A transaction in two lines: who does what, to whom, and how much; below that the arguments, or why it failed.
 * @param label its flashblock, or its block in a list of several blocks
 */
export function TransactionCard({
  transaction,
  label,
}: {
  transaction: Transaction;
  label?: string | undefined;
}) {
  const { hash, from, to } = transaction;
  const outcome = store.outcomes.of(hash);
  const { kind, verb, object, target, decoded, owner } = describe(transaction);
  const isCall = kind === 'call';
  return (
    <a class={outcome === 'failed' ? 'card failed' : 'card'} href={`#/tx/${hash}`}>
      <StatusIcon outcome={outcome ?? 'unknown'} />
      <span class="text">
        <Who value={owner ?? from} />
        {isCall && decoded && !decoded.broken ? (
          <>
            <b>{verb}</b>
            {decoded.args.length > 0 && <span class="args">({argumentsText(decoded, to)})</span>}
          </>
        ) : (
          <span>
            {isCall ? verb : <span class="dim">{verb}</span>}
            {kind === 'create' && !target && ` ${object}`}
          </span>
        )}
        {target && (
          <>
            <span class="arrow" aria-hidden="true">
              →
            </span>
            <span class="sr">to</span>
            <Who value={target} />
          </>
        )}
        {kind !== 'create' && object && <span class="amount">{object}</span>}
        {outcome === 'failed' ? (
          <span class="why">
            {reasonText(hash, to)} {label && <span class="label">{label}</span>}
          </span>
        ) : (
          label && <span class="label">{label}</span>
        )}
      </span>
    </a>
  );
}

/** Why a transaction failed, in one line; `…` while that isn't known. */
export function reasonText(hash: Transaction['hash'], to: Transaction['to']): string {
  const frame = failureOf(hash);
  if (!frame) return '…';
  const data = frame.output ?? '0x';
  const decoded = data.length > 2 ? decoder.value?.error(data, sourceOf(to)) : undefined;
  if (decoded?.name === 'Error' && !decoded.broken) return String(decoded.args[0]!.value);
  if (decoded) return callText(decoded, data, to);
  return (
    frame.revertReason ??
    (data.length > 2 ? `reverted with ${data.slice(0, 10)}` : (frame.error ?? 'reverted'))
  );
}
