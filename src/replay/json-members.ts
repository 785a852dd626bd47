const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_BRACE, OPEN_BRACKET] = [0x7b, 0x5b];
const [CLOSE_BRACE, CLOSE_BRACKET] = [0x7d, 0x5d];
const BLANKS: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];

/** The text of a member of a JSON object. */
export interface JsonMember {
  /** name and value, and the white space after them: between braces it is the text of an object */
  readonly text: Buffer;
  /** end of the member in the text of the object, in bytes */
  readonly end: number;
}

/** The text isn't that of a JSON object, or is truncated. */
export class NoObject extends Error {}

/**
 * Reads the members of an object while its text arrives. Only the current member is kept in memory, so a file may be larger than a string
 * or the memory. The members aren't decoded, and may be invalid JSON.
 * @param chunks the text of an object, as UTF-8
 * @throws NoObject
 */
export async function* membersOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<JsonMember> {
  let held: Uint8Array[] = [];
  let position = 0;
  let depth = 0;
  let [isInString, isEscaped, isIn, isOver] = [false, false, false, false];
  for await (const chunk of chunks) {
    let from = 0;
    const member = (to: number): JsonMember => {
      const text = Buffer.concat([...held, chunk.subarray(from, to)]);
      held = [];
      isIn = false;
      return { text, end: position + to };
    };
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
      } else if (depth === 0) {
        if (BLANKS.includes(byte)) continue;
        if (byte !== OPEN_BRACE || isOver) throw new NoObject('expected the text of one object');
        depth = 1;
      } else if (byte === QUOTE) {
        isInString = true;
        if (isIn) continue;
        isIn = true;
        from = at;
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        depth--;
        isOver = depth === 0;
        if (isOver && isIn) yield member(at);
      } else if (byte === COMMA && depth === 1) {
        if (!isIn) throw new NoObject('expected a member before a comma');
        yield member(at);
      }
    }
    if (isIn) held.push(chunk.subarray(from));
    position += chunk.length;
  }
  if (!isOver) throw new NoObject('the text of the object is cut short');
}
