import type { Create, Io } from './main.ts';
import type { Parsed, SubCommand } from './program.ts';

/** `devnet follow ws://host:port/flashblocks`, or `devnet follow --redis URL`. */
export const FOLLOW: SubCommand = {
  name: 'follow',
  description:
    'Serves the chain of another node, fed by its flashblock stream and executed again here. Options of the chain come from the other node.',
  operands: '[stream]',
  flags: {
    '--rpc <url>': "JSON-RPC of the other node (the stream's host and port)",
    '--strict': 'end at the first block whose result differs on this node',
  },
  hidden: ['Fork', 'Mining'],
};

/** Returns the function that starts a follower, for use in place of `createDevnet`. */
export async function following(parsed: Parsed & { kind: 'run' }, io: Io): Promise<Create> {
  const follow = await io.loadFollow();
  const { redis } = parsed.options;
  const [stream = redis] = parsed.operands;
  if (stream === undefined) throw new Error('expected the stream of another node, ws://..., or --redis');
  return ({ redis: _, ...options }, hooks) => follow(stream, { ...parsed.own, ...options }, hooks);
}
