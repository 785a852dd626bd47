import type { AgainstFields, Compared } from '../against/tally.ts';
import type { Verdict } from '../against/verdict.ts';
import { printable } from '../log/printable.ts';
import { againstHtml } from './against-html.ts';
import {
  againstLine,
  alike,
  divergenceText,
  enoughText,
  functionTable,
  givenText,
  nameOf,
  placeInChain,
  sourceText,
} from './against-words.ts';
import { grouped } from './html-page.ts';
import { markdownText, table, textTable } from './report.ts';

/** Maximum number of differences listed individually in the report as text. */
const MAX_TOLD = 50;

/** The formats of a report, by file extension. */
const FORMATS: Readonly<Record<string, (fields: AgainstFields) => string>> = {
  '.txt': againstText,
  '.json': againstJson,
  '.md': againstMarkdown,
  '.html': againstHtml,
};

/** Returns the function that formats a report for a file of this name. @throws Error for an unknown extension */
export function againstFormatOf(path: string): (fields: AgainstFields) => string {
  const format = Object.entries(FORMATS).find(([ending]) => path.toLowerCase().endsWith(ending));
  if (!format)
    throw new Error(
      `--against-report: expected a file ending in ${Object.keys(FORMATS).join(', ')}, got ${path}`,
    );
  return format[1];
}

/** Formats the report as text. */
export function againstText(fields: AgainstFields): string {
  const { functions, different, more, notCompared, notComparedBecause } = fields;
  const lines = [againstLine(fields)];
  const { head, rows } = functionTable(fields);
  if (functions.length > 0) lines.push(...textTable(head, rows, grouped));
  if (different.length > 0) lines.push('Where they differ:');
  const told = alike(different);
  for (const one of told.slice(0, MAX_TOLD)) {
    lines.push(printable(`    ${one.verdict}: ${nameOf(one)}, ${placeInChain(one)}${reasonOf(one)}`));
    const { at } = one;
    if (!at) continue;
    const given = givenText(at);
    const [source, callers] = [sourceText(at), at.given && sourceText(at.given)];
    lines.push(printable(`        at ${divergenceText(at)}`));
    if (source !== undefined) lines.push(printable(`            ${source}`));
    if (given !== undefined) lines.push(printable(`        ${given}`));
    if (callers !== undefined) lines.push(printable(`            ${callers}`));
  }
  const left = told.slice(MAX_TOLD).reduce((sum, { times }) => sum + times, more);
  if (left > 0) lines.push(`    ... and ${left} more`);
  if (notCompared > 0) lines.push(`Not compared: ${notCompared}`);
  for (const reason of notComparedBecause) lines.push(printable(`    ${reason}`));
  return `${lines.join('\n')}\n`;
}

/** Formats the report as JSON on several lines. */
export function againstJson(fields: AgainstFields): string {
  const lines = JSON.stringify(fields, null, 2).split('\n');
  return `${lines.map(printable).join('\n')}\n`;
}

/** Formats the report as Markdown for GitHub. */
export function againstMarkdown(fields: AgainstFields): string {
  const { functions, different, more, notComparedBecause } = fields;
  const parts = [`## devnet: ${markdownText(againstLine(fields))}`];
  const { head, rows } = functionTable(fields);
  if (functions.length > 0) parts.push(table(head, rows));
  if (different.length > 0)
    parts.push(
      `### Where they differ\n\n${table(
        ['function', 'verdict', 'where', 'reason', 'opcode'],
        alike(different).map((one) => [
          nameOf(one),
          one.verdict,
          placeInChain(one),
          `${one.reason ?? ''}${enoughText(one)}`,
          one.at
            ? [
                divergenceText(one.at),
                sourceText(one.at),
                givenText(one.at),
                one.at.given && sourceText(one.at.given),
              ]
                .filter(Boolean)
                .join('; ')
            : '',
        ]),
      )}${more > 0 ? `\n\n... and ${more} more` : ''}`,
    );
  if (notComparedBecause.length > 0)
    parts.push(
      `### Not compared\n\n${notComparedBecause.map((reason) => `- ${markdownText(reason)}`).join('\n')}`,
    );
  return `${parts.join('\n\n')}\n`;
}

function reasonOf(one: Compared): string {
  return `${one.reason === undefined ? '' : `: ${one.reason}`}${enoughText(one)}`;
}

/** Whether any of the given verdicts occurred. */
export function hasVerdict({ verdicts }: AgainstFields, wanted: readonly Verdict[]): boolean {
  return wanted.some((verdict) => verdicts[verdict] > 0);
}
