import { appendFileSync, writeFileSync } from 'node:fs';
import type { AgainstFields } from '../against/tally.ts';
import { VERDICTS, type Verdict, verdictNamed } from '../against/verdict.ts';
import type { Output } from '../log/colors.ts';
import { printable } from '../log/printable.ts';
import { suggestion } from '../nearest.ts';
import { OptionError } from '../options/options.ts';
import { hardfork } from '../options/value-types.ts';
import type { HardforkName } from '../protocol/hardfork.ts';
import { againstFormatOf, againstMarkdown, againstText, hasVerdict } from './against-report.ts';
import { againstLine } from './against-words.ts';

/** The verdicts as `--fail-on` accepts them: with hyphens instead of spaces, which a shell would split. */
const NAMES = VERDICTS.map((verdict) => verdict.replaceAll(' ', '-'));

/** Flags of the commands that compare, in commander's syntax -> help texts. */
export const AGAINST_FLAGS = {
  '--against <hardfork>':
    'run each transaction by the rules of another hardfork besides, and report at the end what differs',
  '--against-report <file>':
    'write that report to a file that ends in .txt, .json, .md or .html instead of stdout; may be repeated',
  '--fail-on <verdicts>': `fail where one of these is found, separated by commas: ${NAMES.join(', ')}`,
} as const;

/** For completions. */
export const AGAINST_VALUES = { '--against <hardfork>': hardfork.values ?? [] };
export const AGAINST_REPEATED = ['--against-report <file>'];

/** The flags as parsed by commander. */
export interface AgainstAsked {
  readonly against?: string;
  readonly againstCalls?: boolean;
  readonly againstReport?: readonly string[];
  readonly failOn?: string;
}

/** The validated options. */
export interface AgainstOptions {
  readonly fork: HardforkName;
  /** whether calls are compared, too */
  readonly calls: boolean;
  readonly files: readonly string[];
  readonly failOn: readonly Verdict[];
}

/** @returns `undefined` if nothing is to be compared. @throws OptionError; Error for a flag without `--against` */
export function readAgainst(asked: AgainstAsked): AgainstOptions | undefined {
  const { against, againstCalls: calls = false, againstReport: files = [], failOn } = asked;
  if (against === undefined) {
    const [without] = Object.entries({
      '--against-calls': calls || undefined,
      '--against-report': asked.againstReport,
      '--fail-on': failOn,
    }).find(([, value]) => value !== undefined) ?? [undefined];
    if (without !== undefined) throw new Error(`${without} needs --against`);
    return undefined;
  }
  const fork = hardfork.read(against as HardforkName);
  const { expected, values = [] } = hardfork;
  if (!fork) throw new OptionError('--against', `${expected}${suggestion(against, values)}`, against);
  for (const file of files) againstFormatOf(file);
  const wanted = failOn === undefined ? [] : failOn.split(',');
  return {
    ...{ fork, calls, files },
    failOn: wanted.map((name) => {
      const verdict = verdictNamed(name);
      if (verdict) return verdict;
      throw new OptionError('--fail-on', `${NAMES.join(', ')}${suggestion(name, NAMES)}`, name);
    }),
  };
}

/**
 * Writes the report to the given files, or else to stdout.
 * @param to.json whether stdout gets only one line of JSON: `{"against": {...}}`
 * @param to.jobSummary a file to which the report is appended as Markdown, for GitHub's job summary
 * @returns whether a verdict occurred for which the command has to fail
 */
export function tellAgainst(
  fields: AgainstFields,
  { files, failOn }: AgainstOptions,
  to: {
    readonly stdout: Pick<Output, 'write'>;
    readonly jobSummary?: string | undefined;
    readonly json?: boolean | undefined;
  },
): boolean {
  if (to.json) to.stdout.write(`${printable(JSON.stringify({ against: fields }))}\n`);
  else if (files.length === 0) to.stdout.write(againstText(fields));
  else to.stdout.write(`${againstLine(fields)}\n`);
  for (const file of files) writeFileSync(file, againstFormatOf(file)(fields));
  if (to.jobSummary) appendFileSync(to.jobSummary, againstMarkdown(fields));
  return hasVerdict(fields, failOn);
}
