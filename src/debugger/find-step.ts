import type { Execution } from './execution.ts';

/** The kinds of steps that can be searched for. */
export const STEP_KINDS = [
  'opcode',
  'line',
  'over',
  'out',
  'call',
  'revert',
  'sstore',
  'log',
  'breakpoint',
] as const;

export interface StepSearch {
  /** the step to start after (or before, if `back`) */
  readonly from: number;
  readonly kind: (typeof STEP_KINDS)[number];
  /** whether to search backwards */
  readonly back: boolean;
  /** the lines at which `breakpoint` stops: index in the list of files, and line number from 1 */
  readonly breakpoints: readonly { readonly file: number; readonly line: number }[];
}

/** The nearest step of a kind. @returns `undefined` if there is none */
export function findStep(execution: Execution, search: StepSearch): number | undefined {
  const { from, kind, back } = search;
  const { history, lines } = execution;
  const near = (steps: ArrayLike<number>) => nearest(steps, from, back);
  const nearOf = (steps: readonly number[]) => near([...new Set(steps)].sort((a, b) => a - b));
  switch (kind) {
    case 'opcode': {
      const next = back ? from - 1 : from + 1;
      return next >= 0 && next < execution.length ? next : undefined;
    }
    case 'line':
      return near(lines);
    case 'call':
      return near(execution.callStarts);
    case 'revert':
      return nearOf(
        history.messages
          .filter(({ error, last }) => error !== undefined && last >= 0)
          .map(({ last }) => last),
      );
    case 'sstore':
      return nearOf(history.writes.map(({ step }) => step));
    case 'log':
      return nearOf(history.logs.map(({ step }) => step));
    default:
      return nearestLine(execution, search, fitting(execution, search));
  }
}

/** Returns a predicate for first steps of lines that match the search. */
function fitting(execution: Execution, { from, kind, breakpoints }: StepSearch): (step: number) => boolean {
  if (kind === 'breakpoint') {
    const wanted = new Set(breakpoints.map(({ file, line }) => `${file}:${line}`));
    return (step) => {
      const place = execution.ownPlace(step);
      return place !== undefined && wanted.has(`${place.file}:${place.line}`);
    };
  }
  const { depth, index } = execution.callAt(from);
  if (kind === 'out') return (step) => execution.callAt(step).depth < depth;
  const here = execution.placeAt(from);
  return (step) => {
    const call = execution.callAt(step);
    if (call.depth !== depth || call.index !== index) return call.depth <= depth;
    const place = execution.ownPlace(step);
    return place?.line !== here?.line || place?.file !== here?.file;
  };
}

function nearestLine(
  { lines }: Execution,
  { from, back }: StepSearch,
  fits: (step: number) => boolean,
): number | undefined {
  const direction = back ? -1 : 1;
  for (
    let i = back ? placeOf(lines, from) - 1 : placeOf(lines, from + 1);
    i >= 0 && i < lines.length;
    i += direction
  )
    if (fits(lines[i]!)) return lines[i];
  return undefined;
}

function nearest(steps: ArrayLike<number>, from: number, back: boolean): number | undefined {
  return steps[back ? placeOf(steps, from) - 1 : placeOf(steps, from + 1)];
}

/** How many of `steps`, which are in ascending order, are less than `step`. */
export function placeOf(steps: ArrayLike<number>, step: number): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle]! < step) low = middle + 1;
    else high = middle;
  }
  return low;
}
