import type { AgainstFields, Compared } from '../against/tally.ts';
import { VERDICTS, type Verdict } from '../against/verdict.ts';
import {
  againstLine,
  alike,
  functionTable,
  nameOf,
  partingText,
  placeInChain,
  sourceText,
} from './against-words.ts';
import { escaped, grouped, htmlPage } from './html-page.ts';

/** How a verdict is coloured. */
const TONES: Readonly<Record<Verdict, 'bad' | 'other' | 'more' | 'less' | 'same'>> = {
  'fails with any': 'bad',
  'fails with this limit': 'bad',
  'other result': 'other',
  'other logs': 'other',
  dearer: 'more',
  cheaper: 'less',
  same: 'same',
};

/** The report as a page of HTML that needs nothing else: no script, and nothing from anywhere. */
export function againstHtml(fields: AgainstFields): string {
  const { against, verdicts, functions, different, more, notComparedBecause } = fields;
  const found = VERDICTS.filter((verdict) => verdicts[verdict] > 0);
  const parts = [
    `<h1>Against ${escaped(against)}</h1>`,
    `<p>${escaped(againstLine(fields))}</p>`,
    found.length > 0
      ? `<p>${found.map((verdict) => `${toned(verdict)} ${grouped(verdicts[verdict])}`).join(' &middot; ')}</p>`
      : '',
  ];
  const { head, rows } = functionTable(fields);
  if (functions.length > 0)
    parts.push(
      '<h2>By function</h2>',
      tableOf(
        head,
        rows.map(([name, , ...figures], i) => [
          `<code>${escaped(String(name))}</code>`,
          toned(functions[i]!.verdict),
          ...figures.map(figure),
        ]),
      ),
    );
  if (different.length > 0)
    parts.push(
      '<h2>Where they differ</h2>',
      tableOf(['function', 'verdict', 'where', 'reason', 'opcode'], alike(different).map(differenceOf)),
      more > 0 ? `<p>... and ${grouped(more)} more</p>` : '',
    );
  if (notComparedBecause.length > 0)
    parts.push(
      '<h2>Not compared</h2>',
      `<ul>${notComparedBecause.map((reason) => `<li>${escaped(reason)}</li>`).join('')}</ul>`,
    );
  return htmlPage(`devnet against ${against}`, parts.filter((part) => part !== '').join('\n'));
}

function differenceOf(one: Compared & { readonly times: number }): string[] {
  const needs =
    one.needs === undefined || one.gasLimitThen !== undefined
      ? ''
      : ` (needs ${grouped(one.needs)}, has ${grouped(one.gasLimit)})`;
  return [
    `<code>${escaped(nameOf(one))}</code>`,
    toned(one.verdict),
    `<code>${escaped(placeInChain(one))}</code>`,
    `${escaped(one.reason ?? '')}${needs}`,
    one.at ? [partingText(one.at), sourceText(one.at)].filter(isText).map(codeOf).join('<br>') : '',
  ];
}

const isText = (text: string | undefined): text is string => text !== undefined;
const codeOf = (text: string): string => `<code>${escaped(text)}</code>`;

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const heads = head.map((text) => `<th>${text}</th>`).join('');
  const lines = rows.map((row) => `<tr>${row.map(cellOf).join('')}</tr>`);
  return `<div class="wide"><table><thead><tr>${heads}</tr></thead><tbody>\n${lines.join('\n')}\n</tbody></table></div>`;
}

const cellOf = (html: string): string =>
  /^[+-]?[\d,.]+(?: %| to [\d,]+)?$/.test(html) ? `<td class="n">${html}</td>` : `<td>${html}</td>`;

const figure = (cell: string | number): string =>
  typeof cell === 'number'
    ? grouped(cell)
    : escaped(cell.replaceAll(/\d{4,}/g, (digits) => grouped(Number(digits))));

const toned = (verdict: Verdict): string => `<span class="${TONES[verdict]}">${verdict}</span>`;
