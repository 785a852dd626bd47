import { once } from 'node:events';
import { type AddressInfo, createServer, type ListenOptions } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { whyNotListening } from '../../src/cli/listen-errors.ts';

/** The error of a server that can't listen. */
async function refused(options: ListenOptions): Promise<unknown> {
  const server = createServer();
  const error = once(server, 'error');
  server.listen(options);
  return (await error)[0];
}

it('a port in use names the command that shows who has it', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const text = whyNotListening(await refused({ host: '127.0.0.1', port }));
  expect(text).toMatch(/^port \d+ is in use \(EADDRINUSE\), .* --port, 0 for a free one$/);
  expect(text).toContain(String(port));
  server.close();
});

it.each([
  [{ host: '192.0.2.1', port: 0 }, /^this machine has no address 192\.0\.2\.1 \(EADDRNOTAVAIL\): .*--host/],
  [
    { path: join(tmpdir(), 'no-such-folder/x.ipc') },
    /^the Unix socket .*x\.ipc can't be opened \(\w+\): .*--ipc/,
  ],
])('%j says which option helps', async (options, text) => {
  expect(whyNotListening(await refused(options))).toMatch(text);
});

it('so do a host that is not there, and a port for which the user has no right', () => {
  const system = (fields: object) => Object.assign(new Error('of the system'), fields);
  expect(
    whyNotListening(system({ code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'nowhere.invalid' })),
  ).toMatch(/^the host nowhere\.invalid can't be found \(ENOTFOUND\): .*--host/);
  expect(whyNotListening(system({ code: 'EACCES', syscall: 'listen', address: '::', port: 80 }))).toMatch(
    /^port 80 is not allowed for this user \(EACCES\): .*--port/,
  );
});

it('other errors keep their own words', () => {
  expect(whyNotListening(new Error('something else'))).toBeUndefined();
});
