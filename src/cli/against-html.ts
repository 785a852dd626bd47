import type { AgainstFields, Compared } from '../against/tally.ts';
import { VERDICTS, type Verdict } from '../against/verdict.ts';
import { printable } from '../log/printable.ts';
import {
  againstLine,
  alike,
  functionTable,
  nameOf,
  partingText,
  placeInChain,
  sourceText,
} from './against-words.ts';

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

const STYLE = `:root{color-scheme:light dark;--text:#1c1e21;--soft:#5d6570;--back:#fff;--line:#dfe3e8;--bad:#b3261e;--other:#8a5300;--more:#6b5a00;--less:#1a7340;--same:#5d6570}
@media(prefers-color-scheme:dark){:root{--text:#e6e8eb;--soft:#9aa3ad;--back:#15181c;--line:#2d333a;--bad:#ff8a80;--other:#ffb95c;--more:#e0cf6b;--less:#7ed6a0;--same:#9aa3ad}}
body{margin:2rem auto;max-width:76rem;padding:0 1rem;background:var(--back);color:var(--text);font:15px/1.5 system-ui,sans-serif}
h1{font-size:1.3rem}h2{font-size:1.05rem;margin-top:2rem}p{color:var(--soft)}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{padding:.35rem .7rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{color:var(--soft);font-weight:500}.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}code{font:13px ui-monospace,monospace;overflow-wrap:anywhere}
.bad{color:var(--bad)}.other{color:var(--other)}.more{color:var(--more)}.less{color:var(--less)}.same{color:var(--same)}`;

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
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>devnet against ${escaped(against)}</title><style>${STYLE}</style></head>
<body>
${parts.filter((part) => part !== '').join('\n')}
</body></html>
`;
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
  /^[+-]?[\d,.]+(?: %)?$/.test(html) ? `<td class="n">${html}</td>` : `<td>${html}</td>`;

const figure = (cell: string | number): string => (typeof cell === 'number' ? grouped(cell) : escaped(cell));

const toned = (verdict: Verdict): string => `<span class="${TONES[verdict]}">${verdict}</span>`;

const grouped = (value: number): string => String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

/** A text from the chain, of which nothing is taken as HTML. */
function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return printable(text).replace(/[&<>"']/g, (char) => entities[char]!);
}
