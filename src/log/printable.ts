/**
 * What a terminal, or an editor, takes for something else than a character of a line: control characters, marks that change the
 * direction of what follows (Unicode's bidirectional controls), and the line separators U+2028 and U+2029.
 */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A text from the chain, or from a caller, as part of a line: with escapes in place of what could steer the terminal. */
export function printable(text: string): string {
  return text.replace(UNSAFE, (char) => {
    const escaped = JSON.stringify(char).slice(1, -1);
    return escaped === char ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : escaped;
  });
}

/** What a contract printed with console.log, whose line breaks stay. */
export function consoleLines(text: string): string[] {
  return text.split('\n').map(printable);
}

const ETHER = 10n ** 18n;

/** @param wei */
export function etherText(wei: bigint): string {
  if (wei < 10n ** 12n) return `${wei} wei`;
  const fraction = String(wei % ETHER)
    .padStart(18, '0')
    .replace(/0+$/, '');
  return `${wei / ETHER}${fraction && '.'}${fraction} ETH`;
}
