import { functionName } from './istanbul.ts';
import type { FileCounts } from './source-counts.ts';
import { linesOf } from './summary.ts';

/** The coverage of files in lcov's tracefile format, see geninfo(1). */
export function lcovOf(files: readonly FileCounts[]): string {
  return files.map((file) => `${recordsOf(file).join('\n')}\n`).join('');
}

function recordsOf(file: FileCounts): string[] {
  const { name, parts, statements, functions, branches } = file;
  const lineOf = (start: number) => parts.file.positionOf(start).line;
  const records = ['TN:', `SF:${oneLine(name)}`];
  for (const [i, each] of parts.functions.entries()) {
    // Names must be unique here: overloads get a suffix.
    const full = `${oneLine(functionName(each))}${isOverload(file, i) ? `.${i}` : ''}`;
    records.push(`FN:${lineOf(each.start)},${full}`, `FNDA:${functions[i]},${full}`);
  }
  records.push(`FNF:${functions.length}`, `FNH:${functions.filter((runs) => runs > 0).length}`);
  let found = 0;
  let hit = 0;
  for (const [i, { start, statement }] of parts.branches.entries())
    for (const [path, runs] of branches[i]!.entries()) {
      if (runs === undefined) continue;
      found++;
      if (runs > 0) hit++;
      // `-` means that the branch's statement never ran.
      const taken = statements[statement] === 0 ? '-' : String(runs);
      records.push(`BRDA:${lineOf(start)},${i},${path},${taken}`);
    }
  records.push(`BRF:${found}`, `BRH:${hit}`);
  const lines = linesOf(file);
  for (const [line, runs] of lines) records.push(`DA:${line},${runs}`);
  records.push(
    `LF:${lines.size}`,
    `LH:${[...lines.values()].filter((runs) => runs > 0).length}`,
    'end_of_record',
  );
  return records;
}

function isOverload({ parts }: FileCounts, index: number): boolean {
  const name = functionName(parts.functions[index]!);
  return parts.functions.some((each, i) => i !== index && functionName(each) === name);
}

/** Removes line breaks from a name, because names come from files that a user wrote. */
function oneLine(name: string): string {
  return name.replace(/[\r\n]/g, ' ');
}
