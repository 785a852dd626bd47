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
  /** the whole of `what`, if `what` is shortened */
  readonly title?: string;
}

/** The row of a changed state variable. */
export function variableRow(
  address: Hex,
  { name, type, from, to }: { name: string; type: string; from: string; to: string },
): ChangeRow {
  const text = (value: string) => valueText({ name, type, value }, { function: '', contract: address });
  return { address, what: variableName(name), title: `${type} ${name}`, from: text(from), to: text(to) };
}

/** A table of changed values by account. Slots and words are shown without leading zeros. */
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

/** A word without leading zeros; a long one without its middle. */
function trimmed(text: string): string {
  return text.replace(/0x0*([\da-f]*)$/, (_, digits: string) => {
    const kept = digits === '' ? '0' : digits;
    return kept.length > 40 ? `0x${kept.slice(0, 16)}…${kept.slice(-16)}` : `0x${kept}`;
  });
}
