import type { Block } from '../chain/block.ts';
import type { Tracing } from '../simulate/tracing.ts';
import type { RpcParityTrace } from './format-parity.ts';
import { type Hex, hex } from './hex.ts';
import type { TraceConfig } from './trace-config.ts';
import { PARITY, parityTrace, traceOf } from './tracers.ts';

/** Every transaction of a block under a tracer of its own. */
export async function traceBlock(
  tracing: Tracing,
  block: Block,
  config: TraceConfig,
): Promise<{ txHash: Hex; result: unknown }[]> {
  const results = await tracing.block(block, (index) => traceOf(config, { block, index }));
  return results.map((result, index) => ({ txHash: hex(block.transactions[index]!.hash), result }));
}

/** Every call of a block in OpenEthereum's format. The genesis block has none. Rewards aren't listed. */
export async function parityBlock(tracing: Tracing, block: Block): Promise<RpcParityTrace[]> {
  if (block.header.number === 0n || block.transactions.length === 0) return [];
  return (await tracing.block(block, (index) => parityTrace(PARITY, { block, index }))).flat();
}
