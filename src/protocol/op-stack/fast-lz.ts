/** Size of the window in bytes: the maximum distance of a match. */
const WINDOW = 8_192;
/** Number of bytes at the end in which no match is searched. */
const TAIL = 13;
/** Maximum length of a match in bytes. */
const MAX_MATCH = 262;

/**
 * The length in bytes after FastLZ compression (level 1), with which the OP Stack estimates the compressed size of a transaction on L1
 * (specs.optimism.io/protocol/fjord/exec-engine.html). Only the length is computed.
 */
export function fastLzLength(bytes: Uint8Array): number {
  const seen = new Uint32Array(WINDOW);
  const limit = Math.max(bytes.length - TAIL, 0);
  const three = (at: number) => bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
  let length = 0;
  /** the bytes before this offset are accounted for in `length` */
  let written = 0;
  for (let at = 2; at < limit; ) {
    let match = 0;
    for (;;) {
      const value = three(at);
      const slot = hash(value);
      match = seen[slot]!;
      seen[slot] = at;
      const isNear = at - match < WINDOW;
      at++;
      if (at >= limit || (isNear && value === three(match))) break;
    }
    if (at >= limit) break;
    at--;
    if (at > written) length += literals(at - written);
    const same = run(bytes, match + 3, at + 3, limit + 9);
    length += copy(same);
    at += same;
    seen[hash(three(at))] = at++;
    seen[hash(three(at))] = at++;
    written = at;
  }
  return length + literals(bytes.length - written);
}

/** Literal bytes take one extra byte per 32. */
function literals(count: number): number {
  const rest = count % 32;
  return Math.floor(count / 32) * 33 + (rest > 0 ? rest + 1 : 0);
}

/** A match takes two bytes, a long one three; matches beyond {@link MAX_MATCH} bytes are split. */
function copy(count: number): number {
  const rest = count - 1;
  return Math.floor(rest / MAX_MATCH) * 3 + (rest % MAX_MATCH >= 6 ? 3 : 2);
}

/** Length of the match between `from` and `at`, counting the first byte that differs. */
function run(bytes: Uint8Array, from: number, at: number, end: number): number {
  let count = 0;
  while (at + count < end) if (bytes[from + count] !== bytes[at + count++]) break;
  return count;
}

function hash(value: number): number {
  return (Math.imul(2_654_435_769, value) >>> 19) & (WINDOW - 1);
}
