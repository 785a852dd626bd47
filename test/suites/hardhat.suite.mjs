import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startDevnet } from './nodes.mjs';

const require = createRequire(import.meta.url);
const HARDHAT = join(require.resolve('hardhat/package.json'), '../dist/src/cli.js');

describe('a Hardhat 3 project that names devnet by its URL', () => {
  let output;
  before(() => {
    output = mkdtempSync(join(tmpdir(), 'devnet-hardhat-'));
  });
  after(() => rmSync(output, { recursive: true, force: true }));

  for (const flags of [['--automine'], ['--compat', 'anvil'], ['--compat', 'hardhat']])
    it(`passes its tests on a node with ${flags.join(' ')}`, async () => {
      const node = await startDevnet(...flags);
      const run = spawn(process.execPath, [HARDHAT, 'test', 'mocha', '--network', 'devnet'], {
        cwd: resolve(import.meta.dirname, 'hardhat-project'),
        env: {
          ...process.env,
          CI: 'true',
          HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
          DEVNET_URL: node.url,
          SOLC: require.resolve('solc/soljson.js'),
          OUTPUT: output,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let text = '';
      for (const stream of [run.stdout, run.stderr])
        stream.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
      const [code] = await once(run, 'close');
      await node.close();
      assert.equal(code, 0, text);
      const [, passing] = /(\d+) passing/.exec(text) ?? [];
      assert.ok(Number(passing) >= 30, text);
    });
});
