const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_BRACE, OPEN_BRACKET] = [0x7b, 0x5b];
const [CLOSE_BRACE, CLOSE_BRACKET] = [0x7d, 0x5d];

/** Where a member is: from the first quote of its name to the end of its value, or of the white space behind it. */
export interface JsonMember {
  readonly from: number;
  readonly to: number;
}

/**
 * The members of an object as they stand in its text, without decoding them: for large files of which the parts are decoded
 * elsewhere.
 * @param json the valid JSON text of an object, as UTF-8
 */
export function* membersOf(json: Uint8Array): Generator<JsonMember> {
  let depth = 0;
  let from = -1;
  let isInString = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (isInString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) {
      isInString = true;
      if (from < 0) from = at;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--;
      if (depth === 0 && from >= 0) yield { from, to: at };
    } else if (byte === COMMA && depth === 1) {
      yield { from, to: at };
      from = -1;
    }
  }
}
