import { asCast, asCurl, asViem } from '../data/as-command.ts';
import type { Receipt, Transaction } from '../data/types.ts';
import { Copy, Panel } from '../parts/values.tsx';

/** The transaction and its receipt as JSON, and commands that send the transaction again. */
export function Raw({
  transaction,
  receipt,
}: {
  transaction: Transaction;
  receipt: Receipt | null | undefined;
}) {
  const url = location.origin;
  const texts = [JSON.stringify(transaction, null, 2), receipt && JSON.stringify(receipt, null, 2)];
  return (
    <>
      <p class="row" style={{ marginBottom: '16px' }}>
        <Copy text={asCast(url, transaction)} label="Copy as cast" large />
        <Copy text={asViem(url, transaction)} label="Copy as viem" large />
        <Copy text={asCurl(url, transaction)} label="Copy as curl" large />
      </p>
      <Panel title="Transaction" aside={<Copy text={texts[0]!} label="copy JSON" />}>
        <pre>{texts[0]}</pre>
      </Panel>
      {receipt && (
        <Panel title="Receipt" aside={<Copy text={texts[1]!} label="copy JSON" />}>
          <pre>{texts[1]}</pre>
        </Panel>
      )}
    </>
  );
}
