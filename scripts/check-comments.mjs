// Rejects comments that point at another comment instead of saying what they mean: "as there", "as that", "as above", "the same where".
// A doc comment names its subject.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const POINTS = [
  /\b[Aa]s (?:there|that|above)\s*(?:[.,;:)]|\*\/|$)/,
  /\b[Tt]he same (?:where|as there|as above)\b/,
];

const problems = [];
for (const folder of ['src', 'scripts', 'bin'])
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:ts|tsx|mjs|cjs|js)$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    if (file === import.meta.filename) continue;
    for (const [i, line] of readFileSync(file, 'utf8').split('\n').entries()) {
      const comment = /(?:^\s*(?:\/\*\*?|\*)|\/\/)(.*)/.exec(line)?.[1];
      const found = comment && POINTS.map((pattern) => pattern.exec(comment)?.[0]).find(Boolean);
      if (found)
        problems.push(
          `${relative(root, file)}:${i + 1}: "${found.trim()}" points elsewhere: name what is meant`,
        );
    }
  }
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
console.log('comments: ok');
