// Runs one of the tests that search for failures, for longer than npm test does:
//   npm run test:crash -- --rounds 100 --seed 1
//   npm run test:abuse -- --requests 1000000 --options="--hardfork shanghai --automine"
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

/** By name: the file of the test, and its environment variables with this script's defaults. */
const TESTS = {
  abuse: {
    file: 'test/whole/process/abuse.slow.test.ts',
    takes: { requests: '100000', seed: undefined, options: '' },
  },
  simulate: { file: 'test/whole/simulate/simulate.test.ts', takes: { seeds: '100', seed: undefined } },
  // Other values of hardfork: the rows of FORKS in the test.
  histories: {
    file: 'test/whole/engines.test.ts',
    takes: { transactions: '10000', seed: undefined, hardfork: 'amsterdam' },
  },
  crash: { file: 'test/whole/process/crash.slow.test.ts', takes: { rounds: '20', seed: undefined } },
};

const [name, ...rest] = process.argv.slice(2);
const { file, takes } = TESTS[name];
const options = Object.fromEntries(Object.keys(takes).map((key) => [key, { type: 'string' }]));
const { values } = parseArgs({ args: rest, options });
const env = { ...process.env };
for (const [key, fallback] of Object.entries(takes)) {
  const value = values[key] ?? fallback ?? `${1 + Math.floor(Math.random() * 1e9)}`;
  // `options` are those of the tested node, and `hardfork` is a name; all others are numbers.
  if (key !== 'options' && key !== 'hardfork' && !(Number(value) > 0)) {
    console.error(`--${key}: expected a number above 0, got ${value}`);
    process.exit(2);
  }
  console.log(`--${key} ${value}`);
  env[key.toUpperCase().replaceAll('-', '_')] = value;
}
const { status } = spawnSync('npx', ['vitest', 'run', '--reporter=verbose', file], { stdio: 'inherit', env });
process.exit(status ?? 1);
