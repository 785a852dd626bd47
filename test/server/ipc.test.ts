import { spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IpcSocketProvider } from 'ethers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ManualClock } from '../../src/clock.ts';
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.ts';
import { defineMethod } from '../../src/rpc/define-method.ts';
import { Dispatcher } from '../../src/rpc/dispatch.ts';
import { RpcIpc } from '../../src/server/ipc.ts';
import { eventually } from '../eventually.ts';
import { fakeContext } from '../rpc/fake-chain.ts';

let dir: string;
let ipc: string;
let node: Devnet;
let socket: Socket | undefined;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devnet-ipc-'));
  ipc = join(dir, 'node.ipc');
});
afterEach(async () => {
  socket?.destroy();
  socket = undefined;
  await node.close();
  rmSync(dir, { recursive: true });
});

const start = async (options: DevnetOptions = {}) => {
  node = await createDevnet({ ipc, automine: true, ...options });
};

/** Writes, and reads so many lines. */
async function exchange(text: string, lines: number): Promise<unknown[]> {
  socket ??= connect(ipc);
  let read = '';
  socket.write(text);
  for await (const bytes of on(socket, 'data', { close: ['end'] })) {
    read += bytes;
    if (read.split('\n').length > lines) break;
  }
  return read
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const call = (id: number, method: string, ...params: unknown[]) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

it('ethers reads, sends and hears of blocks over it', async () => {
  await start();
  const provider = new IpcSocketProvider(ipc);
  const block = new Promise((resolve) => provider.once('block', resolve));
  const signer = await provider.getSigner(0);
  const sent = await signer.sendTransaction({ to: signer.address, value: 1n });
  expect((await sent.wait())?.status).toBe(1);
  expect(await block).toBe(1);
  await provider.destroy();
});

it('requests and batches in one packet, without anything between, are all answered', async () => {
  await start();
  const answers = await exchange(`${call(1, 'eth_chainId')}[${call(2, 'eth_blockNumber')}]x\n`, 3);
  // In the order in which they are done, as over WebSocket.
  expect(answers).toHaveLength(3);
  expect(answers).toContainEqual({ jsonrpc: '2.0', id: 1, result: '0x7a69' });
  expect(answers).toContainEqual([{ jsonrpc: '2.0', id: 2, result: '0x0' }]);
  expect(answers).toContainEqual(
    expect.objectContaining({ error: expect.objectContaining({ code: -32700 }) }),
  );
});

it('a long answer that is streamed is one line, and nothing comes between its pieces', async () => {
  await start();
  // 20,000 steps: JUMPDEST, GAS, POP, over and over.
  const trace = { data: '0x5b5a50600056', gas: '0x13880' };
  const [first, second] = (await exchange(
    call(1, 'debug_traceCall', trace, 'latest', {}) + call(2, 'debug_traceCall', trace, 'latest', {}),
    2,
  )) as { result: { structLogs: unknown[] } }[];
  expect(first!.result.structLogs.length).toBeGreaterThan(1000);
  expect(second!.result.structLogs).toEqual(first!.result.structLogs);
});

it('a request over the limit is refused, and the connection ends', async () => {
  await start({ maxBodySize: 1000 });
  const [answer] = await exchange(call(1, 'web3_sha3', `0x${'00'.repeat(1000)}`).slice(0, -1), 1);
  expect(answer).toMatchObject({ error: { code: -32000 } });
});

it("the socket is for its owner, is gone after the end, and is nobody else's meanwhile", async () => {
  await start();
  expect(statSync(ipc).mode & 0o777).toBe(0o600);
  await expect(createDevnet({ ipc })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await node.close();
  expect(existsSync(ipc)).toBe(false);
});

it('a socket that a killed process left is taken over', async () => {
  const listen = `require('net').createServer().listen(${JSON.stringify(ipc)}, () => console.log('there'))`;
  const killed = spawn(process.execPath, ['-e', listen]);
  await once(killed.stdout, 'data');
  killed.kill('SIGKILL');
  await once(killed, 'close');
  expect(existsSync(ipc)).toBe(true);
  await start();
  socket = connect(ipc);
  await once(socket, 'connect');
});

it('a file at the path is refused and stays', async () => {
  await start();
  const file = join(dir, 'notes.txt');
  writeFileSync(file, 'mine');
  await expect(createDevnet({ ipc: file })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

it('a caller who does not read does not hold up the stop past its grace', async () => {
  const answer = defineMethod({
    name: 'long',
    kind: 'read',
    params: [],
    handler: () => 'x'.repeat(8 * 1024 * 1024),
  });
  const clock = new ManualClock();
  const running = vi.fn();
  const dispatcher = new Dispatcher(
    {},
    { methods: [answer], context: fakeContext(), clock, onCall: running },
  );
  const server = new RpcIpc(
    { bodyLimit: 1000, notificationBuffer: 1000, sendBuffer: 2 ** 30, stopGraceMs: 5_000 },
    { dispatcher, clock },
  );
  await server.start(ipc);
  socket = connect(ipc);
  socket.write(call(1, 'long'));
  await eventually(() => expect(running).toHaveBeenCalled());
  const stopped = server.stop();
  await clock.advance(5_000);
  await stopped;
  await start();
});
