import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { listen, TICKING } from './flashblocks.mjs';
import { startNode } from './node.mjs';
import { Client } from './rpc.mjs';
import { createSenders, etherTransfer } from './senders.mjs';
import { mib, ms, percentile, spread } from './stats.mjs';

/** number of heavy requests in flight */
const LANES = 20;
/** number of these over WebSocket; SOCKETS is the number of their connections */
const SOCKET_LANES = 8;
const SOCKETS = 2;
/** milliseconds between two light requests of one kind */
const GAP_MS = 20;
/** milliseconds after which a heavy request counts as not answered */
const PATIENCE_MS = 40_000;
/** seconds after the last heavy request within which the memory must shrink again */
const REST_S = 20;

/** The code that the heavy requests run: it ends only when the gas is used up. */
export const PROGRAMS = {
  'endless loop': '5b5f56',
  'hashes of 4 KiB': '5b6110005f20505f56',
  'calls of itself': '5b5f5f5f5f5f305af1505f56',
  'contracts that create': '5b385f5f39385f5ff0505f56',
  'memory that grows': '5b611000590151505f56',
  'memory in each frame': '5b61ffff51505f5f5f5f5f305af1505f56',
  'slots written': '5b5a5a555f56',
  'slots read': '5b5a54505f56',
  'accounts read': '5b5a31505f56',
  'copies of 1 MiB': '5b621000005f621000005f60045afa505f56',
};
export const FROM = `0x${'11'.repeat(20)}`;
export const addressOf = (program) =>
  `0x${(0x5000 + Object.keys(PROGRAMS).indexOf(program)).toString(16).padStart(40, '0')}`;

const traced = (call, config) => ['debug_traceCall', [call, 'latest', config]];
/** kind of request -> method and params */
export const REQUESTS = {
  eth_call: (call) => ['eth_call', [call, 'latest']],
  'eth_call at pending': (call) => ['eth_call', [call, 'pending']],
  eth_estimateGas: (call) => ['eth_estimateGas', [call]],
  eth_createAccessList: (call) => ['eth_createAccessList', [call, 'latest']],
  eth_simulateV1: (call) => [
    'eth_simulateV1',
    [{ blockStateCalls: Array.from({ length: 20 }, () => ({ calls: [call, call] })) }, 'latest'],
  ],
  'struct logs': (call) => traced(call, {}),
  'struct logs with memory': (call) => traced(call, { enableMemory: true, enableReturnData: true }),
  callTracer: (call) => traced(call, { tracer: 'callTracer', tracerConfig: { withLog: true } }),
  flatCallTracer: (call) => traced(call, { tracer: 'flatCallTracer' }),
  prestateTracer: (call) => traced(call, { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }),
  trace_call: (call) => ['trace_call', [call, ['trace'], 'latest']],
  'trace_call, all': (call) => ['trace_call', [call, ['trace', 'stateDiff', 'vmTrace'], 'latest']],
};
/** gas of a call: not given, or more than allowed */
const GAS = [{}, { gas: '0xffffffffffff' }];

/** Yields every kind of request with every program; consecutive requests differ in both. */
function* requests() {
  const programs = Object.keys(PROGRAMS);
  const kinds = Object.keys(REQUESTS);
  for (let i = 0; ; i++) {
    const kind = kinds[i % kinds.length];
    const program = programs[(i + Math.floor(i / kinds.length)) % programs.length];
    const call = { from: FROM, to: addressOf(program), ...GAS[(i + Math.floor(i / kinds.length)) % 2] };
    yield { kind, program, body: REQUESTS[kind](call) };
  }
}

/**
 * Keeps twenty endless, recursive and memory-consuming requests of every kind in flight, on many connections, and measures the effect on
 * ticks, short requests and memory, and how each heavy request ends. First with the node's default gas limit, then without one, so that the
 * timeout ends them.
 */
export async function heavy({ bin, heavy: seconds, progress }) {
  const rows = [];
  const limits = [
    ['gas', ['--rpc-timeout', '20000']],
    ['time', ['--call-gas-limit', `${2n ** 53n}`, '--rpc-timeout', '5000']],
  ];
  for (const [name, flags] of limits) rows.push(...(await measure(bin, name, flags, seconds, progress)));
  return rows;
}

async function measure(bin, limit, flags, seconds, progress) {
  const node = await startNode(bin, [...TICKING, ...flags]);
  try {
    for (const [program, code] of Object.entries(PROGRAMS))
      await node.client.call('anvil_setCode', [addressOf(program), `0x${code}`]);
    const light = await lightRequests(node);
    const alone = await during(sleep(3000), light);
    const before = node.rss();
    const stream = await listen(node.port);
    await node.client.call('devnet_metrics', [true]);

    const ends = [];
    const lanes = runLanes(node.port, seconds, ends, progress);
    const most = { rss: 0 };
    const watching = setInterval(() => {
      try {
        most.rss = Math.max(most.rss, node.rss());
      } catch {
        // The node has ended: the next request fails and reports the reason.
      }
    }, 50);
    const busy = await during(lanes, light);
    clearInterval(watching);
    const metrics = await node.client.call('devnet_metrics');
    let after = node.rss();
    for (let waited = 0; waited < REST_S && after > before * 1.1; waited++) {
      await during(sleep(1000), light);
      after = node.rss();
    }
    const title = `heavy, ended by ${limit}`;
    const rows = [
      [
        `${title}: tick drift, p50 / p99 / max`,
        spread(metrics.driftMs),
        `${metrics.ticks} ticks, ${metrics.lateTicks} late`,
      ],
      [`${title}: publication drift, p50 / p99 / max`, spread(stream.drift()), 'by the stream'],
    ];
    for (const [name, times] of Object.entries(busy)) {
      const quiet = alone[name];
      const note = `${times.length} requests; alone ${ms(percentile(quiet, 0.5))} / ${ms(percentile(quiet, 0.99))}`;
      rows.push([`${title}: ${name}, p50 / p99 / max`, spread(spreadOf(times)), note]);
    }
    rows.push([
      `${title}: memory before / most / after`,
      `${mib(before)} / ${mib(most.rss)} / ${mib(after)}`,
      `most by the system: ${mib(node.rss(true))}`,
    ]);
    rows.push(...tally(title, ends));
    stream.close();
    return rows;
  } finally {
    await node.stop();
  }
}

const spreadOf = (times) => ({
  p50: percentile(times, 0.5),
  p99: percentile(times, 0.99),
  max: percentile(times, 1),
});

/** Counts how the heavy requests of each kind ended. */
function tally(title, ends) {
  const kinds = new Map();
  for (const { kind, end } of ends) {
    const counts = kinds.get(kind) ?? new Map();
    kinds.set(kind, counts.set(end, (counts.get(end) ?? 0) + 1));
  }
  return [...kinds].map(([kind, counts]) => [
    `${title}: ends of ${kind}`,
    [...counts.values()].reduce((sum, n) => sum + n, 0),
    [...counts].map(([end, n]) => `${n} x ${end}`).join('; '),
  ]);
}

/** @returns {Promise<Record<string, () => Promise<unknown>>>} short requests, each kind on its own connection */
async function lightRequests(node) {
  const [sender] = await createSenders(node);
  const token = { from: FROM, to: FROM, value: '0x0' };
  let sent = 0;
  const asks = {
    eth_chainId: [],
    eth_getBalance: [sender.address, 'pending'],
    eth_getBlockByNumber: ['latest', false],
    eth_call: [token, 'latest'],
  };
  const light = { eth_sendRawTransaction: () => sender.send(sender.sign(etherTransfer(sent++))) };
  for (const [method, params] of Object.entries(asks)) {
    const client = new Client(node.port);
    light[method] = () => client.call(method, params);
  }
  return light;
}

/** Sends the short requests until `work` is done. @returns the milliseconds of each, by name */
async function during(work, light) {
  let over = false;
  const done = work.finally(() => {
    over = true;
  });
  const times = {};
  const ask = async ([name, run]) => {
    times[name] = [];
    while (!over) {
      const start = performance.now();
      await run();
      times[name].push(performance.now() - start);
      await sleep(GAP_MS);
    }
  };
  await Promise.all([done, ...Object.entries(light).map(ask)]);
  return times;
}

/** Keeps the heavy requests in flight, and waits for the last responses. @param ends receives how each one ended */
async function runLanes(port, seconds, ends, progress) {
  const next = requests();
  const agent = new Agent({ keepAlive: true });
  const sockets = await Promise.all(Array.from({ length: SOCKETS }, () => Socket.open(port)));
  const end = performance.now() + seconds * 1000;
  const lane = async (post, takes) => {
    while (performance.now() < end) {
      let request = next.next().value;
      while (!takes(request)) request = next.next().value;
      const start = performance.now();
      const { text, bytes } = await post(
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: request.body[0], params: request.body[1] }),
      );
      const took = performance.now() - start;
      ends.push({ ...request, ms: took, bytes, end: endOf(text) });
      progress(`${request.kind} | ${request.program} | ${ms(took)} | ${bytes} B | ${endOf(text)}`);
    }
  };
  await Promise.all(
    Array.from({ length: LANES }, (_, i) =>
      i < SOCKET_LANES
        ? // Over HTTP streamed responses are read in chunks; a WebSocket client would collect the whole message.
          lane(
            (body) => sockets[i % SOCKETS].post(body),
            ({ kind }) => !kind.startsWith('struct'),
          )
        : lane(
            (body) => post(port, agent, body),
            () => true,
          ),
    ),
  );
  for (const socket of sockets) socket.close();
  agent.destroy();
}

/** How a request ended: the error, or `result`. @param text the response, or its beginning */
export function endOf(text) {
  const error = /^\{"jsonrpc":"2.0","id":1,"error":\{"code":(-?\d+),"message":"([^"]*)"/.exec(text);
  if (error) return `${error[1]} ${error[2]}`;
  if (text.startsWith('cut') || text.startsWith('no ')) return text;
  return 'result';
}

/** @returns the first characters of the response, and its number of bytes */
export function post(port, agent, body) {
  return new Promise((done) => {
    let text = '';
    let bytes = 0;
    const finish = (why) => {
      clearTimeout(timer);
      done({ text: why ?? text, bytes });
    };
    const timer = setTimeout(() => {
      finish(bytes > 0 ? 'no end of the stream' : 'no answer');
      call.destroy();
    }, PATIENCE_MS);
    const call = request(
      { host: '127.0.0.1', port, agent, method: 'POST', headers: { 'content-type': 'application/json' } },
      (response) => {
        response.on('data', (chunk) => {
          bytes += chunk.length;
          if (text.length < 2000) text += chunk.toString('latin1', 0, 2000);
        });
        response.on('end', () => finish());
        response.on('error', () => finish('cut midway'));
      },
    );
    call.on('error', (error) => finish(`cut: ${error.code}`));
    call.end(body);
  });
}

/** A WebSocket with several requests in flight. */
class Socket {
  #socket;
  #id = 0;
  #waiting = new Map();

  static async open(port) {
    const socket = new Socket();
    socket.#socket = new WebSocket(`ws://127.0.0.1:${port}`);
    socket.#socket.on('message', (data) => {
      const text = data.toString();
      const id = Number(/"id":(\d+)/.exec(text)[1]);
      socket.#waiting.get(id)?.({
        text: text.slice(0, 2000).replace(/"id":\d+/, '"id":1'),
        bytes: text.length,
      });
      socket.#waiting.delete(id);
    });
    await new Promise((done, fail) => socket.#socket.once('open', done).once('error', fail));
    return socket;
  }

  post(body) {
    const id = ++this.#id;
    this.#socket.send(body.replace('"id":1', `"id":${id}`));
    return new Promise((done) => {
      const timer = setTimeout(() => done({ text: 'no answer', bytes: 0 }), PATIENCE_MS);
      this.#waiting.set(id, (answer) => {
        clearTimeout(timer);
        done(answer);
      });
    });
  }

  close() {
    this.#socket.close();
  }
}
