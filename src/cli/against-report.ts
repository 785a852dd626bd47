import type { AgainstFields, Compared, NamedParting, NamedPlace, Range, Row } from '../against/tally.ts';
import { VERDICTS, type Verdict } from '../against/verdict.ts';
import { printable } from '../log/printable.ts';
import { againstHtml } from './against-html.ts';
import { countOf, markdownText, table, textTable } from './report.ts';

/** Differences that the report as text tells one by one. */
const MOST_TOLD = 50;

/** The formats of a report, by the endings of its file. */
const FORMATS: Readonly<Record<string, (fields: AgainstFields) => string>> = {
  '.txt': againstText,
  '.json': againstJson,
  '.md': againstMarkdown,
  '.html': againstHtml,
};

/** What writes a report into a file of this name. @throws Error where the name's ending is of no format */
export function againstFormatOf(path: string): (fields: AgainstFields) => string {
  const format = Object.entries(FORMATS).find(([ending]) => path.toLowerCase().endsWith(ending));
  if (!format)
    throw new Error(
      `--against-report: expected a file ending in ${Object.keys(FORMATS).join(', ')}, got ${path}`,
    );
  return format[1];
}

/** `12 transactions by osaka, against amsterdam: 3 fail with this limit, 9 are dearer` */
export function againstLine(fields: AgainstFields): string {
  const { now, against, transactions, calls, verdicts, notCompared } = fields;
  const what = [countOf(transactions, 'transaction'), ...(calls > 0 ? [countOf(calls, 'call')] : [])].join(
    ' and ',
  );
  const by = now.length > 0 ? ` by ${now.join(', ')}` : '';
  const counts = VERDICTS.filter((verdict) => verdicts[verdict] > 0).map(
    (verdict) => `${verdicts[verdict]} ${verdict}`,
  );
  if (notCompared > 0) counts.push(`${notCompared} not compared`);
  return printable(`${what}${by}, against ${against}: ${counts.join(', ') || 'nothing to compare'}`);
}

/** The report as text. */
export function againstText(fields: AgainstFields): string {
  const { functions, different, more, notCompared, notComparedBecause } = fields;
  const lines = [againstLine(fields)];
  if (functions.length > 0) lines.push(...textTable(HEAD, functions.map(cellsOf)));
  if (different.length > 0) lines.push('Where they differ:');
  for (const one of different.slice(0, MOST_TOLD)) {
    lines.push(printable(`    ${one.verdict}: ${nameOf(one)}, ${placeInChain(one)}${reasonOf(one)}`));
    if (one.at) lines.push(printable(`        at ${partingText(one.at)}`));
  }
  const left = different.length - MOST_TOLD + more;
  if (left > 0) lines.push(`    ... and ${left} more`);
  if (notCompared > 0) lines.push(`Not compared: ${notCompared}`);
  for (const reason of notComparedBecause) lines.push(printable(`    ${reason}`));
  return `${lines.join('\n')}\n`;
}

/** The report as JSON in several lines. */
export function againstJson(fields: AgainstFields): string {
  const lines = JSON.stringify(fields, null, 2).split('\n');
  return `${lines.map(printable).join('\n')}\n`;
}

/** The report in Markdown, as GitHub shows it. */
export function againstMarkdown(fields: AgainstFields): string {
  const { functions, different, more, notComparedBecause } = fields;
  const parts = [`## devnet: ${markdownText(againstLine(fields))}`];
  if (functions.length > 0) parts.push(table(HEAD, functions.map(cellsOf)));
  if (different.length > 0)
    parts.push(
      `### Where they differ\n\n${table(
        ['function', 'verdict', 'where', 'reason', 'opcode'],
        different.map((one) => [
          nameOf(one),
          one.verdict,
          placeInChain(one),
          one.reason ?? '',
          one.at ? partingText(one.at) : '',
        ]),
      )}${more > 0 ? `\n\n... and ${more} more` : ''}`,
    );
  if (notComparedBecause.length > 0)
    parts.push(
      `### Not compared\n\n${notComparedBecause.map((reason) => `- ${markdownText(reason)}`).join('\n')}`,
    );
  return `${parts.join('\n\n')}\n`;
}

/** The heads of the table by function. */
export const HEAD = ['function', 'verdict', 'count', 'gas now', 'gas then', 'change', 'gas limit', 'needs'];

/** A row of that table. */
export function cellsOf(row: Row): (string | number)[] {
  const { verdict, count, gasNow, gasThen, gasLimit, needs } = row;
  return [
    nameOf(row),
    verdict,
    count,
    gasNow.average,
    gasThen?.average ?? '',
    changeOf(gasNow, gasThen),
    rangeText(gasLimit),
    needs ?? '',
  ];
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

/** Which transaction or call it is. */
export function placeInChain({ in: within, block, hash, kind }: Compared): string {
  const place = `${hash ?? kind} in block ${block}`;
  return within === undefined ? place : `${place} of ${within}`;
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

function placeText({ contract, address, pc, opcode }: NamedPlace): string {
  return `${opcode}, pc ${pc} of ${contract === undefined ? address : `${contract} (${address})`}`;
}

function reasonOf({ reason, gasLimit, needs }: Compared): string {
  const enough = needs === undefined ? '' : `; needs ${needs}, has ${gasLimit}`;
  return `${reason === undefined ? '' : `: ${reason}`}${enough}`;
}

function changeOf(now: Range, then: Range | undefined): string {
  if (!then) return '';
  const share = Math.round((1000 * (then.average - now.average)) / Math.max(1, now.average)) / 10;
  return `${share > 0 ? '+' : ''}${share} %`;
}

const rangeText = ({ min, max }: Range): number | string => (min === max ? min : `${min} to ${max}`);

/** Whether some of the verdicts were found. */
export function hasVerdict({ verdicts }: AgainstFields, wanted: readonly Verdict[]): boolean {
  return wanted.some((verdict) => verdicts[verdict] > 0);
}
