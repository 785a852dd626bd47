import { DevnetError } from '../../errors.ts';
import type { CallRequest } from '../call-request.ts';
import type { BlockOverrides, StateOverrides } from '../overrides.ts';

/** One block of an `eth_simulateV1` payload. */
export interface SimulationStep {
  readonly calls: readonly CallRequest[];
  readonly stateOverrides?: StateOverrides;
  readonly blockOverrides?: BlockOverrides;
}

/** The payload of `eth_simulateV1`. */
export interface SimulationRequest {
  readonly blockStateCalls: readonly SimulationStep[];
  /** adds a log for every transfer of ETH */
  readonly traceTransfers: boolean;
  /** checks nonces, balances and fees as in a real block */
  readonly validation: boolean;
  /** Result blocks contain complete transactions; otherwise only their hashes. */
  readonly returnFullTransactions: boolean;
}

/** A block to simulate, with its number and time. */
export interface PlannedBlock extends SimulationStep {
  readonly number: bigint;
  /** seconds */
  readonly time: bigint;
}

/** Where the simulation starts. */
export interface PlanStart {
  /** number of the block that the first simulated one follows */
  readonly number: bigint;
  /** timestamp of that block, seconds */
  readonly time: bigint;
  /** timestamp of the open block, seconds: default of the first simulated block. Absent on a sealed base. */
  readonly firstTime?: bigint | undefined;
  /** default time from a block to the next one, seconds */
  readonly increment: bigint;
}

/** geth's limit; includes the empty blocks that fill gaps. */
const MAX_BLOCKS = 256;
const MAX_CALLS_PER_BLOCK = 5_000;
const MAX_CALLS = 10_000;

/**
 * Decides number and time of each block, and fills gaps between numbers with empty blocks, like geth's `sanitizeChain`.
 * @throws DevnetError -32602 for no blocks, -38026 over the limits, -38020 and -38021 for numbers and times out of
 *   order
 */
export function planBlocks(requests: readonly SimulationStep[], start: PlanStart): PlannedBlock[] {
  checkLimits(requests);
  const planned: PlannedBlock[] = [];
  let previous = { number: start.number, time: start.time };
  const follow = (
    { calls, stateOverrides, blockOverrides }: SimulationStep,
    number: bigint,
    wanted: bigint | undefined,
  ) => {
    const first = planned.length === 0 ? start.firstTime : undefined;
    const time = wanted ?? first ?? previous.time + start.increment;
    if (time <= previous.time && first !== time)
      throw new DevnetError('blockTimeOrder', { got: time, previous: previous.time });
    previous = { number, time };
    // No object spreads: they would take longer than the rest of this function.
    const block: { -readonly [K in keyof PlannedBlock]: PlannedBlock[K] } = { calls, number, time };
    if (stateOverrides) block.stateOverrides = stateOverrides;
    if (blockOverrides) block.blockOverrides = blockOverrides;
    planned.push(block);
  };
  for (const block of requests) {
    const number = block.blockOverrides?.number ?? previous.number + 1n;
    if (number <= previous.number)
      throw new DevnetError('blockNumberOrder', { got: number, previous: previous.number });
    if (number - start.number > MAX_BLOCKS)
      throw new DevnetError('clientLimit', { reason: 'too many blocks' });
    while (previous.number + 1n < number) follow({ calls: [] }, previous.number + 1n, undefined);
    follow(block, number, block.blockOverrides?.time);
  }
  return planned;
}

function checkLimits(requests: readonly SimulationStep[]): void {
  const over = (what: string, got: number, max: number) =>
    new DevnetError('clientLimit', { reason: `too many ${what}: ${got} > ${max}` });
  if (requests.length === 0)
    throw new DevnetError('invalidParams', { reason: 'empty input: blockStateCalls has no blocks' });
  if (requests.length > MAX_BLOCKS) throw over('blocks', requests.length, MAX_BLOCKS);
  let calls = 0;
  for (const block of requests) {
    calls += block.calls.length;
    if (block.calls.length > MAX_CALLS_PER_BLOCK)
      throw over('calls in block', block.calls.length, MAX_CALLS_PER_BLOCK);
  }
  if (calls > MAX_CALLS) throw over('calls', calls, MAX_CALLS);
}
