import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ERRORS } from '../../../src/errors.ts';
import { MAX_LEVELS } from '../../../src/rpc/parse-json.ts';
import { Random } from '../../random.ts';
import type { Wire } from '../../wire.ts';
import { type Channel, httpChannel, ipcChannel, webSocketChannel } from './abuse/channels.ts';
import { Parameters } from './abuse/parameters.ts';
import { rpc, useCommand } from './devnet-process.ts';

/** `npm run test:abuse` sets them. */
const REQUESTS = Number(process.env.REQUESTS ?? 600);
const SEED = Number(process.env.SEED ?? 1);
/** further options of the node */
const OPTIONS = (process.env.OPTIONS ?? '').split(' ').filter(Boolean);
const LANES = 4;
const IDLE = Math.min(1_000, Math.ceil(REQUESTS / 50));
const SLOW_READERS = 5;
/** A request without an answer for so long, in ms, hangs. */
const HANG = 60_000;
/** MiB that the process may have grown by when all is closed, besides half of what it had after a third. */
const GROWTH = 100;

/** They write or read files, ask other nodes, or make as many blocks as they are told to. */
const LEFT_OUT =
  /^(anvil_reset|anvil_setRpcUrl|anvil_mine|devnet_startRecording|devnet_stopRecording|devnet_tick|devnet_holdFlashblocks|devnet_delaySeal)$/;

const command = useCommand();

interface Asked {
  readonly text: string;
  /** of the answers, as JSON; none = nothing is answered */
  readonly ids: readonly string[];
  /** the connection may be closed */
  readonly isMalformed?: boolean;
}

class Requests {
  readonly #random: Random;
  readonly #parameters = Parameters.learn(new Random('lessons'));
  readonly #names = [...this.#parameters.keys()].filter((name) => !LEFT_OUT.test(name));

  constructor(random: Random) {
    this.#random = random;
  }

  next(kind: Channel['kind']): Asked {
    const random = this.#random;
    // Over IPC, a sequence of JSON texts, an unfinished one may go on.
    if (kind !== 'ipc' && random.chance(0.02)) return this.#malformed();
    if (random.chance(0.95)) {
      const call = this.#call();
      return { text: JSON.stringify(call), ids: idsOf(call) };
    }
    const calls = Array.from({ length: 1 + random.below(5) }, () => this.#call());
    return { text: JSON.stringify(calls), ids: idsOf(calls) };
  }

  #call() {
    const random = this.#random;
    const method = random.chance(0.99)
      ? random.pick(this.#names)
      : random.pick(['', 'eth_', 'constructor', '__proto__']);
    const id = random.pick([random.below(2 ** 31), `id ${random.below(1e6)}`, 1.5, -1, '', 'é']);
    return { jsonrpc: '2.0', id, method, params: this.#parameters.get(method)?.make(random) ?? [] };
  }

  #malformed(): Asked {
    const random = this.#random;
    const { text } = { text: JSON.stringify(this.#call()) };
    const cut = text.slice(0, 1 + random.below(text.length - 1));
    return random.pick<Asked>([
      { text: `${cut}}}`, ids: ['null'], isMalformed: true },
      { text: '[]', ids: ['null'], isMalformed: true },
      { text: '1', ids: ['null'], isMalformed: true },
      { text: '{"jsonrpc":"2.0","id":{},"method":"eth_chainId"}', ids: ['null'], isMalformed: true },
      { text: '{"jsonrpc":"2.0","id":7,"method":7}', ids: ['7', 'null'], isMalformed: true },
    ]);
  }
}

/** The ids of the answers. A text that is nested too deeply is refused as a whole, before anybody knows of its ids. */
function idsOf(body: { readonly id: unknown } | readonly { readonly id: unknown }[]): string[] {
  return depthOf(body) > MAX_LEVELS ? ['null'] : [body].flat().map(({ id }) => JSON.stringify(id));
}

/** Levels of arrays and objects in each other, at most those that count. */
function depthOf(value: unknown): number {
  let level: unknown[] = [value];
  for (let depth = 0; ; depth++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0 || depth > MAX_LEVELS + 1) return depth;
  }
}

/** @throws Error where the answer isn't one, or says that the node has failed */
function check({ text, ids, isMalformed }: Asked, answer: string): void {
  const answers: Wire[] = [JSON.parse(answer)].flat();
  const got = answers.map(({ id }) => JSON.stringify(id ?? null));
  const expected = isMalformed ? got.filter((id) => ids.includes(id)) : ids;
  expect([...got].sort(), 'ids').toEqual([...expected].sort());
  for (const { jsonrpc, result, error } of answers) {
    expect(jsonrpc).toBe('2.0');
    expect(result === undefined, 'a result or an error').toBe(error !== undefined);
    if (error) {
      expect(Number.isInteger(error.code) && typeof error.message === 'string', text).toBe(true);
      // Some methods answer -32603 with a text of their own, as anvil does.
      expect(error.message).not.toBe(ERRORS.internal.message());
    }
  }
}

/** MiB of its own. What LevelDB maps of its files is the system's cache: hundreds of MiB once the chain is that large. */
const memoryOf = (pid: number) => {
  const [, kib] = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
};

it(
  'whatever is asked, over HTTP, WebSocket and IPC at once, is answered by its id, and nothing of it stays',
  async () => {
    const ipc = join(command.dir, 'node.ipc');
    const running = command.run(
      ['--port', '0', '--ipc', ipc, '--rpc-timeout', '5000', '--prune-history', '100', ...OPTIONS],
      { env: { TMPDIR: command.dir } },
    );
    const url = await running.listening();
    const random = new Random(SEED);
    const requests = new Requests(random);
    const open: Record<Channel['kind'], () => Promise<Channel>> = {
      http: async () => httpChannel(url),
      ws: () => webSocketChannel(url),
      ipc: () => ipcChannel(ipc),
    };
    const idle = Array.from({ length: IDLE }, () => new WebSocket(url.replace('http', 'ws')));
    const slow = Array.from({ length: SLOW_READERS }, () => new WebSocket(url.replace('http', 'ws')));
    for (const socket of [...idle, ...slow]) socket.on('error', () => {});
    for (const socket of slow)
      socket.on('open', () => {
        for (let id = 0; id < 100; id++)
          for (const topic of ['newHeads', 'newPendingTransactions'])
            socket.send(
              JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_subscribe', params: [topic, true] }),
            );
        socket.pause();
      });
    let asked = 0;
    let third = 0;
    const refusals = new Map<number, number>();
    /** by method, the first one */
    const faults = new Map<string, string>();
    const lane = async (kind: Channel['kind']) => {
      let channel = await open[kind]();
      while (asked < REQUESTS) {
        if (++asked === Math.ceil(REQUESTS / 3)) third = memoryOf(running.child.pid!);
        if (process.env.REQUESTS && asked % 20_000 === 0)
          process.stdout.write(`${asked} requests, ${Math.round(memoryOf(running.child.pid!))} MiB\n`);
        const request = requests.next(kind);
        const late = sleep(HANG, 'late' as const, { ref: false });
        try {
          const answer = await Promise.race([channel.ask(request.text), late]);
          if (answer === 'late') throw new Error('no answer: it hangs');
          if (answer === undefined) {
            if (!request.isMalformed) throw new Error('the connection was closed');
            channel = await open[kind]();
            continue;
          }
          check(request, answer);
          for (const { error } of [JSON.parse(answer)].flat())
            if (error) refusals.set(error.code, (refusals.get(error.code) ?? 0) + 1);
        } catch (error) {
          const method = /"method":"(\w*)"/.exec(request.text)?.[1] ?? '';
          faults.set(method, faults.get(method) ?? `${kind}: ${request.text.slice(0, 2_000)}\n${error}`);
          channel.close();
          channel = await open[kind]();
        }
      }
      channel.close();
    };
    const kinds = ['http', 'ws', 'ipc'] as const;
    const lanes = Promise.all(kinds.flatMap((kind) => Array.from({ length: LANES }, () => lane(kind))));
    await lanes.catch(async (error) => {
      await Promise.race([running.exited, sleep(5_000, undefined, { ref: false })]);
      throw running.child.exitCode === null ? error : new Error(`the node ended: ${running.stderr}`);
    });
    for (const socket of [...idle, ...slow]) socket.terminate();
    expect([...faults.values()], `seed ${SEED}`).toEqual([]);
    // It answers, and goes on making blocks.
    await rpc(url, 'evm_mine');
    expect(running.child.exitCode, running.stderr).toBeNull();
    let memory = memoryOf(running.child.pid!);
    for (let i = 0; i < 20 && memory > third * 1.5 + GROWTH; i++, memory = memoryOf(running.child.pid!))
      await sleep(500);
    const refused = JSON.stringify(Object.fromEntries([...refusals].sort()));
    if (process.env.REQUESTS)
      process.stdout.write(
        `${asked} requests: ${Math.round(third)} MiB after a third, ${Math.round(memory)} at the end; errors ${refused}\n`,
      );
    expect(memory, 'MiB at the end').toBeLessThan(third * 1.5 + GROWTH);
    expect(await running.kill('SIGTERM'), running.stderr).toBe(0);
  },
  60_000 + REQUESTS * 20,
);
