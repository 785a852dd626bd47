/**
 * Characters that a terminal or an editor doesn't treat as ordinary text: control characters except the tab (Cc), line and paragraph
 * separators (Zl, Zp), and Unicode's format characters (Cf), which change the text direction or are invisible. U+200D between two emoji
 * joins them, and is allowed.
 */
const UNSAFE =
  /(?!\t)\p{Cc}|[\p{Zl}\p{Zp}]|(?!(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d\p{Extended_Pictographic})\p{Cf}/gu;

/**
 * Makes text from a contract, a caller, a file or another node safe to print within a line: characters that could control the terminal,
 * start another line or hide text are escaped. The escapes are those of JSON, so JSON text on one line keeps its meaning.
 */
export function printable(text: string): string {
  return text.replace(UNSAFE, (char) => {
    const escaped = JSON.stringify(char).slice(1, -1);
    return escaped === char ? escapedUnits(char) : escaped;
  });
}

/** Escapes each UTF-16 unit of a character; a character above U+FFFF has two. */
function escapedUnits(char: string): string {
  return char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

const ETHER = 10n ** 18n;

/** @param wei an amount in wei */
export function etherText(wei: bigint): string {
  if (wei < 10n ** 12n) return `${wei} wei`;
  const fraction = String(wei % ETHER)
    .padStart(18, '0')
    .replace(/0+$/, '');
  return `${wei / ETHER}${fraction && '.'}${fraction} ETH`;
}
