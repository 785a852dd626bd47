import type { Command } from 'commander';
import { printable } from '../log/printable.ts';
import type { MemberStatus } from '../rpc/member.ts';
import type { Io } from './main.ts';
import { exitAfterParsing, ownCommand } from './own-command.ts';

/** What `devnet promote` takes. */
export function promoteLine(io: Io): Command {
  return ownCommand('promote', io)
    .description('Makes a follower the leader of its chain, which goes on from the last task in the log.')
    .argument('<url>', "the follower's JSON-RPC, http://host:port");
}

/** `devnet promote URL`: makes the follower of a log in Redis that answers there its leader. @returns the exit code */
export async function promoteCommand(args: readonly string[], io: Io): Promise<number> {
  const program = promoteLine(io);
  const exit = exitAfterParsing(program, args);
  if (exit !== undefined) return exit;
  const [url] = program.args as [string];
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'devnet_promote' }),
  }).catch((error: Error) => {
    throw new Error(`no answer from ${url}: ${(error.cause as Error | undefined)?.message ?? error.message}`);
  });
  const { result, error } = (await response.json()) as {
    result?: MemberStatus;
    error?: { message: string };
  };
  if (!result) throw new Error(error?.message ?? `${url} gives no JSON-RPC answer`);
  const { leader, position } = result;
  io.stdout.write(`${printable(`${leader} leads the chain from task ${position} of its log on`)}\n`);
  return 0;
}
