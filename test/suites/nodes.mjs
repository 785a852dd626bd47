// Starts nodes the way their users do: a binary, anvil's flags, a URL read from stdout.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';

const require = createRequire(import.meta.url);

/** The package's own command, as `npx devnet` runs it. */
export const DEVNET = resolve(import.meta.dirname, '../../bin/devnet.js');

/** The native program of a Foundry package. The packages' install scripts don't run here, so it is found by its place. */
export function foundryBinary(tool) {
  const platform = { linux: 'linux', darwin: 'darwin', win32: 'win32' }[process.platform];
  const arch = { x64: 'amd64', arm64: 'arm64' }[process.arch];
  const file = require.resolve(`@foundry-rs/${tool}-${platform}-${arch}/package.json`);
  const path = join(file, '../bin', process.platform === 'win32' ? `${tool}.exe` : tool);
  chmodSync(path, 0o755);
  return path;
}

export const startDevnet = (...flags) => startNode(process.execPath, [DEVNET, '--port', '0', ...flags]);

export const startAnvil = (...flags) => startNode(foundryBinary('anvil'), ['--port', '0', ...flags]);

/** Runs the node until `close()`. */
async function startNode(command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const node = {
    child,
    stdout: '',
    stderr: '',
    url: '',
    rpc: (method, ...params) => call(node.url, method, params),
    async close() {
      child.kill('SIGTERM');
      const [code] = await closed;
      process.off('exit', kill);
      return code;
    },
  };
  child.stderr.setEncoding('utf8').on('data', (text) => {
    node.stderr += text;
  });
  await new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      node.stdout += text;
      const [, address] = /^Listening on (\S+)\n/m.exec(node.stdout) ?? [];
      if (!address) return;
      node.url = `http://${address}`;
      resolve();
    });
    closed.then(([code]) => reject(new Error(`it ended with ${code}: ${node.stderr}`)));
  });
  return node;
}

async function call(url, method, params) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = await response.json();
  if (error) throw Object.assign(new Error(error.message), error);
  return result;
}

/** A port that was free a moment ago, for tools that can't be told to take any. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
