import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { CountedNode, mergeProfiles, PROFILE_CALLS, PROFILE_FOLDER } from '../coverage/counted-node.ts';
import { ownSources, projectFolder } from '../coverage/covered-files.ts';
import { type ContractOf, FunctionNames } from '../coverage/gas-functions.ts';
import { gasByLine } from '../coverage/gas-lines.ts';
import { type IstanbulFile, istanbulFile } from '../coverage/istanbul.ts';
import { lcovOf } from '../coverage/lcov.ts';
import { Profile } from '../coverage/profile.ts';
import { countSources, type SourceCounts } from '../coverage/source-counts.ts';
import { speedscopeOf } from '../coverage/speedscope.ts';
import { summaryOf } from '../coverage/summary.ts';
import { printable } from '../log/printable.ts';
import { BuildFolder } from '../sources/build-folder.ts';
import { writeCoverageHtml } from './coverage-html.ts';
import { coverageTable } from './coverage-table.ts';
import { compareGas, comparisonLines } from './gas-comparison.ts';
import { gasHtml } from './gas-html.ts';
import type { GasFigures, ProfileOptions } from './profile-options.ts';
import { countOf, gasTable } from './report.ts';

/** The result of counting. */
export interface ProfileResult {
  /** lines to print */
  readonly lines: readonly string[];
  /** with `--gas` */
  readonly figures: GasFigures | undefined;
  /** whether a function uses more gas than in the baseline */
  readonly fails: boolean;
}

/** Counts what the chain of `devnet run` executes, and what the chains started by its command execute, and writes the reports. */
export class RunProfile {
  readonly #options: ProfileOptions;
  readonly #artifacts: string | undefined;
  /** folder where all nodes write their counts */
  readonly #folder: string;
  readonly #node: CountedNode;

  /** @param artifacts folder of compiled contracts @throws Error when the reports can't be written to their folder */
  constructor(options: ProfileOptions, artifacts: string | undefined) {
    // Checked before the command runs, which may take long: otherwise its counts would be lost.
    makeFolder(options.folder);
    this.#options = options;
    this.#artifacts = artifacts;
    this.#folder = mkdtempSync(join(tmpdir(), 'devnet-profile-'));
    this.#node = new CountedNode(this.#folder, { calls: options.calls });
  }

  /** Returns hooks for the node, which also call the given ones. */
  hooks: CountedNode['hooks'] = (given) => this.#node.hooks(given);

  /** Environment variables for the command, so that nodes in its processes count, too. */
  get env(): Readonly<Record<string, string>> {
    return { [PROFILE_FOLDER]: this.#folder, ...(this.#options.calls && { [PROFILE_CALLS]: '1' }) };
  }

  settle(): Promise<void> {
    return this.#node.settle();
  }

  /** Must be called if {@link report} isn't. */
  discard(): void {
    this.#node.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /**
   * Writes the reports. All nodes must have ended.
   * @param contractOf returns contracts that no build info has
   * @param width of the terminal in columns, for tables; `undefined`: not limited
   */
  async report(contractOf: ContractOf, width: number | undefined): Promise<ProfileResult> {
    const profile = new Profile();
    this.#node.end();
    const unread = mergeProfiles(this.#folder, profile);
    rmSync(this.#folder, { recursive: true, force: true });
    const compilations = await new BuildFolder({ folder: this.#artifacts }).read();
    const { exclude, folder, coverage, gas } = this.#options;
    const isOwn = ownSources({ artifacts: this.#artifacts, exclude });
    const sources = countSources(profile, compilations, isOwn);
    makeFolder(folder);
    const lines: string[] = [];
    if (profile.missed > 0)
      lines.push(
        `${countOf(profile.missed, 'transaction')} could not be counted: ${profile.missedReason ?? 'unknown'}`,
      );
    if (unread > 0)
      lines.push(
        `What ${countOf(unread, 'node')} ran is missing: the process ended before the node was closed`,
      );
    if (profile.codes.size === 0 && profile.totals.transactions === 0 && profile.missed === 0)
      lines.push(NOTHING);
    else if (compilations.length > 0 && profile.codes.size > 0 && sources.contracts.size === 0)
      lines.push(OTHER_BUILD);
    if (coverage) {
      if (compilations.length === 0) lines.push(NO_BUILD);
      lines.push(...this.#writeCoverage(sources, isOwn, width));
      if (compilations.length > 0 && !sources.files.some(({ name }) => isOwn(name)))
        lines.push(
          `    No source of the build info counts: it is a package or a test, or doesn't lie in ${projectFolder(this.#artifacts)}`,
        );
    }
    if (!gas) return { lines: lines.map(printable), figures: undefined, fails: false };
    const {
      lines: told,
      figures,
      fails,
    } = await this.#writeGas(profile, sources, {
      contractOf,
      width,
    });
    return { lines: [...lines, ...told].map(printable), figures, fails };
  }

  #writeCoverage(
    { files }: SourceCounts,
    isOwn: (name: string) => boolean,
    width: number | undefined,
  ): string[] {
    const { folder } = this.#options;
    const root = projectFolder(this.#artifacts);
    const own = files.filter(({ name }) => isOwn(name));
    const istanbul: Record<string, IstanbulFile> = {};
    for (const each of own) {
      const path = resolve(root, each.name);
      istanbul[path] = istanbulFile(each, path);
    }
    writeFileSync(join(folder, 'lcov.info'), lcovOf(own));
    writeFileSync(join(folder, 'coverage-final.json'), `${JSON.stringify(istanbul)}\n`);
    const hasPages = writeCoverageHtml(istanbul, folder, root);
    const written = [join(folder, 'lcov.info'), ...(hasPages ? [join(folder, 'index.html')] : [])];
    return [
      'Coverage:',
      ...coverageTable(own.map(summaryOf), width),
      `    written: ${written.join(', ')}`,
      ...(hasPages ? [] : [NO_PAGES]),
    ];
  }

  async #writeGas(
    profile: Profile,
    sources: SourceCounts,
    { contractOf, width }: { readonly contractOf: ContractOf; readonly width: number | undefined },
  ) {
    const { folder, baseline, tolerance } = this.#options;
    const names = await FunctionNames.of(profile, sources, contractOf);
    const figures = { functions: names.functions(true), calledFunctions: names.functions(false) };
    const byLine = gasByLine(profile, sources, (code) => names.contractOf(code));
    const texts = new Map(sources.files.map(({ name, parts }) => [name, parts.file]));
    writeFileSync(join(folder, 'gas.json'), `${JSON.stringify({ ...figures, ...byLine }, null, 2)}\n`);
    writeFileSync(
      join(folder, 'gas.html'),
      gasHtml(byLine, (name) => {
        const file = texts.get(name)!;
        return Array.from({ length: file.lineCount }, (_, i) => file.lineText(i + 1));
      }),
    );
    writeFileSync(join(folder, 'gas.speedscope.json'), speedscopeOf(profile, names));
    const lines: string[] = [];
    if (figures.functions.length > 0)
      lines.push('Gas by function (of the whole transaction):', ...gasTable(figures.functions, width));
    if (figures.calledFunctions.length > 0)
      lines.push('Gas of functions that contracts call:', ...gasTable(figures.calledFunctions, width));
    lines.push(`    written: ${GAS_FILES.map((name) => join(folder, name)).join(', ')}`);
    if (!baseline) return { lines, figures, fails: false };
    const comparison = compareGas(baseline.figures, figures, tolerance);
    lines.push(...comparisonLines(comparison, { file: baseline.file, tolerance }));
    return { lines, figures, fails: comparison.regressions.length > 0 };
  }
}

const GAS_FILES = ['gas.json', 'gas.html', 'gas.speedscope.json'];
const NO_BUILD =
  'No build info was found: coverage needs that of Hardhat or Foundry in artifacts or out, or in the folder of --artifacts';
const NOTHING =
  'No transaction was counted: the command sent none to the node at DEVNET_URL. With Hardhat, name a network that has this URL, as in: npx hardhat test --network devnet';
const OTHER_BUILD =
  'No contract that ran is in the build info: compile the contracts again, or name the folder of their build info by --artifacts';
const NO_PAGES =
  '    no HTML: for that install istanbul-reports in the project (npm install --save-dev istanbul-reports)';

/**
 * Creates a folder and those above it. One by one, because Node's own recursive `mkdir` never returns in a file system like /proc.
 * @throws Error when nothing can be written there
 */
function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let path = resolve(folder); !existsSync(path); path = dirname(path)) missing.unshift(path);
  try {
    for (const path of missing) mkdirSync(path);
    // The dot makes it fail for a file.
    accessSync(`${folder}/.`, constants.W_OK);
  } catch (error) {
    throw new Error(`--coverage-dir: can't be written (${(error as Error).message})`);
  }
}
