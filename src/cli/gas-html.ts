import type { FileGas, GasByLine } from '../coverage/gas-lines.ts';
import { escaped, grouped, htmlPage } from './html-page.ts';

const STYLE = `pre{margin:0;font:13px/1.45 ui-monospace,monospace}details{margin:.6rem 0}summary{cursor:pointer}
.source td{padding:0 .7rem;border:0}.source td.n{color:var(--soft)}.source tr.hot td{background:color-mix(in srgb,var(--bad) calc(var(--heat)*1%),transparent)}`;

/**
 * Formats the gas of all transactions beside the source, as an HTML page.
 * @param textOf returns the lines of a file
 */
export function gasHtml(gas: GasByLine, textOf: (file: string) => readonly string[]): string {
  const { transactions, gasUsed, rows, files } = gas;
  const most = Math.max(1, ...files.flatMap(({ lines }) => lines.map((line) => line.gas)));
  const table = [
    ...files.map(({ file, gas: used }) => [file, used] as const),
    ...rows.map(({ what, gas: used }) => [what, used] as const),
  ].map(
    ([name, used]) =>
      `<tr><td>${escaped(name)}</td><td class="n">${grouped(used)}</td><td class="n">${share(used, gasUsed)}</td></tr>`,
  );
  return htmlPage(
    'Gas by line',
    `<h1>Gas by line</h1>
<p>${grouped(transactions)} transactions used ${grouped(gasUsed)} gas.</p>
<div class="wide"><table><thead><tr><th>where</th><th class="n">gas</th><th class="n">share</th></tr></thead><tbody>
${table.join('\n')}
</tbody></table></div>
${files.map((file) => fileHtml(file, textOf(file.file), { most, gasUsed })).join('\n')}`,
    STYLE,
  );
}

function fileHtml(
  { file, gas, lines }: FileGas,
  text: readonly string[],
  { most, gasUsed }: { readonly most: number; readonly gasUsed: number },
): string {
  const byLine = new Map(lines.map((each) => [each.line, each]));
  const rows = text.map((source, i) => {
    const found = byLine.get(i + 1);
    const heat = found ? Math.round((40 * Math.max(0, found.gas)) / most) : 0;
    const figures = found
      ? [grouped(found.gas), share(found.gas, gasUsed), grouped(found.runs)]
      : ['', '', ''];
    const cells = [String(i + 1), ...figures].map((figure) => `<td class="n">${figure}</td>`).join('');
    return `<tr${heat > 0 ? ` class="hot" style="--heat:${heat}"` : ''}>${cells}<td><pre>${escaped(source)}</pre></td></tr>`;
  });
  return `<details><summary>${escaped(file)}: ${grouped(gas)}</summary><div class="wide"><table class="source">
<thead><tr><th class="n">line</th><th class="n">gas</th><th class="n">share</th><th class="n">runs</th><th>source</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div></details>`;
}

function share(gas: number, all: number): string {
  return `${((100 * gas) / (all || 1)).toFixed(2)} %`;
}
