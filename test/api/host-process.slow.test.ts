import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';

const built = pathToFileURL(join(dirname(inject('command')), 'index.js')).href;

/** Prints what of a process's settings is no more as it was, and ends when nothing is left to wait for. */
const CHILD = `
import { once } from 'node:events';
import dns from 'node:dns';
import http from 'node:http';
import net from 'node:net';
import v8 from 'node:v8';
import { Worker } from 'node:worker_threads';

// What is set by a library's import counts, too.
const builtIns = [Array, ArrayBuffer, BigInt, Error, Function, Map, Math, Number, Object, Promise, String, Uint8Array];
const state = () => ({
  // V8 derives it from its flags.
  flags: v8.cachedDataVersionTag(),
  heap: v8.getHeapStatistics().heap_size_limit,
  execArgv: process.execArgv,
  env: { ...process.env },
  listeners: Object.fromEntries(
    ['process', 'stdin', 'stdout', 'stderr'].map((name) => {
      const emitter = name === 'process' ? process : process[name];
      return [name, emitter.eventNames().map((event) => [String(event), emitter.listenerCount(event)])];
    }),
  ),
  exit: [process.exitCode, process.title, process.cwd(), process.umask(), process.sourceMapsEnabled],
  stack: [Error.stackTraceLimit, String(Error.prepareStackTrace)],
  network: [dns.getDefaultResultOrder(), net.getDefaultAutoSelectFamily(), { ...http.globalAgent.options }],
  globals: Object.getOwnPropertyNames(globalThis).sort(),
  prototypes: builtIns.map((type) => [Object.getOwnPropertyNames(type), Object.getOwnPropertyNames(type.prototype ?? {})]),
});
const functions = () =>
  new Map([
    ...Object.entries({ console, process, stdout: process.stdout, stderr: process.stderr, JSON, Math, Date, Promise, v8 }).flatMap(
      ([owner, object]) =>
        Object.keys(Object.getOwnPropertyDescriptors(object))
          .filter((name) => typeof object[name] === 'function')
          .map((name) => [owner + '.' + name, object[name]])),
    ...Object.entries({ setTimeout, setInterval, setImmediate, clearTimeout, queueMicrotask, fetch }),
    ...['on', 'emit', 'emitWarning', 'exit', 'kill'].map((name) => ['process.' + name, process[name]]),
    ...['write', 'end'].flatMap((name) => [['stdout.' + name, process.stdout[name]], ['stderr.' + name, process.stderr[name]]]),
  ]);
const copy = (value) => JSON.parse(JSON.stringify(value));
// Node makes them when they are first looked at, and changes process.chdir with the first thread.
void [process.stdin, fetch, globalThis.WebSocket];
await once(new Worker('', { eval: true }), 'exit');

const before = copy(state());
const functionsBefore = functions();
const changes = [];
const check = (when) => {
  const now = copy(state());
  for (const name of Object.keys(before))
    if (JSON.stringify(now[name]) !== JSON.stringify(before[name]))
      changes.push({ when, name, before: before[name], now: now[name] });
  const functionsNow = functions();
  for (const name of new Set([...functionsBefore.keys(), ...functionsNow.keys()]))
    if (functionsNow.get(name) !== functionsBefore.get(name)) changes.push({ when, name });
};

const { createDevnet, followDevnet } = await import(${JSON.stringify(built)});
check('after the import');
const quiet = { onConsole() {} };
const use = async (chain) => {
  const request = (method, ...params) => chain.provider.request({ method, params }).catch((error) => error);
  const [from, to] = await chain.provider.request({ method: 'eth_accounts' });
  await request('eth_sendTransaction', { from, to, value: '0x1' });
  // Long enough for the command to limit its garbage, then a tracer with a thread of its own, then what is loaded late.
  await request('eth_call', { data: '0x5b5f56', gas: '0x989680' });
  await request('debug_traceCall', { from, to }, 'latest', { tracer: '{ fault() {}, result() { return 1 } }' });
  await request('eth_call', { to: '0x000000000000000000000000000000000000000b', data: '0x' + '00'.repeat(256) });
  await request('no_such_method');
};
for (const options of [
  { automine: true },
  { blockTime: 0.5, flashblockInterval: 100, port: 0 },
  { automine: true, engine: 'shadow', compat: 'hardhat', logLevel: 'info', silent: true },
]) {
  const chain = await createDevnet(options, quiet);
  check('while it runs');
  await use(chain);
  if (chain.url) {
    const follower = await followDevnet(chain.url.replace('http', 'ws') + '/flashblocks', {}, quiet);
    await use(follower);
    await follower.close();
  }
  check('while it runs, after requests');
  await chain.close();
  check('after close');
}
await createDevnet({ noSuchOption: 1 }).catch(() => {});
await createDevnet({ blockTime: -1 }).catch(() => {});
check('after a chain that could not start');
console.log(JSON.stringify(changes));
// The runner's own handler would hide it.
process.once('exit', (code) => console.log(code));
`;

it('createDevnet changes no setting of its process, and nothing is left of it after close', async () => {
  const args = ['--input-type=module', '--eval', CHILD];
  const { NODE_OPTIONS: _, ...env } = process.env;
  // It ends by itself: nothing in it calls process.exit.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env, timeout: 100_000 });
  expect(stderr).toBe('');
  expect(stdout.split('\n')).toEqual(['[]', '0', '']);
}, 120_000);
