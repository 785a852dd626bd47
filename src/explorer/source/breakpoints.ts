import { useState } from 'preact/hooks';

/** A line at which the debugger stops. */
export interface Breakpoint {
  /** index in the list of the transaction's files */
  readonly file: number;
  /** line number, from 1 */
  readonly line: number;
}

/** The breakpoints, and a function that sets or removes one. */
export function useBreakpoints(): [readonly Breakpoint[], (file: number, line: number) => void] {
  const [list, setList] = useState<readonly Breakpoint[]>([]);
  const toggle = (file: number, line: number) =>
    setList((before) => {
      const others = before.filter((it) => it.file !== file || it.line !== line);
      return others.length < before.length ? others : [...before, { file, line }];
    });
  return [list, toggle];
}
