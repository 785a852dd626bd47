import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { IstanbulFile } from '../coverage/istanbul.ts';

/** The parts of Istanbul's packages that are used. */
interface IstanbulReports {
  create(name: 'html', options: object): { execute(context: unknown): void };
}
interface IstanbulReport {
  createContext(options: { dir: string; coverageMap: unknown }): unknown;
}
interface IstanbulCoverage {
  createCoverageMap(files: Readonly<Record<string, IstanbulFile>>): unknown;
}

/**
 * Writes an HTML coverage page for each file, with the project's package `istanbul-reports`. It isn't installed with devnet: most projects
 * that use a test runner's coverage have it.
 * @param root the project's folder
 * @returns whether the project has the package
 */
export function writeCoverageHtml(
  files: Readonly<Record<string, IstanbulFile>>,
  dir: string,
  root: string,
): boolean {
  const found = [join(root, 'package.json'), import.meta.url].flatMap((from) => {
    try {
      return [createRequire(from).resolve('istanbul-reports')];
    } catch {
      return [];
    }
  })[0];
  if (found === undefined) return false;
  const require = createRequire(found);
  const reports = require(found) as IstanbulReports;
  const reportPath = require.resolve('istanbul-lib-report');
  const report = require(reportPath) as IstanbulReport;
  const coverage = createRequire(reportPath)('istanbul-lib-coverage') as IstanbulCoverage;
  const coverageMap = coverage.createCoverageMap(files);
  reports.create('html', { skipEmpty: false }).execute(report.createContext({ dir, coverageMap }));
  return true;
}
