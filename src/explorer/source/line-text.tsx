import type { Found } from './find-in-lines.ts';
import type { Token } from './solidity.ts';

/**
 * A line of source with syntax colours, in which the matches of a search are marked.
 * @param props.marks the matches in this line
 * @param props.length length of a match, in characters
 */
export function LineText(props: { tokens: readonly Token[]; marks: readonly Found[]; length: number }) {
  const { tokens, marks, length } = props;
  let at = 0;
  return (
    <>
      {tokens.map(({ kind, text }, i) => {
        const start = at;
        at += text.length;
        return (
          <span key={i} class={kind && `t-${kind}`}>
            {marks.length === 0 ? text : marked(text, start, marks, length)}
          </span>
        );
      })}
    </>
  );
}

/** A token with the matching parts marked. @param start column of the line at which the token begins */
function marked(text: string, start: number, marks: readonly Found[], length: number) {
  const parts = [];
  let done = 0;
  for (const { from } of marks) {
    const a = Math.max(done, from - start);
    const b = Math.min(text.length, from + length - start);
    if (b <= a) continue;
    parts.push(text.slice(done, a), <mark>{text.slice(a, b)}</mark>);
    done = b;
  }
  return [...parts, text.slice(done)];
}
