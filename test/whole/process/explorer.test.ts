import { expect, it } from 'vitest';
import { useCommand } from './devnet-process.ts';

const command = useCommand();
const HTML = { headers: { accept: 'text/html' } };

it('the command serves the explorer, and says where', async () => {
  const running = command.run(['--port', '0']);
  const url = await running.listening();
  expect(running.stdout).toContain(`Page:  ${url} in a browser\n`);
  const page = await (await fetch(url, HTML)).text();
  const [, style] = /href="(\/explorer\/[^"]+\.css)"/.exec(page) ?? [];
  const [, script] = /src="(\/explorer\/[^"]+\.js)"/.exec(page) ?? [];
  for (const path of [style, script]) {
    const asset = await fetch(`${url}${path}`);
    expect([asset.status, asset.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
  }
  expect(await (await fetch(url)).text()).toMatch(/^devnet: /);
});

it('--no-explorer leaves it out', async () => {
  const running = command.run(['--port', '0', '--no-explorer']);
  const url = await running.listening();
  expect(running.stdout).not.toContain('browser');
  expect(await (await fetch(url, HTML)).text()).toMatch(/^devnet: /);
  expect((await fetch(`${url}/explorer/artifacts.json`)).status).toBe(404);
});
