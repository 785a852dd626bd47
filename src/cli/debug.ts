import type { PrefixedHexString } from '@ethereumjs/util';
import type { Command } from 'commander';
import { SystemClock } from '../clock.ts';
import { printable } from '../log/printable.ts';
import { failureOf } from '../remote/failure.ts';
import { Refused } from '../remote/transport.ts';
import { callText } from '../sources/abi/argument-text.ts';
import { Contracts } from '../sources/contracts.ts';
import { sourceLines } from '../stack-trace/stack-text.ts';
import type { StackTrace } from '../stack-trace/stack-trace.ts';
import type { Io } from './main.ts';
import { exitAfterParsing, ownCommand } from './own-command.ts';

/** Where a node listens that was started without flags. */
const USUAL_URL = 'http://127.0.0.1:8545';
/** Entries of the stack that are shown. */
const MOST_FRAMES = 100;

/** What `devnet debug` takes. */
export function debugLine(io: Io): Command {
  return ownCommand('debug', io)
    .description(
      'Tells where in its Solidity source a transaction of a running node failed: the call stack, the failure first, with the lines.\n\nThe node reads the build infos of the project: see docs/stack-traces.md.',
    )
    .argument('<hash>', 'hash of the transaction')
    .option('--rpc <url>', `JSON-RPC of the node (${USUAL_URL})`, USUAL_URL)
    .option(
      '--artifacts <folder>',
      'folder of compiled contracts, whose ABIs name the arguments (artifacts and out)',
    );
}

/** What is read of a transaction. */
interface Sent {
  readonly to: string | null;
  readonly from: string;
  readonly input: PrefixedHexString;
  readonly blockNumber: string | null;
}

/** `devnet debug HASH`. @returns the exit code: 0 also where the transaction failed */
export async function debugCommand(args: readonly string[], io: Io): Promise<number> {
  const program = debugLine(io);
  const exit = exitAfterParsing(program, args);
  if (exit !== undefined) return exit;
  const [hash] = program.args as [string];
  if (!/^0x[\da-f]{64}$/i.test(hash))
    throw new Error(`expected the hash of a transaction, got '${printable(hash)}'`);
  const { rpc: url, artifacts } = program.opts<{ rpc: string; artifacts?: string }>();
  const sent = await ask<Sent | null>(url, 'eth_getTransactionByHash', hash);
  if (!sent) throw new Error(`${url} has no transaction ${hash}`);
  const trace =
    sent.blockNumber === null ? undefined : await ask<StackTrace | null>(url, 'devnet_stackTrace', hash);
  const lines = [`Transaction ${hash}`, `  from ${sent.from}`, `  ${await calledText(sent, artifacts)}`];
  if (trace === undefined) lines.push('  It waits for its block.');
  else if (trace === null) lines.push('  It succeeded.');
  else lines.push('', trace.message, ...sourceLines(trace, MOST_FRAMES));
  io.stdout.write(`${lines.map(printable).join('\n')}\n`);
  return 0;
}

/** What a transaction calls, with the arguments, where an ABI of the project has the function. */
async function calledText({ to, input }: Sent, artifacts: string | undefined): Promise<string> {
  if (to === null) return 'creates a contract';
  const contracts = new Contracts({ artifacts }, { clock: new SystemClock() });
  const decoded = input.length < 10 ? undefined : (await contracts.decoder()).call(input);
  if (!decoded || decoded.broken) return `to ${to}${input === '0x' ? '' : ` with ${input.slice(0, 74)}`}`;
  return `to ${to}: ${callText(decoded, 'named')}`;
}

/** @throws Error in one line with the node's refusal, or where there is no answer of JSON-RPC */
async function ask<T>(url: string, method: string, ...params: readonly unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  let answer: { readonly result?: T; readonly error?: { readonly message: string } };
  try {
    const response = await fetch(url, { method: 'POST', headers, body });
    const text = await response.text();
    if (!text.startsWith('{')) throw new Refused(`HTTP ${response.status}, but no JSON-RPC`);
    answer = JSON.parse(text);
  } catch (error) {
    throw new Error(`no answer from ${url}: ${failureOf(error).reason}`);
  }
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result as T;
}
