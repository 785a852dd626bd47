// devnet under npm and npx: it ends with them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

const project = JSON.parse(readFileSync('package.json', 'utf8'));
project.scripts = { chain: 'devnet --port 0', staying: 'devnet --port 0 --detach' };
writeFileSync('package.json', JSON.stringify(project));

/** Starts a program of npm. @returns it, and the address of the node that it started */
async function start(program, ...args) {
  // In a process group of its own, by which all of it can be ended.
  const npm = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of npm.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += chunk;
    const [, address] = /^Listening on (\S+)\n/m.exec(text) ?? [];
    if (address) return { npm, url: `http://${address}` };
  }
  throw new Error(text);
}

const answers = (url) =>
  fetch(url).then(
    () => true,
    () => false,
  );

for (const signal of ['SIGTERM', 'SIGHUP', 'SIGKILL'])
  for (const [program, ...args] of [
    ['npx', '--no-install', 'devnet', '--port', '0'],
    ['npm', 'run', '--silent', 'chain'],
  ])
    test(`${program} that ends by ${signal} leaves no node`, async () => {
      const { npm, url } = await start(program, ...args);
      assert.equal(await answers(url), true);
      npm.kill(signal);
      // The output ends when the last process that has it ends, the node.
      npm.stdout.resume();
      await once(npm, 'close');
      assert.equal(await answers(url), false);
    });

test('with --detach the node stays', async () => {
  const { npm, url } = await start('npm', 'run', '--silent', 'staying');
  try {
    npm.kill('SIGKILL');
    await once(npm, 'exit');
    // Three times as long as the others take to notice.
    await setTimeout(1_500);
    assert.equal(await answers(url), true);
  } finally {
    process.kill(-npm.pid, 'SIGTERM');
  }
  npm.stdout.resume();
  await once(npm, 'close');
});
