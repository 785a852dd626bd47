import { RangeSetBuilder, type Text } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { commentsOf, type Token, tokensOf } from './solidity.ts';

/** Limit of the characters of a line that get colours. */
const MAX_CHARACTERS = 2_000;

/** kind of token -> its decoration */
const MARKS = new Map(
  (['comment', 'text', 'number', 'word', 'type'] satisfies Token['kind'][]).map(
    (kind): [Token['kind'], Decoration] => [kind, Decoration.mark({ class: `t-${kind}` })],
  ),
);

/** Extension that colours the lines that are drawn. @param doc the file's text, which never changes */
export function colours(doc: Text) {
  const comments = commentsOf(doc.toJSON());
  const colour = ({ viewport }: EditorView): DecorationSet => {
    const builder = new RangeSetBuilder<Decoration>();
    for (let at = viewport.from; at <= viewport.to; ) {
      const { from, to, number, text } = doc.lineAt(at);
      let start = from;
      for (const token of tokensOf(text.slice(0, MAX_CHARACTERS), comments[number - 1]!)) {
        const mark = MARKS.get(token.kind);
        if (mark) builder.add(start, start + token.text.length, mark);
        start += token.text.length;
      }
      at = to + 1;
    }
    return builder.finish();
  };
  return ViewPlugin.define(
    (view) => ({
      decorations: colour(view),
      update({ view: changed, viewportChanged }: ViewUpdate) {
        if (viewportChanged) this.decorations = colour(changed);
      },
    }),
    { decorations: (plugin) => plugin.decorations },
  );
}
