import type { AgainstFields, Compared, NamedDivergence } from '../against/tally.ts';
import { VERDICTS, type Verdict } from '../against/verdict.ts';
import {
  alike,
  comparedText,
  divergenceText,
  enoughText,
  functionTable,
  givenText,
  MEANINGS,
  nameOf,
  placeInChain,
  sourceText,
} from './against-words.ts';
import { escaped, grouped, htmlPage } from './html-page.ts';

/** CSS class of each verdict's colour. */
const TONES: Readonly<Record<Verdict, 'bad' | 'other' | 'more' | 'less' | 'same'>> = {
  'fails with any': 'bad',
  'fails with this limit': 'bad',
  'other result': 'other',
  'other logs': 'other',
  dearer: 'more',
  cheaper: 'less',
  same: 'same',
};

const STYLE = `
.bar{display:flex;gap:2px;height:.6rem;border-radius:.3rem;overflow:hidden;margin:1rem 0}.bar span{background:currentColor;min-width:3px}
dl{display:grid;grid-template-columns:max-content max-content 1fr;gap:.15rem .9rem;margin:1rem 0}dt{grid-column:1;font-weight:600}dd{margin:0;color:var(--soft)}
.v{font-weight:600;white-space:nowrap}thead th{white-space:nowrap}
article{border-left:3px solid;padding:.1rem 0 .1rem 1rem;margin:1.4rem 0}article>*{color:var(--text);margin:.3rem 0}article h3{font-size:1rem}
pre{overflow-x:auto;padding:.6rem .8rem;background:color-mix(in srgb,var(--line) 45%,transparent);border-radius:.3rem;font:13px/1.5 ui-monospace,monospace}
.where{color:var(--soft);font-size:.85rem}`;

/** Formats the report as a self-contained HTML page, without scripts or external files. */
export function againstHtml(fields: AgainstFields): string {
  const { against, functions, different, more, notCompared, notComparedBecause } = fields;
  const parts = [`<h1>Against ${escaped(against)}</h1>`, `<p>${escaped(comparedText(fields))}</p>`];
  parts.push(summaryOf(fields));
  const { head, rows } = functionTable(fields);
  if (functions.length > 0)
    parts.push(
      '<h2>By function</h2>',
      tableOf(
        head,
        rows.map(([name, , ...figures], i) => [
          `<td><code>${escaped(String(name))}</code></td>`,
          `<td>${toned(functions[i]!.verdict)}</td>`,
          ...figures.map(figure),
        ]),
      ),
    );
  if (different.length > 0)
    parts.push(
      '<h2>Where they differ</h2>',
      ...alike(different).map(differenceOf),
      more > 0 ? `<p>... and ${grouped(more)} more</p>` : '',
    );
  if (notCompared > 0)
    parts.push(
      `<h2>Not compared: ${grouped(notCompared)}</h2>`,
      `<ul>${notComparedBecause.map((reason) => `<li>${escaped(reason)}</li>`).join('')}</ul>`,
    );
  return htmlPage(`devnet against ${against}`, parts.filter((part) => part !== '').join('\n'), STYLE);
}

/** Formats the verdicts that occurred, as a bar and as a list with their meanings. */
function summaryOf({ verdicts }: AgainstFields): string {
  const found = VERDICTS.filter((verdict) => verdicts[verdict] > 0);
  if (found.length === 0) return '<p>There was nothing to compare.</p>';
  const bar = found.map((each) => `<span class="${TONES[each]}" style="flex:${verdicts[each]}"></span>`);
  const rows = found.map(
    (each) => `<dt>${toned(each)}</dt><dd>${grouped(verdicts[each])}</dd><dd>${MEANINGS[each]}</dd>`,
  );
  return `<div class="bar" aria-hidden="true">${bar.join('')}</div>\n<dl>${rows.join('\n')}</dl>`;
}

function differenceOf(one: Compared & { readonly times: number }): string {
  const why = `${one.reason ?? ''}${enoughText(one)}`;
  return [
    `<article class="${TONES[one.verdict]}">`,
    `<h3><code>${escaped(nameOf(one))}</code> ${toned(one.verdict)}</h3>`,
    why === '' ? '' : `<p>${escaped(why)}</p>`,
    one.at ? `<pre>${linesOf(one.at).join('\n')}</pre>` : '',
    `<p class="where">${escaped(placeInChain(one))}</p></article>`,
  ].join('');
}

/**
 * Formats where the executions diverge, with the line of source, and the call that passes too little gas with its line. Returns lines of
 * HTML.
 */
function linesOf(at: NamedDivergence): string[] {
  const [given, source, callers] = [givenText(at), sourceText(at), at.given && sourceText(at.given)];
  return [
    escaped(divergenceText(at)),
    ...(source === undefined ? [] : [`<b>${escaped(source)}</b>`]),
    ...(given === undefined ? [] : [escaped(given)]),
    ...(callers === undefined ? [] : [`<b>${escaped(callers)}</b>`]),
  ];
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const heads = head.map((text, i) => `<th${i < 2 ? '' : ' class="n"'}>${text}</th>`).join('');
  const lines = rows.map((row) => `<tr>${row.join('')}</tr>`);
  return `<div class="wide"><table><thead><tr>${heads}</tr></thead><tbody>\n${lines.join('\n')}\n</tbody></table></div>`;
}

const figure = (cell: string | number): string =>
  `<td class="n">${typeof cell === 'number' ? grouped(cell) : escaped(cell)}</td>`;

const toned = (verdict: Verdict): string => `<span class="v ${TONES[verdict]}">${verdict}</span>`;
