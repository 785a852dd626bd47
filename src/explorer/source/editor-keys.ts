import { EditorSelection, type SelectionRange } from '@codemirror/state';
import type { EditorView, KeyBinding } from '@codemirror/view';

/** Computes where a key moves the cursor. */
type Move = (view: EditorView, from: SelectionRange, isForward: boolean) => SelectionRange;

const byCharacter: Move = (view, from, isForward) => view.moveByChar(from, isForward);
const byLine: Move = (view, from, isForward) => view.moveVertically(from, isForward);
const byPage: Move = (view, from, isForward) =>
  view.moveVertically(from, isForward, view.scrollDOM.clientHeight - view.defaultLineHeight);
const toLineEnd: Move = (view, from, isForward) => view.moveToLineBoundary(from, isForward);
const toEnd: Move = ({ state }, _, isForward) => EditorSelection.cursor(isForward ? state.doc.length : 0);

/** Keys that move the cursor in the source: backwards, forwards, and how far. */
const MOVES = [
  ['ArrowLeft', 'ArrowRight', byCharacter],
  ['ArrowUp', 'ArrowDown', byLine],
  ['PageUp', 'PageDown', byPage],
  ['Home', 'End', toLineEnd],
  ['Mod-Home', 'Mod-End', toEnd],
] as const;

/** Moves the cursor. @param isSelecting whether the text up to there is selected, too */
function go(view: EditorView, move: Move, isForward: boolean, isSelecting: boolean): boolean {
  const { main } = view.state.selection;
  const to = move(view, main, isForward);
  view.dispatch({
    selection: isSelecting ? EditorSelection.range(main.anchor, to.head, to.goalColumn) : to,
    scrollIntoView: true,
  });
  return true;
}

/** Keys that move the cursor, with Shift select text, and select all. */
export const EDITOR_KEYS: readonly KeyBinding[] = [
  ...MOVES.flatMap(([back, forward, move]) =>
    [back, forward].map((key, i) => ({
      key,
      run: (view: EditorView) => go(view, move, i === 1, false),
      shift: (view: EditorView) => go(view, move, i === 1, true),
    })),
  ),
  {
    key: 'Mod-a',
    run: (view) => {
      view.dispatch({ selection: { anchor: 0, head: view.state.doc.length } });
      return true;
    },
  },
];
