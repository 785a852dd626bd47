import { useState } from 'preact/hooks';

/** A line at which the execution is to be shown. */
export interface Breakpoint {
  /** its place in the list of the transaction's files */
  readonly file: number;
  /** from 1 */
  readonly line: number;
}

/** The breakpoints, and a function that sets one or removes it. */
export function useBreakpoints(): [readonly Breakpoint[], (file: number, line: number) => void] {
  const [list, setList] = useState<readonly Breakpoint[]>([]);
  const toggle = (file: number, line: number) =>
    setList((before) => {
      const others = before.filter((it) => it.file !== file || it.line !== line);
      return others.length < before.length ? others : [...before, { file, line }];
    });
  return [list, toggle];
}
