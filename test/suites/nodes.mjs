// Starts nodes the way their users do: a binary, anvil's flags, a URL read from stdout.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const require = createRequire(import.meta.url);

/** Hardhat's command line; it wants Node 22. */
export const HARDHAT = join(require.resolve('hardhat/package.json'), '../dist/src/cli.js');

/** The command line of Hardhat 2, which most suites out there still run. */
export const HARDHAT2 = resolve(
  import.meta.dirname,
  'hardhat2/node_modules/hardhat/internal/cli/bootstrap.js',
);

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

/** A node that runs already, and goes on after `close()`. */
export const nodeAt = (url) => ({
  url,
  rpc: (method, ...params) => call(url, method, params),
  async close() {},
});

/** `npx hardhat node` of Hardhat 3. @param node one that Hardhat runs on @param more further flags */
export const startHardhat = (node = process.execPath, more = []) =>
  startHardhatNode(node, HARDHAT, 'module', 'export default {};', 'node_modules', more);

/** `npx hardhat node` of Hardhat 2. @param configuration what `hardhat.config.js` exports, as text */
export const startHardhat2 = (configuration = "{ solidity: '0.8.28' }") =>
  startHardhatNode(
    process.execPath,
    HARDHAT2,
    'commonjs',
    `module.exports = ${configuration};`,
    'hardhat2/node_modules',
  );

/** A node of Hardhat in a project of its own. */
async function startHardhatNode(node, program, type, configuration, packages, more = []) {
  const project = mkdtempSync(join(tmpdir(), 'devnet-hardhat-node-'));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type }));
  writeFileSync(join(project, 'hardhat.config.js'), configuration);
  symlinkSync(resolve(import.meta.dirname, packages), join(project, 'node_modules'));
  const flags = ['node', '--hostname', '127.0.0.1', '--port', String(await freePort()), ...more];
  const started = await startNode(node, [program, ...flags], {
    cwd: project,
    env: { ...process.env, CI: 'true', HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true', NO_COLOR: '1' },
  });
  const { close } = started;
  return {
    ...started,
    async close() {
      const code = await close();
      rmSync(project, { recursive: true, force: true });
      return code;
    },
  };
}

/** Its states on disk, which grow to gigabytes and outlive a process that is killed, are removed with it. */
export async function startAnvil(...flags) {
  const states = mkdtempSync(join(tmpdir(), 'devnet-anvil-'));
  const args = ['--port', '0', '--cache-path', states, ...flags];
  const started = await startNode(foundryBinary('anvil'), args);
  const { close } = started;
  return Object.assign(started, {
    async close() {
      const code = await close();
      rmSync(states, { recursive: true, force: true });
      return code;
    },
  });
}

/** Runs the node until `close()`. */
async function startNode(command, args, options = {}) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  let opened;
  const socket = () => {
    opened ??= openSocket(node.url.replace(/^http/, 'ws'));
    return opened;
  };
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const node = {
    child,
    stdout: '',
    stderr: '',
    url: '',
    rpc: (method, ...params) =>
      /^eth_(un)?subscribe$/.test(method) ? socket().call(method, params) : call(node.url, method, params),
    /** The next notification of a subscription. */
    notified: (id) => socket().notified(id),
    async close() {
      opened?.close();
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
      const [, address] =
        /^(?:Listening on |Started .* JSON-RPC server at http:\/\/)([^\s/]+)\/?\n/m.exec(node.stdout) ?? [];
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

/** JSON-RPC over a WebSocket, where subscriptions are. */
function openSocket(url) {
  const socket = new WebSocket(url);
  const open = once(socket, 'open');
  const answers = new Map();
  const notifications = [];
  const arrivals = new EventTarget();
  let calls = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error, params } = JSON.parse(data);
    if (params) notifications.push(params);
    else answers.get(id)(error ? Promise.reject(Object.assign(new Error(error.message), error)) : result);
    arrivals.dispatchEvent(new Event('message'));
  });
  return {
    async call(method, params) {
      await open;
      const id = calls++;
      return new Promise((resolve) => {
        answers.set(id, resolve);
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      });
    },
    async notified(subscription) {
      for (;;) {
        const at = notifications.findIndex((one) => one.subscription === subscription);
        if (at >= 0) return notifications.splice(at, 1)[0].result;
        await once(arrivals, 'message');
      }
    },
    close: () => socket.close(),
  };
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
