import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { dropInExample } from '../../scripts/drop-in-examples.mjs';

const run = promisify(execFile);
const built = dirname(inject('command'));
/** In the repository, where Vitest is found. */
const project = resolve(`.test-build-${process.pid}-vitest`);

/** A project with the built package among its own ones. */
beforeAll(() => {
  const installed = join(project, 'node_modules/devnet');
  mkdirSync(installed, { recursive: true });
  cpSync('package.json', join(installed, 'package.json'));
  cpSync(built, join(installed, 'dist'), { recursive: true });
  cpSync('bin', join(installed, 'bin'), { recursive: true });
  cpSync('test/test-runners/vitest-project', project, { recursive: true });
  // Otherwise the name would be that of the package around it.
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  writeFileSync(join(project, 'counter.spec.mjs'), dropInExample('counter.spec.mjs'));
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Runs the project's tests in Vitest, as a user does. @returns its report */
async function runTests(env: Record<string, string>, ...args: readonly string[]) {
  const { stdout } = await run(
    process.execPath,
    [resolve('node_modules/vitest/vitest.mjs'), 'run', '--reporter=json', '--root', project, ...args],
    { cwd: project, env: { PATH: process.env.PATH, ...env } },
  ).catch((error: { stdout: string }) => error);
  return JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    numPassedTests: number;
    testResults: { message: string; assertionResults: { fullName: string; failureMessages: string[] }[] }[];
  };
}

it.each([
  ['in the process of each worker', {}],
  ['by the address that the globalSetup gives', { BY_URL: '1' }],
])('devnet/vitest: tests get a chain %s, each as it was before', async (_, env) => {
  const { numPassedTests, testResults } = await runTests(env);
  const problems = testResults.flatMap(({ message, assertionResults }) => [
    message,
    ...assertionResults.flatMap(({ failureMessages }) => failureMessages),
  ]);
  expect(problems.filter(Boolean)).toEqual([]);
  expect(numPassedTests).toBe(8);
});

it.each(['devnet/vitest/setup', './vitest.setup.mjs'])(
  'the configuration of docs/test-runners.md, with %s as its globalSetup',
  async (setup) => {
    writeFileSync(join(project, 'vitest.setup.mjs'), dropInExample('vitest.setup.mjs'));
    const config = dropInExample('vitest.config.mjs').replace('devnet/vitest/setup', setup);
    writeFileSync(join(project, 'docs.config.mjs'), config);
    const { numPassedTests } = await runTests({}, '--config', 'docs.config.mjs', 'counter.spec');
    expect(numPassedTests).toBe(1);
  },
);

it('a test that fails shows the line of Solidity above those of JavaScript', async () => {
  const fixture = resolve('fixtures/stack-traces/807a97336cdc75ad9fa6466e8aef2545.json');
  const output = JSON.parse(readFileSync(fixture, 'utf8'));
  const { sources } = JSON.parse(readFileSync('test/stack-trace/scenarios/shop.json', 'utf8'));
  const input = {
    sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
  };
  mkdirSync(join(project, 'artifacts/build-info'), { recursive: true });
  writeFileSync(
    join(project, 'artifacts/build-info/1.json'),
    JSON.stringify({ solcVersion: '0.8.37', input, output }),
  );
  const { evm } = output.contracts['contracts/Vault.sol'].Vault;
  const data = `0x${evm.methodIdentifiers['take(uint256)']}${'9'.padStart(64, '0')}`;
  const spec = join(project, 'solidity.spec.mjs');
  writeFileSync(
    spec,
    `import { test } from 'devnet/vitest';
test('fails in Solidity', async ({ chain }) => {
  const { address } = await chain.deploy({ bytecode: '0x${evm.bytecode.object}' });
  await chain.provider.request({ method: 'eth_call', params: [{ to: address, data: '${data}' }, 'latest'] });
});
`,
  );
  try {
    const { testResults } = await runTests({}, 'solidity.spec');
    const [failure] = testResults[0]!.assertionResults[0]!.failureMessages;
    const frames = failure!
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.startsWith('at '));
    expect(frames[0]).toMatch(/^at Vault\.fee \(contracts\/Vault\.sol:\d+:20\)$/);
    expect(frames.some((frame) => frame.includes('solidity.spec.mjs:'))).toBe(true);
  } finally {
    rmSync(spec);
  }
});
