import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { count } from '../format.ts';
import { Icon } from '../parts/icon.tsx';
import { findInLines } from './find-in-lines.ts';
import { LineText } from './line-text.tsx';
import { commentsOf, tokensOf } from './solidity.ts';

/** Height of a line in pixels, as in style/source.css. */
const LINE = 20;
/** Lines that are drawn above those in view, and as many below: scrolling is quicker than drawing. */
const AROUND = 12;
/** Lines of a file that are shown; the rest is left out. */
const MOST_LINES = 500_000;
/** Characters of a line that are shown; the rest is left out. */
const MOST_CHARACTERS = 2_000;

/** A source file with line numbers, breakpoints and a search. Only the lines in view are drawn, however long the file is. */
export function SourceView(props: {
  name: string;
  text: string;
  /** from 1: the line that runs, or that is looked at */
  line: number | undefined;
  /** from 1: the line that failed */
  failing: number | undefined;
  /** the line is scrolled into view whenever this changes */
  shown: unknown;
  breakpoints: ReadonlySet<number>;
  onBreakpoint: (line: number) => void;
}) {
  const { name, text, line, failing, shown, breakpoints, onBreakpoint } = props;
  const lines = useMemo(() => text.split(/\r?\n/, MOST_LINES), [text]);
  const comments = useMemo(() => commentsOf(lines), [lines]);
  const box = useRef<HTMLDivElement>(null);
  /** pixels above the view */
  const [top, setTop] = useState(0);
  const [term, setTerm] = useState('');
  /** the match that is shown, as its place among all of them */
  const [at, setAt] = useState(0);
  const found = useMemo(() => findInLines(lines, term), [lines, term]);
  const scrollTo = (wanted: number) => {
    const { current } = box;
    if (!current) return;
    const y = (wanted - 1) * LINE;
    // The lower part of the view may be below the end of the window.
    const below = innerHeight - Math.max(0, current.getBoundingClientRect().top);
    const height = Math.max(5 * LINE, Math.min(current.clientHeight, below));
    if (y < current.scrollTop + LINE || y > current.scrollTop + height - 3 * LINE)
      current.scrollTop = Math.max(0, y - height / 3);
    setTop(current.scrollTop);
  };
  useEffect(() => {
    if (line) scrollTo(line);
  }, [text, line, shown]);
  // The first match is shown while the term is typed.
  useEffect(() => {
    setAt(0);
    if (found[0]) scrollTo(found[0].line);
  }, [found]);
  const goTo = (i: number) => {
    if (found.length === 0) return;
    const next = (i + found.length) % found.length;
    setAt(next);
    scrollTo(found[next]!.line);
  };
  const first = Math.max(0, Math.floor(top / LINE) - AROUND);
  const last = Math.min(
    lines.length,
    first + Math.ceil((box.current?.clientHeight ?? 480) / LINE) + 2 * AROUND,
  );
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
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div
        class="source"
        role="group"
        aria-label={`Source of ${name}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        tabIndex={0}
        ref={box}
        onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      >
        {/* The last line can be scrolled up to where others are shown. */}
        <div class="lines" style={{ height: `calc(${lines.length * LINE}px + 30vh)` }}>
          {lines.slice(first, last).map((content, i) => {
            const number = first + i + 1;
            const marks = found.length > 0 ? found.filter((it) => it.line === number) : [];
            return (
              <div
                key={number}
                class={`line${number === failing ? ' failing' : ''}${number === line ? ' current' : ''}`}
                aria-current={number === line ? 'true' : undefined}
                style={{ top: `${(number - 1) * LINE}px` }}
              >
                <button
                  type="button"
                  tabIndex={-1}
                  class="number"
                  aria-pressed={breakpoints.has(number)}
                  aria-label={`breakpoint at line ${number}`}
                  onClick={() => onBreakpoint(number)}
                >
                  {number}
                </button>
                <code>
                  <LineText
                    tokens={tokensOf(content.slice(0, MOST_CHARACTERS), comments[number - 1]!)}
                    marks={marks}
                    length={term.length}
                  />
                  {content.length > MOST_CHARACTERS && '…'}
                </code>
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}
