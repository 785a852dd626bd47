import { useState } from 'preact/hooks';
import type { NamedDiff } from '../../rpc/read/contract-storage.ts';
import type { AccountDiff } from '../../rpc/read/state-diff.ts';
import { rpc, store } from '../app.ts';
import type { Hex } from '../data/types.ts';
import { count, etherText, plural } from '../format.ts';
import { type ChangeRow, Changes, variableRow } from '../parts/changes.tsx';
import { Field } from '../parts/field.tsx';
import { useRemote } from '../parts/use-remote.ts';
import { Panel, Waiting } from '../parts/values.tsx';
import { blockRef } from './logs.tsx';

/** The state difference between two blocks, by default the changes of the block being built. */
export function DifferencePage({
  args: [first = 'latest', second = 'pending'],
}: {
  args: readonly string[];
}) {
  const [from, setFrom] = useState(first);
  const [to, setTo] = useState(second);
  const moment = `${from} ${to} ${store.pending.value?.block.hash} ${store.sealed.value.at(-1)?.hash}`;
  const diff = useRemote(moment, () =>
    rpc.call<Record<Hex, NamedDiff>>('devnet_stateDiff', blockRef(from), blockRef(to)),
  );
  const accounts = Object.entries(diff.value ?? {}) as [Hex, NamedDiff][];
  const slots = accounts.reduce((sum, [, { storage = {} }]) => sum + Object.keys(storage).length, 0);
  return (
    <>
      <div class="title">
        <h1>Difference</h1>
      </div>
      <div class="form">
        <Field label="from block" value={from} onValue={setFrom} />
        <Field label="to block" value={to} onValue={setTo} />
      </div>
      {diff.error && <Waiting error={diff.error} />}
      {diff.value && !diff.error && (
        <Panel
          title={`${plural(accounts.length, 'account')}, ${plural(slots, 'slot')}`}
          aside={
            <span class="dim">
              {from} → {to}
            </span>
          }
        >
          <Changes rows={accounts.flatMap(rowsOf)} />
        </Panel>
      )}
    </>
  );
}

function rowsOf([address, diff]: [Hex, NamedDiff]): ChangeRow[] {
  const { balance, nonce, codeHash, storage = {}, variables = [] } = diff;
  const shown = (value: Hex | null, show: (value: Hex) => string) =>
    value === null ? 'no account' : show(value);
  const row = (what: string, change: AccountDiff['balance'], show: (value: Hex) => string) =>
    change ? [{ address, what, from: shown(change[0], show), to: shown(change[1], show) }] : [];
  const named = new Set(variables.map(({ slot }) => slot));
  return [
    ...row('balance', balance, (wei) => etherText(wei, 18)),
    ...row('nonce', nonce, count),
    ...row('code hash', codeHash, (hash) => hash),
    ...variables.map(({ name, type, from, to }) =>
      variableRow(address, { name, type, from: String(from), to: String(to) }),
    ),
    ...Object.entries(storage).flatMap(([slot, change]) =>
      named.has(slot as Hex) ? [] : row(`slot ${slot}`, change, (word) => word),
    ),
  ];
}
