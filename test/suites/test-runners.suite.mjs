// The patterns of docs/test-runners.md, each in its runner.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { dropInExample } from '../../scripts/drop-in-examples.mjs';
import { installPackages } from './install-packages.mjs';

const require = createRequire(import.meta.url);

describe('the examples of docs/test-runners.md pass in', () => {
  let project;
  before(() => {
    project = mkdtempSync(join(tmpdir(), 'devnet-runners-'));
    installPackages(project);
  });
  after(() => rmSync(project, { recursive: true, force: true }));

  /** Runs a runner's command line on files of the page. @returns what it printed */
  async function run(program, args, ...files) {
    for (const file of files) writeFileSync(join(project, file), dropInExample(file));
    // A test of node:test tells the processes that it starts that they are its children.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...args], {
      cwd: project,
      env: { ...env, CI: 'true' },
    });
    return stdout + stderr;
  }

  it('node:test', async () => {
    assert.match(
      await run('--test', ['--test-reporter=tap', 'node.test.mjs'], 'node.test.mjs'),
      /# pass 2\n/,
    );
  });

  it('Jest', async () => {
    const jest = join(require.resolve('jest/package.json'), '../bin/jest.js');
    const files = ['jest.setup.mjs', 'jest.teardown.mjs', 'jest.config.mjs', 'counter.jest.cjs'];
    assert.match(await run(jest, ['--maxWorkers=2'], ...files), /Tests: +2 passed/);
  });

  it('Playwright', async () => {
    writeFileSync(join(project, 'playwright.config.mjs'), "export default { testMatch: '*.play.mjs' };");
    const playwright = join(require.resolve('@playwright/test/package.json'), '../cli.js');
    assert.match(await run(playwright, ['test', '--reporter=line'], 'counter.play.mjs'), /2 passed/);
  });
});
