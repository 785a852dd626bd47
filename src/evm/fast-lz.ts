/** Positions that a window reaches back to. */
const WINDOW = 8_192;
/** Bytes at the end that are never looked up. */
const TAIL = 13;
/** Bytes that one repetition covers. */
const LONGEST = 262;

/**
 * Bytes that FastLZ (level 1) makes of these: what the OP Stack estimates by how well a transaction can be compressed on its
 * way to L1 (specs.optimism.io/protocol/fjord/exec-engine.html). Nothing is compressed.
 */
export function fastLzLength(bytes: Uint8Array): number {
  const seen = new Uint32Array(WINDOW);
  const limit = Math.max(bytes.length - TAIL, 0);
  const three = (at: number) => bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
  let length = 0;
  /** what stands before it is written */
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

/** Up to 32 bytes that are copied as they are take one more. */
function literals(count: number): number {
  const rest = count % 32;
  return Math.floor(count / 32) * 33 + (rest > 0 ? rest + 1 : 0);
}

/** A repetition takes two bytes, or three when it is long; so many at most in one. */
function copy(count: number): number {
  const rest = count - 1;
  return Math.floor(rest / LONGEST) * 3 + (rest % LONGEST >= 6 ? 3 : 2);
}

/** Bytes from `from` on that are those from `at` on, and the first one that isn't. */
function run(bytes: Uint8Array, from: number, at: number, end: number): number {
  let count = 0;
  while (at + count < end) if (bytes[from + count] !== bytes[at + count++]) break;
  return count;
}

function hash(value: number): number {
  return (Math.imul(2_654_435_769, value) >>> 19) & (WINDOW - 1);
}
