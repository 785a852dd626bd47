import type { Hex } from '../data/types.ts';
import { valueText, variableName } from '../names/variable.ts';
import { Address } from './address.tsx';
import { Table } from './values.tsx';

/** A value that changed, before and after. */
export interface ChangeRow {
  readonly address: Hex;
  readonly what: string;
  readonly from: string;
  readonly to: string;
  /** all of `what`, where that is shortened */
  readonly title?: string;
}

/** A state variable's row. */
export function variableRow(
  address: Hex,
  { name, type, from, to }: { name: string; type: string; from: string; to: string },
): ChangeRow {
  const text = (value: string) => valueText({ name, type, value }, { function: '', contract: address });
  return { address, what: variableName(name), title: `${type} ${name}`, from: text(from), to: text(to) };
}

/** Changed values by account, old and new. A slot's number and word are without their leading zeros. */
export function Changes({ rows }: { rows: readonly ChangeRow[] }) {
  if (rows.length === 0) return <p class="dim">nothing differs</p>;
  return (
    <Table label="Changed values" head={['account', 'what', 'before', 'after']}>
      {rows.map(({ address, what, title = what, from, to }, i) => (
        <tr key={`${address} ${title}`} class={rows[i - 1]?.address === address ? '' : 'first'}>
          <td>{rows[i - 1]?.address !== address && <Address value={address} />}</td>
          <td data-label="what" class="value" title={title}>
            {trimmed(what)}
          </td>
          <td data-label="before" class="value">
            <code class="old" title={from}>
              {trimmed(from)}
            </code>
          </td>
          <td data-label="after" class="value">
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
