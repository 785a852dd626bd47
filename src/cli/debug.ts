import type { AddressInfo } from 'node:net';
import type { PrefixedHexString } from '@ethereumjs/util';
import type { Command } from 'commander';
import { SystemClock } from '../clock.ts';
import { printable } from '../log/printable.ts';
import { callText } from '../sources/abi/argument-text.ts';
import { Contracts } from '../sources/contracts.ts';
import { sourceLines } from '../stack-trace/stack-text.ts';
import type { StackTrace } from '../stack-trace/stack-trace.ts';
import { askNode, USUAL_URL } from './ask-node.ts';
import type { SessionOptions } from './dap/session.ts';
import type { Io } from './main.ts';
import { exitAfterParsing, ownCommand } from './own-command.ts';
import { untilSignal } from './until-signal.ts';

/** Maximum number of stack frames that are shown. */
const MAX_FRAMES = 100;

/** Defines the command line of `devnet debug`. */
export function debugLine(io: Io): Command {
  return ownCommand('debug', io)
    .description(
      'Tells where in its Solidity source a transaction of a running node failed: the call stack, the failure first, with the lines.\n\nThe node reads the build infos of the project: see docs/stack-traces.md.',
    )
    .argument('[hash]', 'hash of the transaction')
    .option('--rpc <url>', `JSON-RPC of the node (${USUAL_URL})`)
    .option(
      '--artifacts <folder>',
      'folder of compiled contracts, whose ABIs name the arguments (artifacts and out)',
    )
    .option('--dap', 'let an editor step through it, by the Debug Adapter Protocol on stdin and stdout')
    .option('--port <port>', 'with --dap: wait for editors at a port of this machine instead');
}

/** The parts of a transaction that are used. */
interface Sent {
  readonly to: string | null;
  readonly from: string;
  readonly input: PrefixedHexString;
  readonly blockNumber: string | null;
}

/** `devnet debug [HASH]`. @returns the exit code, also 0 if the transaction failed */
export async function debugCommand(args: readonly string[], io: Io): Promise<number> {
  const program = debugLine(io);
  const exit = exitAfterParsing(program, args);
  if (exit !== undefined) return exit;
  const [hash] = program.args;
  const { rpc, artifacts, dap, port } = program.opts<Flags>();
  if (hash !== undefined || !dap) checkHash(hash);
  if (dap) return serve({ hash, url: rpc, folder: process.cwd() }, port, io);
  if (port !== undefined) throw new Error('--port needs --dap');
  return tell(hash!, rpc ?? USUAL_URL, artifacts, io);
}

interface Flags {
  readonly rpc?: string;
  readonly artifacts?: string;
  readonly dap?: boolean;
  readonly port?: string;
}

function checkHash(hash: string | undefined): void {
  if (!/^0x[\da-f]{64}$/i.test(hash ?? ''))
    throw new Error(`expected the hash of a transaction, got '${printable(hash ?? '')}'`);
}

/** Lets editors step through transactions: one editor over stdin and stdout, or several over a port until a signal. */
async function serve(options: SessionOptions, port: string | undefined, io: Io): Promise<number> {
  const { serveEditor, serveEditors } = await import('./dap/serve.ts');
  if (port === undefined) {
    await serveEditor(process.stdin, process.stdout, options);
    // An open stdin would keep the process alive.
    process.stdin.destroy();
    return 0;
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new Error(`--port: expected a port from 0 to 65535, got '${printable(port)}'`);
  const stop = untilSignal(io);
  const server = await serveEditors(Number(port), options, (reason) =>
    io.stderr.write(`error: ${printable(reason)}\n`),
  );
  const { port: bound } = server.address() as AddressInfo;
  io.stdout.write(`Editors can debug at 127.0.0.1:${bound}\n`);
  await stop.requested;
  stop[Symbol.dispose]();
  server.close();
  return 0;
}

/** Prints where a transaction failed. */
async function tell(hash: string, url: string, artifacts: string | undefined, io: Io): Promise<number> {
  const sent = await askNode<Sent | null>(url, 'eth_getTransactionByHash', hash);
  if (!sent) throw new Error(`${url} has no transaction ${hash}`);
  const trace =
    sent.blockNumber === null ? undefined : await askNode<StackTrace | null>(url, 'devnet_stackTrace', hash);
  const lines = [`Transaction ${hash}`, `  from ${sent.from}`, `  ${await calledText(sent, artifacts)}`];
  if (trace === undefined) lines.push('  It waits for its block.');
  else if (trace === null) lines.push('  It succeeded.');
  else lines.push('', trace.message, ...sourceLines(trace, MAX_FRAMES));
  io.stdout.write(`${lines.map(printable).join('\n')}\n`);
  return 0;
}

/** Describes what a transaction calls, with the arguments if an ABI of the project has the function. */
async function calledText({ to, input }: Sent, artifacts: string | undefined): Promise<string> {
  if (to === null) return 'creates a contract';
  const contracts = new Contracts({ artifacts }, { clock: new SystemClock() });
  const decoded = input.length < 10 ? undefined : (await contracts.decoder()).call(input);
  if (!decoded || decoded.broken) return `to ${to}${input === '0x' ? '' : ` with ${input.slice(0, 74)}`}`;
  return `to ${to}: ${callText(decoded, 'named')}`;
}
