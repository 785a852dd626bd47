/** Alternatives: comment, string, number, word, punctuation; any other character is a token of its own. */
const TOKENS =
  /\/\/.*|\/\*.*?(?:\*\/|$)|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|\b(?:0x[\da-f_]+|\d[\d_.]*(?:e\d+)?)\b|[a-z_$][\w$]*|[^\w$"'/]+|[\s\S]/gi;
const WORDS = new Set(
  'abstract anonymous as assembly assert break calldata catch constant constructor continue contract delete do else emit enum error event external fallback false for from function if immutable import indexed interface internal is let library memory modifier new override payable pragma private public pure receive require return returns revert storage struct super switch this throw true try type unchecked using view virtual while'.split(
    ' ',
  ),
);
/** Elementary types, which are keywords. */
const TYPES = /^(?:u?int\d*|bytes\d*|u?fixed\w*|address|bool|string|mapping|var)$/;

/** A token of a line; `kind` is empty for text without a colour of its own. */
export interface Token {
  readonly kind: '' | 'comment' | 'text' | 'number' | 'word' | 'type';
  readonly text: string;
}

/** The tokens of a line of Solidity. @param inComment whether the line begins within a block comment */
export function tokensOf(line: string, inComment: boolean): readonly Token[] {
  if (!inComment) return (line.match(TOKENS) ?? []).map((text) => ({ kind: kindOf(text), text }));
  const end = line.indexOf('*/');
  if (end < 0) return [{ kind: 'comment', text: line }];
  return [{ kind: 'comment', text: line.slice(0, end + 2) }, ...tokensOf(line.slice(end + 2), false)];
}

function kindOf(text: string): Token['kind'] {
  if (/^\/[/*]/.test(text)) return 'comment';
  if (/^["']/.test(text)) return 'text';
  if (/^\d/.test(text)) return 'number';
  return WORDS.has(text) ? 'word' : TYPES.test(text) ? 'type' : '';
}

/** For each line, whether it begins within a block comment. */
export function commentsOf(lines: readonly string[]): readonly boolean[] {
  let inComment = false;
  return lines.map((line) => {
    const before = inComment;
    if (inComment) inComment = !line.includes('*/') || opensComment(line.slice(line.indexOf('*/') + 2));
    else inComment = opensComment(line);
    return before;
  });
}

function opensComment(line: string): boolean {
  if (!line.includes('/*')) return false;
  const last = line.match(TOKENS)?.at(-1) ?? '';
  return last.startsWith('/*') && !(last.length > 3 && last.endsWith('*/'));
}
