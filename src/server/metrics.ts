import { Counter, Gauge, Registry } from 'prom-client';
import type { ForkCounts } from '../remote/cached-endpoint.ts';
import type { ConnectionState, MemberStatus } from '../rpc/member.ts';
import type { TickReport } from '../sequencer/feed/metrics.ts';
import type { CallCount } from './call-counts.ts';

/** All measured values at one point in time. */
export interface MetricsFacts {
  /** number of the newest sealed block */
  readonly head: bigint;
  /** transactions of the open block */
  readonly preconfirmed: number;
  /** transactions in the mempool */
  readonly waiting: number;
  readonly ticks: TickReport;
  readonly calls: Iterable<readonly [method: string, count: Readonly<CallCount>]>;
  readonly subscriptions: number;
  readonly streamReaders: number;
  readonly droppedMessages: number;
  /** blocks whose result differed from the followed node's */
  readonly mismatches: number;
  /** present on a node that shares a log with others */
  readonly member?: MemberStatus | undefined;
  /** present on a node that follows another node's stream */
  readonly followed?: ConnectionState | undefined;
  /** on a forked chain: what was read from the other chain's node */
  readonly fork?: ForkCounts | undefined;
  /** bytes */
  readonly memory: { readonly rss: number; readonly heapUsed: number };
}

/** Formats the values in the text format of Prometheus. */
export async function renderMetrics(facts: MetricsFacts): Promise<{ type: string; text: string }> {
  const registers = [new Registry()];
  const [registry] = registers;
  const gauge = (name: string, help: string, value: number) =>
    new Gauge({ name: `devnet_${name}`, help, registers }).set(value);
  const counter = (name: string, help: string, value: number) =>
    new Counter({ name: `devnet_${name}_total`, help, registers }).inc(value);

  gauge('head_block', 'Number of the newest sealed block', Number(facts.head));
  gauge('preconfirmed_transactions', 'Transactions in the block being built', facts.preconfirmed);
  gauge('mempool_transactions', 'Transactions that wait', facts.waiting);
  gauge('subscriptions', 'Subscriptions of eth_subscribe', facts.subscriptions);
  gauge('stream_readers', 'Readers of the flashblock stream', facts.streamReaders);
  counter('dropped_messages', 'Messages that slow readers lost, once they left', facts.droppedMessages);
  counter('follow_mismatches', 'Blocks of the followed node whose result differs here', facts.mismatches);
  gauge('memory_rss_bytes', 'Memory of the process', facts.memory.rss);
  gauge('memory_heap_bytes', 'Heap in use', facts.memory.heapUsed);

  const { member, followed, fork } = facts;
  if (fork) {
    counter('fork_requests', 'Requests to the node of the forked chain, a batch counted once', fork.requests);
    counter('fork_fetched', 'Values fetched from that node', fork.fetched);
    counter('fork_cached', 'Values read from the fork cache', fork.cached);
  }
  if (followed)
    gauge(
      'follow_heard_seconds',
      'Time since the followed node was last heard, seconds',
      followed.heardMs / 1_000,
    );
  if (member) {
    gauge('log_heard_seconds', 'Time since the log was last heard, seconds', member.heardMs / 1_000);
    gauge('log_leader', '1 on the leader, 0 on followers', member.role === 'leader' ? 1 : 0);
    gauge(
      'log_waiting_tasks',
      'Tasks not yet in the log (leader) or not yet executed (follower)',
      member.waiting,
    );
    counter('log_cuts', 'Times that the log lost tasks', member.cuts);
    quantiles('log_lag', 'From the writing of a task to its execution here', member.lagMs, registers);
  }

  const { ticks } = facts;
  counter('ticks', 'Flashblock slots that were processed', ticks.ticks);
  counter('late_ticks', 'Slots published late by a quarter of an interval or more', ticks.lateTicks);
  counter('merged_ticks', 'Slots that were missed and merged into a later one', ticks.mergedTicks);
  quantiles('tick_drift', 'From the moment a slot was due to its publication', ticks.driftMs, registers);
  quantiles('tick_duration', 'Work of a slot', ticks.tickMs, registers);

  const requests = new Counter({
    name: 'devnet_rpc_requests_total',
    help: 'Calls answered',
    labelNames: ['method', 'result'],
    registers,
  });
  const seconds = new Counter({
    name: 'devnet_rpc_seconds_total',
    help: 'Time spent on calls',
    labelNames: ['method'],
    registers,
  });
  for (const [method, { ok, failed, ms }] of facts.calls) {
    requests.inc({ method, result: 'ok' }, ok);
    requests.inc({ method, result: 'error' }, failed);
    seconds.inc({ method }, ms / 1_000);
  }
  return { type: registry!.contentType, text: await registry!.metrics() };
}

function quantiles(name: string, help: string, ms: TickReport['tickMs'], registers: Registry[]): void {
  const gauge = new Gauge({ name: `devnet_${name}_seconds`, help, labelNames: ['quantile'], registers });
  gauge.set({ quantile: '0.5' }, ms.p50 / 1_000);
  gauge.set({ quantile: '0.99' }, ms.p99 / 1_000);
  gauge.set({ quantile: '1' }, ms.max / 1_000);
}
