import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { count } from '../format.ts';
import { Icon } from '../parts/icon.tsx';
import { findInLines } from './find-in-lines.ts';
import { LineText } from './line-text.tsx';
import { commentsOf, tokensOf } from './solidity.ts';

/** Height of a line in pixels; must equal the height in style/source.css. */
const LINE = 20;
/** Number of lines rendered above and below the visible ones, because scrolling is quicker than rendering. */
const AROUND = 12;
/** Limit of the lines of a file that are shown. */
const MAX_LINES = 500_000;
/** Limit of the characters of a line that are shown. */
const MAX_CHARACTERS = 2_000;

/** A source file with line numbers, breakpoints and a search. Only lines near the visible part are rendered, however long the file is. */
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
  const lines = useMemo(() => text.split(/\r?\n/, MAX_LINES), [text]);
  const comments = useMemo(() => commentsOf(lines), [lines]);
  const box = useRef<HTMLDivElement>(null);
  /** scroll position in pixels */
  const [top, setTop] = useState(0);
  const [term, setTerm] = useState('');
  /** index of the match that is shown */
  const [at, setAt] = useState(0);
  const found = useMemo(() => findInLines(lines, term), [lines, term]);
  const scrollTo = (wanted: number) => {
    const { current } = box;
    if (!current) return;
    const y = (wanted - 1) * LINE;
    // The lower part of the view may be below the window's bottom edge.
    const below = innerHeight - Math.max(0, current.getBoundingClientRect().top);
    const height = Math.max(5 * LINE, Math.min(current.clientHeight, below));
    if (y < current.scrollTop + LINE || y > current.scrollTop + height - 3 * LINE)
      current.scrollTop = Math.max(0, y - height / 3);
    setTop(current.scrollTop);
  };
  useEffect(() => {
    if (line) scrollTo(line);
  }, [text, line, shown]);
  // Scrolls to the first match while the term is being typed.
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by the keyboard
        tabIndex={0}
        ref={box}
        onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      >
        {/* The extra height lets the last line scroll up into the upper part of the view. */}
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
                    tokens={tokensOf(content.slice(0, MAX_CHARACTERS), comments[number - 1]!)}
                    marks={marks}
                    length={term.length}
                  />
                  {content.length > MAX_CHARACTERS && '…'}
                </code>
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}
