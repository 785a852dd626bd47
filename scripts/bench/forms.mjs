import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { freePort, startProgram } from './node.mjs';

const require = createRequire(import.meta.url);
const A = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const B = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const C = '0x00000000000000000000000000000000000c0de0';
/** Returns the balance of the caller plus slot 0: a small contract, so that mostly the request's overhead is measured. */
const CODE = '0x33315f54015f5260205ff3';
const data = '0x12345678';
const GAS = '0xf4240';

const simulation = (blocks, more) => [
  {
    blockStateCalls: Array.from({ length: blocks }, () => ({ calls: [{ from: A, to: C, data }] })),
    ...more,
  },
];

/** The measured requests, in each of their forms. */
const READS = {
  eth_chainId: ['eth_chainId', []],
  eth_getBalance: ['eth_getBalance', [A, 'latest']],
  'eth_getStorageAt, pending': ['eth_getStorageAt', [C, '0x0', 'pending']],
  eth_call: ['eth_call', [{ to: C, data }, 'latest']],
  'eth_call, with from and gas': ['eth_call', [{ from: A, to: C, data, gas: GAS }, 'latest']],
  'eth_call, pending': ['eth_call', [{ to: C, data }, 'pending']],
  'eth_call, by number': ['eth_call', [{ to: C, data }, '0x1']],
  'eth_call, with an override': ['eth_call', [{ to: C, data }, 'latest', { [A]: { balance: '0x1' } }]],
  eth_estimateGas: ['eth_estimateGas', [{ from: A, to: C, data }]],
  'eth_estimateGas, with gas': ['eth_estimateGas', [{ from: A, to: C, data, gas: GAS }]],
  eth_fillTransaction: ['eth_fillTransaction', [{ from: A, to: C, data }]],
  'eth_simulateV1, 1 x 1': ['eth_simulateV1', [...simulation(1), 'latest']],
  'eth_simulateV1, 2 x 1': ['eth_simulateV1', [...simulation(2), 'latest']],
  'eth_simulateV1, 1 x 1, pending': ['eth_simulateV1', [...simulation(1), 'pending']],
  'eth_simulateV1, 1 x 1, full transactions': [
    'eth_simulateV1',
    [...simulation(1, { returnFullTransactions: true }), 'latest'],
  ],
};
const SENDS = {
  eth_sendTransaction: ['eth_sendTransaction', [{ from: A, to: B, value: '0x1' }]],
  'eth_sendTransaction, with gasPrice': [
    'eth_sendTransaction',
    [{ from: A, to: B, value: '0x1', gasPrice: '0x2540be400' }],
  ],
};
const FORMS = { ...READS, ...SENDS };

const FIRST = 300;
const WARM = 6000;

/**
 * For each form of a request on an automine node: the number of the node's functions that it calls, and its processor time: in the first
 * 300 requests of a new node, in 300 after 6,000 of the same form, and in 300 after 6,000 of all forms in turn.
 */
export async function forms({ bin, progress }) {
  const passed = await functionsPassed(bin);
  const mixed = {};
  await onNewNode(bin, async (node) => {
    await ask(node, Object.values(FORMS), WARM);
    for (const [name, request] of Object.entries(FORMS)) mixed[name] = await ask(node, [request], FIRST);
  });
  const rows = [];
  for (const [name, request] of Object.entries(FORMS)) {
    progress(`  ${name}`);
    await onNewNode(bin, async (node) => {
      const first = await ask(node, [request], FIRST);
      // Transactions take longer, and after some thousands the code is warm.
      await ask(node, [request], name in SENDS ? WARM / 4 : WARM);
      const warm = await ask(node, [request], FIRST);
      const us = [first, warm, mixed[name]].map((value) => value.toFixed(0)).join(', ');
      rows.push([
        name,
        `${passed[name]} functions; ${us} us`,
        'processor time of the first 300, warm, among all forms',
      ]);
    });
  }
  return rows;
}

async function onNewNode(bin, work, flags = []) {
  const port = await freePort();
  const launcher = resolve(import.meta.dirname, '../..', bin);
  const args = [...flags, launcher, '--automine', '--silent', '--port', `${port}`];
  const node = await startProgram(process.execPath, args, port);
  try {
    await node.client.call('anvil_setCode', [C, CODE]);
    for (let i = 0; i < 2; i++) await node.client.call('evm_mine');
    return await work(node);
  } finally {
    await node.stop();
  }
}

/** @returns processor time of the node per request, in microseconds */
async function ask({ client, pid }, requests, count) {
  const before = busyUs(pid);
  let next = 0;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (next < count) await client.call(...requests[next++ % requests.length]);
    }),
  );
  return (busyUs(pid) - before) / count;
}

/** Processor time of all threads of a process so far, in microseconds. */
function busyUs(pid) {
  let ns = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`))
    ns += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  return ns / 1000;
}

/** @returns by form, the number of the node's functions that the third request calls, by V8's precise coverage */
async function functionsPassed(bin) {
  const { WebSocket } = require('ws');
  const inspector = await freePort();
  return onNewNode(
    bin,
    async ({ client }) => {
      const [{ webSocketDebuggerUrl }] = await (await fetch(`http://127.0.0.1:${inspector}/json`)).json();
      const socket = new WebSocket(webSocketDebuggerUrl, { perMessageDeflate: false, maxPayload: 2 ** 30 });
      await new Promise((done, fail) => socket.once('open', done).once('error', fail));
      const waiting = new Map();
      socket.on('message', (text) => {
        const { id, result } = JSON.parse(text);
        waiting.get(id)?.(result);
        waiting.delete(id);
      });
      let id = 0;
      const command = (method, params = {}) =>
        new Promise((done) => {
          waiting.set(++id, done);
          socket.send(JSON.stringify({ id, method, params }));
        });
      const taken = async () => {
        const { result } = await command('Profiler.takePreciseCoverage');
        const own = ({ url }) => url && !url.startsWith('node:') && !url.includes('/node_modules/');
        return result
          .filter(own)
          .flatMap(({ functions }) => functions.filter(({ ranges }) => ranges[0].count > 0)).length;
      };
      await command('Profiler.enable');
      await command('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
      const passed = {};
      for (const [name, request] of Object.entries(FORMS)) {
        for (let i = 0; i < 2; i++) await client.call(...request);
        // Discards the coverage of work that runs after the second response.
        await new Promise((done) => setTimeout(done, 120));
        await taken();
        await client.call(...request);
        passed[name] = await taken();
      }
      socket.close();
      return passed;
    },
    [`--inspect=127.0.0.1:${inspector}`],
  );
}
