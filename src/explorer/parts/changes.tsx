import type { Hex } from '../data/types.ts';
import { Address } from './address.tsx';
import { Table } from './values.tsx';

/** A value that changed, before and after. */
export interface ChangeRow {
  readonly address: Hex;
  readonly what: string;
  readonly from: string;
  readonly to: string;
}

/** Changed values by account, old and new. A slot's number and word are without their leading zeros. */
export function Changes({ rows }: { rows: readonly ChangeRow[] }) {
  if (rows.length === 0) return <p class="dim">nothing differs</p>;
  return (
    <Table label="Changed values" head={['account', 'what', 'before', 'after']}>
      {rows.map(({ address, what, from, to }, i) => (
        <tr key={`${address} ${what}`} class={rows[i - 1]?.address === address ? '' : 'first'}>
          <td>{rows[i - 1]?.address !== address && <Address value={address} />}</td>
          <td data-label="what" title={what}>
            {trimmed(what)}
          </td>
          <td data-label="before">
            <code class="old" title={from}>
              {trimmed(from)}
            </code>
          </td>
          <td data-label="after">
            <code class="new" title={to}>
              {trimmed(to)}
            </code>
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** Words without leading zeros, and the middle left out of what is still long. */
function trimmed(text: string): string {
  return text.replace(/0x0*([\da-f]*)$/, (_, digits: string) => {
    const kept = digits === '' ? '0' : digits;
    return kept.length > 40 ? `0x${kept.slice(0, 16)}…${kept.slice(-16)}` : `0x${kept}`;
  });
}
