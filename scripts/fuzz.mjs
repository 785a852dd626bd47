// Runs the property tests, and the tests with random kills and flipped bytes, many times as long as npm test: npm run test:fuzz [-- FACTOR]
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const factor = process.argv[2] ?? '20';
if (!(Number(factor) > 0)) {
  console.error(`expected a factor above 0, got ${factor}`);
  process.exit(2);
}
const files = readdirSync('test', { recursive: true })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `test/${file}`)
  .filter((file) => /'fast-check'|fuzz\.ts'/.test(readFileSync(file, 'utf8')));
const { status } = spawnSync('npx', ['vitest', 'run', ...files], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ: factor },
});
process.exit(status ?? 1);
