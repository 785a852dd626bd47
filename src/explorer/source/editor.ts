import { EditorState, type SelectionRange, type Text } from '@codemirror/state';
import { EditorView, highlightActiveLine, highlightSpecialChars, keymap } from '@codemirror/view';
import { colours } from './colours.ts';
import { EDITOR_KEYS } from './editor-keys.ts';
import { editorTheme } from './editor-theme.ts';
import { type Found, lineMarks, type Marks, offsetOf } from './line-marks.ts';

/** Characters that change how the text beside them is shown, besides those that CodeMirror knows: embeddings of a direction. */
const DIRECTIONS = /[\u202a-\u202c\u2068]/g;

/**
 * Opens a file in a read-only editor, at the line that runs. It begins with its marks and its place: to set them afterwards would make the
 * browser compute the layout of the page once more for each. It is in a shadow root, where CodeMirror adopts its style sheet; elsewhere it adds a style element,
 * which the page's Content-Security-Policy refuses.
 * @param host the element that gets the shadow root
 * @param onBreakpoint sets or removes the breakpoint of a line, whose number is from 1
 */
export function openEditor(
  host: Element,
  {
    name,
    doc,
    marks,
    onBreakpoint,
  }: { name: string; doc: Text; marks: Marks; onBreakpoint: (line: number) => void },
): EditorView {
  const at = offsetOf(doc, marks.line);
  const atCursor = ({ state }: EditorView) => {
    onBreakpoint(state.doc.lineAt(state.selection.main.head).number);
    return true;
  };
  const view = new EditorView({
    parent: host.attachShadow({ mode: 'open' }),
    ...(at !== undefined && { scrollTo: scrollToLine(at) }),
    state: EditorState.create({
      doc,
      selection: { anchor: at ?? 0 },
      extensions: [
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': `Source of ${name}` }),
        EditorView.scrollHandler.of(scrollBox),
        keymap.of([...EDITOR_KEYS, { key: 'F9', run: atCursor, stopPropagation: true }]),
        lineMarks(marks, onBreakpoint),
        highlightActiveLine(),
        highlightSpecialChars({ render: escapeSequence, addSpecialChars: DIRECTIONS }),
        colours(doc),
        editorTheme,
      ],
    }),
  });
  // CodeMirror hides the numbers, which are buttons here, from screen readers.
  view.dom.querySelector('.cm-gutters')?.removeAttribute('aria-hidden');
  return view;
}

/** Moves the cursor to the begin of a line, and scrolls up or down unless the line is visible. @param at offset of the line */
export function revealLine(view: EditorView, at: number): void {
  view.dispatch({ selection: { anchor: at }, effects: scrollToLine(at) });
}

function scrollToLine(at: number) {
  return EditorView.scrollIntoView(at, { y: 'center' });
}

/** Moves the cursor to a match of the search, and scrolls in both directions unless the match is visible. */
export function revealMatch(view: EditorView, { from }: Found): void {
  const effects = EditorView.scrollIntoView(from, { y: 'center', x: 'center' });
  view.dispatch({ selection: { anchor: from }, effects });
}

/**
 * Scrolls to a revealed place. Nothing but the editor is scrolled: CodeMirror would scroll the page, too.
 * @returns false for what CodeMirror is to scroll: to the cursor after a key
 */
function scrollBox(view: EditorView, { head }: SelectionRange, { x, y }: { x: string; y: string }): boolean {
  if (y !== 'center') return false;
  const { scrollDOM: box, defaultLineHeight: line, defaultCharacterWidth: character } = view;
  const { top, from, length } = view.lineBlockAt(head);
  // The lower part of the view may be below the window's bottom edge.
  const below = innerHeight - Math.max(0, box.getBoundingClientRect().top);
  const height = Math.max(5 * line, Math.min(box.clientHeight, below));
  if (top < box.scrollTop + line || top > box.scrollTop + height - 3 * line) box.scrollTop = top - height / 3;
  if (x !== 'center') {
    // Nothing would be seen of a short line.
    if (length * character < box.scrollLeft) box.scrollLeft = 0;
    return true;
  }
  const left = (head - from) * character;
  const width = box.clientWidth - view.contentDOM.offsetLeft;
  if (left < box.scrollLeft || left > box.scrollLeft + width * 0.8) box.scrollLeft = left - width / 3;
  return true;
}

/** Shows a character that has no shape as its escape sequence, as `\u202e`. */
function escapeSequence(code: number, description: string | null): HTMLElement {
  const shown = document.createElement('span');
  shown.className = 'escape';
  shown.title = description ?? '';
  shown.textContent = `\\u${code.toString(16).padStart(4, '0')}`;
  return shown;
}
