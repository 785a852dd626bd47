import type { Command } from 'commander';
import { printable } from '../log/printable.ts';
import { failureOf } from '../remote/failure.ts';
import { Refused } from '../remote/transport.ts';
import type { MemberStatus } from '../rpc/member.ts';
import type { Io } from './main.ts';
import { exitAfterParsing, ownCommand } from './own-command.ts';

/** Time limit in milliseconds of a request that is normally answered at once. */
const ANSWER_MS = 5_000;

/** Defines the command line of `devnet promote`. */
export function promoteLine(io: Io): Command {
  return ownCommand('promote', io)
    .description('Makes a follower the leader of its chain, which goes on from the last task in the log.')
    .argument('<url>', "the follower's JSON-RPC, http://host:port");
}

interface Answer {
  readonly result?: MemberStatus;
  readonly error?: { readonly message: string };
}

/** @throws Error in one line if there is no answer, or it isn't JSON-RPC */
async function ask(url: string, method: string, signal?: AbortSignal): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method });
  const headers = { 'content-type': 'application/json' };
  try {
    const response = await fetch(url, { method: 'POST', headers, body, ...(signal && { signal }) });
    const text = await response.text();
    const answer = text.startsWith('{') ? (JSON.parse(text) as Answer) : {};
    if (answer.result === undefined && !answer.error)
      throw new Refused(`HTTP ${response.status}, but no JSON-RPC`);
    return answer;
  } catch (error) {
    const reason = signal?.aborted ? `nothing within ${ANSWER_MS / 1_000} s` : failureOf(error).reason;
    throw new Error(`no answer from ${url}: ${reason}`);
  }
}

/** `devnet promote URL`: makes the follower at this URL the leader of its log in Redis. @returns the exit code */
export async function promoteCommand(args: readonly string[], io: Io): Promise<number> {
  const program = promoteLine(io);
  const exit = exitAfterParsing(program, args);
  if (exit !== undefined) return exit;
  const [url] = program.args as [string];
  // A promotion takes as long as the previous leader's lease; this request shows quickly whether a node answers.
  await ask(url, 'web3_clientVersion', AbortSignal.timeout(ANSWER_MS));
  const { result, error } = await ask(url, 'devnet_promote');
  if (!result) throw new Error(error?.message ?? `${url} gives no JSON-RPC answer`);
  const { leader, position } = result;
  io.stdout.write(`${printable(`${leader} leads the chain from task ${position} of its log on`)}\n`);
  return 0;
}
