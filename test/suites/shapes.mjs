// What a reader of an answer can tell: which fields there are, and of what kind each is.

/** @returns path -> kind of all that is in a JSON value; of lists the first items stand for all */
export function shapeOf(value, path = 'result', shape = {}) {
  if (Array.isArray(value)) {
    shape[path] = value.length === 0 ? 'empty list' : 'list';
    for (const item of value.slice(0, 3)) shapeOf(item, `${path}[]`, shape);
  } else if (typeof value === 'object' && value !== null) {
    shape[path] = 'object';
    for (const [key, item] of Object.entries(value)) shapeOf(item, `${path}.${general(key)}`, shape);
  } else shape[path] = kindOf(value, path);
  return shape;
}

/** Keys that are hashes, addresses or numbers are data. */
function general(key) {
  return /^(0x[\da-f]*|\d+)$/i.test(key) ? '*' : key;
}

function kindOf(value, path) {
  if (typeof value !== 'string') return value === null ? 'null' : typeof value;
  if (!/^0x[\da-f]*$/i.test(value)) return 'text';
  // Quantities and data that look alike, by chance.
  if (/\.(r|s|input|output|forkId)$/.test(path)) return 'hex';
  const digits = value.length - 2;
  if ([16, 40, 64, 512].includes(digits)) return `${digits / 2} bytes`;
  return /^0x(0|[1-9a-f][\da-f]*)$/i.test(value) && digits < 32 ? 'quantity' : 'bytes';
}

/** @returns `path: kind in the first | kind in the second` for each place where they differ */
export function differencesOf(first, second) {
  return [...new Set([...Object.keys(first), ...Object.keys(second)])]
    .filter((path) => first[path] !== second[path])
    .map((path) => `${path}: ${first[path] ?? 'absent'} | ${second[path] ?? 'absent'}`);
}
