// The inner loop: type check, lint and the unit tests that a change affects, in parallel: npm run quick [-- SINCE]
// The change is the difference to the last commit, or to the commit or branch SINCE.
import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';

const [since] = process.argv.slice(2);
const tests = ['--project', 'unit', since ? `--changed=${since}` : '--changed', '--passWithNoTests'];

const CHECKS = {
  types: ['typescript/bin/tsc', '--noEmit'],
  lint: ['@biomejs/biome/bin/biome', 'check'],
  tests: ['vitest/vitest.mjs', 'run', ...tests],
};

const began = performance.now();
const outcomes = await Promise.all(Object.entries(CHECKS).map(check));
console.log(outcomes.join('\n'));

/** Runs a check, and prints its whole output once it has ended. */
async function check([name, [path, ...args]]) {
  const child = spawn(process.execPath, [`node_modules/${path}`, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout.on('data', (part) => {
    said += part;
  });
  child.stderr.on('data', (part) => {
    said += part;
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  process.stdout.write(said);
  if (status !== 0) process.exitCode = 1;
  return `${name}: ${status === 0 ? 'ok' : 'failed'}, ${((performance.now() - began) / 1000).toFixed(1)} s`;
}
