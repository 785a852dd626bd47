import type { Hex } from '../data/types.ts';
import { short } from '../format.ts';
import { checksummed, nameOf } from '../names/name-of.ts';

/** Hues of dev accounts in degrees; accounts with neighbouring numbers get distant hues. */
const HUES = [250, 20, 145, 330, 190, 45, 285, 95, 215, 0];

/** An icon for an address: a dev account's number on its colour, or a pattern computed from the address. */
export function Mark({ address, large }: { address: Hex; large?: boolean | undefined }) {
  const index = nameOf(address)?.index;
  const size = large ? ' large' : '';
  if (index !== undefined) {
    const background = `hsl(${HUES[index % HUES.length]} 58% ${index % 20 < 10 ? 40 : 32}%)`;
    return (
      <span class={`mark account${size}`} style={{ background }} data-number={index} aria-hidden="true" />
    );
  }
  const digits = address.slice(2).toLowerCase();
  const hue = Number.parseInt(digits.slice(0, 4), 16) % 360;
  const cells = patternOf(Number.parseInt(digits.slice(-6), 16));
  return (
    <svg class={`mark${size}`} viewBox="0 0 5 5" aria-hidden="true">
      <path d="M0 0h5v5H0z" fill={`hsl(${hue} 60% 82%)`} />
      <path d={cells} fill={`hsl(${(hue + 40) % 360} 62% 42%)`} />
    </svg>
  );
}

/** SVG path of the filled cells of a 5 × 5 square, which is symmetric about its vertical axis. */
function patternOf(bits: number): string {
  let path = '';
  for (let row = 0; row < 5; row++)
    for (let column = 0; column < 3; column++) {
      if (((bits >> (3 * row + column)) & 1) === 0) continue;
      path += `M${column} ${row}h1v1h-1z`;
      if (column < 2) path += `M${4 - column} ${row}h1v1h-1z`;
    }
  return path;
}

/** An address with icon and name, without a link. */
export function Who({ value }: { value: Hex }) {
  return (
    <span class="who" title={checksummed(value)}>
      <Label value={value} />
    </span>
  );
}

/** A link to an address: its icon with its name, or with a shortened address. @param full the whole address, after the name */
export function Address({ value, full }: { value: Hex | null | undefined; full?: boolean }) {
  if (!value) return <span class="dim">new contract</span>;
  return (
    <a class={full ? 'who full' : 'who'} href={`#/address/${value}`} title={checksummed(value)}>
      <Label value={value} full={full} />
    </a>
  );
}

function Label({ value, full }: { value: Hex; full?: boolean | undefined }) {
  const name = nameOf(value)?.text;
  const text = checksummed(value);
  return (
    <>
      <Mark address={value} />
      {name && <span class="name">{name}</span>}
      {(!name || full) && (
        <span class={name ? 'name mono dim' : 'name mono'}>{full ? text : short(text)}</span>
      )}
    </>
  );
}
