import { type Range, StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, EditorView, GutterMarker, gutter } from '@codemirror/view';

/** What is marked in a source file. Lines are numbers from 1. */
export interface Marks {
  /** the line that runs at the shown step */
  readonly line: number | undefined;
  /** the line that failed */
  readonly failing: number | undefined;
  readonly breakpoints: ReadonlySet<number>;
  /** the matches of the search, in order */
  readonly found: readonly Found[];
}

/** A match of the search, as offsets in the file. */
export interface Found {
  readonly from: number;
  readonly to: number;
}

/** Changes the marks of an editor. */
export const setMarks = StateEffect.define<Marks>();

const field = StateField.define<Marks>({
  create: () => ({ line: undefined, failing: undefined, breakpoints: new Set(), found: [] }),
  update: (marks, { effects }) => effects.find((it) => it.is(setMarks))?.value ?? marks,
});

/** The marks that an editor shows. */
export function marksOf({ state }: EditorView): Marks {
  return state.field(field);
}

const FAILING = Decoration.line({ class: 'failing' });
const CURRENT = Decoration.line({ class: 'current', attributes: { 'aria-current': 'true' } });
const FOUND = Decoration.mark({ tagName: 'mark' });

/** The offset at which a line begins; `undefined` if the file is shorter. @param line number from 1 */
export function offsetOf(doc: Text, line: number | undefined): number | undefined {
  return line !== undefined && line >= 1 && line <= doc.lines ? doc.line(line).from : undefined;
}

/**
 * Extension that shows marks: the lines, the matches, and line numbers, which set and remove breakpoints.
 * @param onBreakpoint sets or removes the breakpoint of a line
 */
export function lineMarks(marks: Marks, onBreakpoint: (line: number) => void) {
  return [
    field.init(() => marks),
    EditorView.decorations.compute([field], (state) => {
      const { doc } = state;
      const { line, failing } = state.field(field);
      const list: Range<Decoration>[] = [];
      for (const [mark, at] of [
        [FAILING, offsetOf(doc, failing)],
        [CURRENT, offsetOf(doc, line)],
      ] as const)
        if (at !== undefined) list.push(mark.range(at));
      return Decoration.set(list, true);
    }),
    EditorView.decorations.compute([field], (state) =>
      Decoration.set(state.field(field).found.map(({ from, to }) => FOUND.range(from, to))),
    ),
    gutter({
      lineMarker: ({ state }, { from }) => new LineNumber(state.doc.lineAt(from).number, state.field(field)),
      lineMarkerChange: ({ startState, state }) => startState.field(field) !== state.field(field),
      // As wide as the largest number.
      initialSpacer: ({ state }) => new LineNumber(state.doc.lines, state.field(field)),
      domEventHandlers: {
        click: ({ state }, { from }) => {
          onBreakpoint(state.doc.lineAt(from).number);
          return true;
        },
      },
    }),
  ];
}

/** A line's number, a button that sets or removes its breakpoint. */
class LineNumber extends GutterMarker {
  readonly #number: number;
  readonly #isSet: boolean;
  readonly #class: string;

  constructor(number: number, { line, failing, breakpoints }: Marks) {
    super();
    this.#number = number;
    this.#isSet = breakpoints.has(number);
    this.#class = `number${number === failing ? ' failing' : ''}${number === line ? ' current' : ''}`;
  }

  override eq(other: LineNumber): boolean {
    return this.#number === other.#number && this.#isSet === other.#isSet && this.#class === other.#class;
  }

  override toDOM(): Node {
    const button = document.createElement('button');
    button.type = 'button';
    // The Tab key passes over the numbers: F9 sets a breakpoint at the line of the cursor.
    button.tabIndex = -1;
    button.className = this.#class;
    button.setAttribute('aria-pressed', String(this.#isSet));
    button.setAttribute('aria-label', `breakpoint at line ${this.#number}`);
    button.textContent = String(this.#number);
    return button;
  }
}
