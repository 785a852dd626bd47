import { Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { count } from '../format.ts';
import { Icon } from '../parts/icon.tsx';
import { openEditor, revealLine, revealMatch } from './editor.ts';
import { findIn } from './find.ts';
import { marksOf, offsetOf, setMarks } from './line-marks.ts';

/** A source file in a read-only editor, with line numbers, breakpoints and a search. */
export function SourceView(props: {
  name: string;
  text: string;
  /** number of the current line, from 1 */
  line: number | undefined;
  /** number of the failed line, from 1 */
  failing: number | undefined;
  /** whenever this value changes, the current line is scrolled into view */
  shown: unknown;
  breakpoints: ReadonlySet<number>;
  onBreakpoint: (line: number) => void;
}) {
  const { name, text, line, failing, shown, breakpoints, onBreakpoint } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const toggle = useRef(onBreakpoint);
  toggle.current = onBreakpoint;
  const doc = useMemo(() => Text.of(text.split(/\r?\n/)), [text]);
  const [term, setTerm] = useState('');
  /** index of the match that is shown */
  const [at, setAt] = useState(0);
  const found = useMemo(() => findIn(doc, term), [doc, term]);

  const marks = useMemo(
    () => ({ line, failing, breakpoints, found }),
    [line, failing, [...breakpoints].join(), found],
  );
  /** what the editor was opened with, or was shown last */
  const revealed = useRef({ line, shown });

  useLayoutEffect(() => {
    const toggleAt = (number: number) => toggle.current(number);
    const view = openEditor(host.current!, { name, doc, marks, onBreakpoint: toggleAt });
    editor.current = view;
    return () => view.destroy();
  }, []);
  useLayoutEffect(() => {
    const view = editor.current!;
    if (marksOf(view) !== marks) view.dispatch({ effects: setMarks.of(marks) });
  }, [marks]);
  useLayoutEffect(() => {
    const before = revealed.current;
    if (before.line === line && before.shown === shown) return;
    revealed.current = { line, shown };
    const offset = offsetOf(doc, line);
    if (offset !== undefined) revealLine(editor.current!, offset);
  }, [line, shown]);
  // Scrolls to the first match while the term is being typed.
  useEffect(() => {
    setAt(0);
    if (found[0]) revealMatch(editor.current!, found[0]);
  }, [found]);
  const goTo = (i: number) => {
    if (found.length === 0) return;
    const next = (i + found.length) % found.length;
    setAt(next);
    revealMatch(editor.current!, found[next]!);
  };
  return (
    <>
      <div class="row source-head">
        <span class="mono file-name">{name}</span>
        <form
          class="row end"
          onSubmit={(event) => {
            event.preventDefault();
            goTo(at + 1);
          }}
        >
          <input
            aria-label="Search in the source"
            placeholder="Search in the source"
            value={term}
            onInput={({ currentTarget }) => setTerm(currentTarget.value)}
          />
          <span class="dim small" role="status">
            {term && `${found.length === 0 ? 'none' : `${at + 1} of ${count(found.length)}`}`}
          </span>
          <button type="button" class="icon" disabled={found.length === 0} onClick={() => goTo(at - 1)}>
            <Icon name="down" class="up" />
            <span class="sr">previous match</span>
          </button>
          <button type="submit" class="icon" disabled={found.length === 0}>
            <Icon name="down" />
            <span class="sr">next match</span>
          </button>
        </form>
      </div>
      <div class="source" ref={host} />
    </>
  );
}
