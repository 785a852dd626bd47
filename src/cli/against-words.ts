import type { AgainstFields, Compared, NamedParting, NamedPlace, Range, Row } from '../against/tally.ts';
import { VERDICTS } from '../against/verdict.ts';
import { printable } from '../log/printable.ts';
import { countOf } from './report.ts';

/** Most characters of a line of source that are shown. */
const MOST_SOURCE = 160;

/** `12 transactions by osaka, against amsterdam; fails with this limit: 3, dearer: 9` */
export function againstLine(fields: AgainstFields): string {
  const { now, against, transactions, calls, verdicts, notCompared } = fields;
  const what = [countOf(transactions, 'transaction'), ...(calls > 0 ? [countOf(calls, 'call')] : [])].join(
    ' and ',
  );
  const by = now.length > 0 ? ` by ${now.join(', ')}` : '';
  const counts = VERDICTS.filter((verdict) => verdicts[verdict] > 0).map(
    (verdict) => `${verdict}: ${verdicts[verdict]}`,
  );
  if (notCompared > 0) counts.push(`not compared: ${notCompared}`);
  return printable(`${what}${by}, against ${against}; ${counts.join(', ') || 'nothing to compare'}`);
}

/** The table by function. The columns of state gas are there where the hardfork counts that by itself (EIP-8037). */
export function functionTable({ functions }: AgainstFields): {
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
} {
  const columns: [head: string, cell: (row: Row) => string | number][] = [
    ['function', nameOf],
    ['verdict', ({ verdict }) => verdict],
    ['count', ({ count }) => count],
    ['gas now', ({ gasNow }) => gasNow.average],
    ['state gas now', ({ stateGasNow }) => stateGasNow?.average ?? ''],
    ['gas then', ({ gasThen }) => gasThen?.average ?? ''],
    ['state gas then', ({ stateGasThen }) => stateGasThen?.average ?? ''],
    ['change', changeOf],
    ['gas limit', ({ gasLimit }) => rangeText(gasLimit)],
    ['estimated then', ({ gasLimitThen }) => (gasLimitThen ? rangeText(gasLimitThen) : '')],
    ['needs', ({ needs }) => needs ?? ''],
  ];
  const lacking = [
    ...(functions.some(({ gasLimitThen }) => gasLimitThen) ? [] : ['estimated then']),
    ...(functions.some(({ stateGasNow }) => stateGasNow) ? [] : ['state gas now']),
    ...(functions.some(({ stateGasThen }) => stateGasThen) ? [] : ['state gas then']),
  ];
  const shown = columns.filter(([head]) => !lacking.includes(head));
  return {
    head: shown.map(([head]) => head),
    rows: functions.map((row) => shown.map(([, cell]) => cell(row))),
  };
}

/** `Token.transfer`, or what there is of it. */
export function nameOf({
  kind,
  contract,
  function: name,
}: Pick<Row, 'kind' | 'contract' | 'function'>): string {
  const called =
    name === 'deployment' ? `deployment of ${contract ?? 'a contract without an artifact'}` : undefined;
  const text =
    called ??
    (contract === null ? name : name === 'no function' ? `${contract} (no function)` : `${contract}.${name}`);
  return kind === 'call' ? `eth_call of ${text}` : text;
}

/** Which transaction or call it is, or the first of several. */
export function placeInChain({
  in: within,
  block,
  hash,
  kind,
  times = 1,
}: Compared & { readonly times?: number }): string {
  const place = `${hash ?? kind} in block ${block}`;
  const more = times > 1 ? `, and ${times - 1} more` : '';
  return `${within === undefined ? place : `${place} of ${within}`}${more}`;
}

/** Where two runs part, in words. */
export function partingText({ endsNow, endsThen, because, ...place }: NamedParting): string {
  const ends = [
    ...(endsNow === undefined ? [] : [`${endsNow} now`]),
    ...(endsThen === undefined ? [] : [`${endsThen} then`]),
  ].join(', ');
  const cause = because === undefined ? '' : `, by what ${placeText(because)} gives`;
  return `${placeText(place)}${ends === '' ? '' : `: ${ends}`}${cause}`;
}

/** The line of source at which two runs part, with its number; `undefined` where it isn't known. */
export function sourceText({ line, source }: NamedPlace): string | undefined {
  return line === undefined || !source?.trim()
    ? undefined
    : `${line} | ${source.trim().slice(0, MOST_SOURCE)}`;
}

function placeText({ contract, address, pc, opcode, file, line, column }: NamedPlace): string {
  const place = file === undefined ? '' : `${file}:${line}:${column}, `;
  return `${opcode}, ${place}pc ${pc} of ${contract === undefined ? address : `${contract} (${address})`}`;
}

function changeOf({ gasNow, gasThen }: Row): string {
  if (!gasThen) return '';
  const share = Math.round((1000 * (gasThen.average - gasNow.average)) / Math.max(1, gasNow.average)) / 10;
  return `${share > 0 ? '+' : ''}${share} %`;
}

const rangeText = ({ min, max }: Range): number | string => (min === max ? min : `${min} to ${max}`);

/** Differences of one function for one reason, told once: the first of them, and how many there are. */
export function alike(different: readonly Compared[]): (Compared & { readonly times: number })[] {
  const groups = new Map<string, Compared & { times: number }>();
  for (const one of different) {
    const key = JSON.stringify([nameOf(one), one.verdict, one.reason]);
    const known = groups.get(key);
    if (known) known.times++;
    else groups.set(key, { ...one, times: 1 });
  }
  return [...groups.values()];
}
