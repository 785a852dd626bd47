import { EventEmitter } from 'node:events';
import { type Io, main } from '../../src/cli/main.ts';
import { type Started, startNode } from '../../src/start.ts';
import { callsOf } from '../wire.ts';

/**
 * Runs a command line in this process: a real node on a free port, whose time stands still unless the line says otherwise.
 * Arguments with spaces are given by themselves.
 */
export async function runLine(line: string, ...more: readonly string[]) {
  const args = [...line.split(' ').filter((arg) => arg !== ''), ...more, '--port', '0', '--manual-clock'];
  const signals = new EventEmitter();
  const printed = { stdout: '', stderr: '' };
  let started: (node: Started) => void = () => {};
  const running = new Promise<Started>((resolve) => {
    started = resolve;
  });
  const io: Io = {
    version: '1.2.3',
    stdout: {
      write: (text) => {
        printed.stdout += text;
      },
    },
    stderr: {
      write: (text) => {
        printed.stderr += text;
      },
    },
    env: {},
    signals,
    exit: () => {},
    flush: async () => {},
    load: async () => async (options, hooks) => {
      const node = await startNode(options, hooks);
      started(node);
      return node;
    },
    loadFollow: () => Promise.reject(new Error('not here')),
  };
  const ended = main(args, io);
  const node = await Promise.race([
    running,
    ended.then((code) => {
      throw new Error(`it ended with ${code}: ${printed.stderr}`);
    }),
  ]);
  const accounts = node.accounts.map(({ address }) => address.toString());
  const rpc = callsOf(node);
  return {
    node,
    rpc,
    accounts,
    printed,
    /** Moves time. The command line's node has a manual clock. */
    advance: (ms: number) => rpc('devnet_tick', ms),
    number: async () => Number(await rpc('eth_blockNumber')),
    block: (tag = 'latest') => rpc('eth_getBlockByNumber', tag, false),
    send: (fields: object = {}) =>
      rpc('eth_sendTransaction', {
        from: accounts[0],
        to: accounts[1],
        value: '0x1',
        gas: '0x5208',
        ...fields,
      }),
    /** Ends it as SIGTERM does. @returns the exit code */
    async end() {
      signals.emit('SIGTERM');
      return ended;
    },
  };
}

export type RunningLine = Awaited<ReturnType<typeof runLine>>;
