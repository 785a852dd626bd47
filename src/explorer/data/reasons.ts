import { signal } from '@preact/signals';
import { clock, rpc, store } from '../app.ts';
import type { Block, Frame, Hex, Receipt } from './types.ts';

/** The result of a failed call. */
type Failure = Pick<Frame, 'output' | 'revertReason' | 'error'>;

/** The failed outermost calls of transactions, by transaction hash. */
const failures = signal<ReadonlyMap<Hex, Failure>>(new Map());
const asked = new Set<Hex>();
const MAX = 500;

/** The failed call of a transaction. Returns `undefined` while it isn't known, and requests it. */
export function failureOf(hash: Hex): Failure | undefined {
  const known = failures.value.get(hash);
  if (known || asked.has(hash) || rpc.state.value !== 'open') return known;
  asked.add(hash);
  prepareSource(hash);
  const config = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } };
  rpc.call<Frame>('debug_traceTransaction', hash, config).then(
    ({ output, revertReason, error }) => {
      const failure: Failure = {
        ...(output !== undefined && { output }),
        ...(revertReason !== undefined && { revertReason }),
        ...(error !== undefined && { error }),
      };
      const next = new Map(failures.peek()).set(hash, failure);
      for (const oldest of next.keys()) {
        if (next.size <= MAX) break;
        next.delete(oldest);
        asked.delete(oldest);
      }
      failures.value = next;
    },
    () => asked.delete(hash),
  );
  return undefined;
}

/** Interval between two preparations, milliseconds. */
const PREPARED_MS = 60_000;
let preparedAt = Number.NEGATIVE_INFINITY;

/** Prepares for a click on a failed transaction: the node reads the project's build infos, which may take seconds. */
function prepareSource(hash: Hex): void {
  if (clock.now() - preparedAt < PREPARED_MS) return;
  preparedAt = clock.now();
  rpc.call('devnet_execution', hash).catch(() => {
    // The transaction or the connection is gone: the preparation isn't needed.
  });
}

const askedBlocks = new Set<Hex>();

/** Requests the outcomes of a block's transactions, if the page hasn't seen the block's flashblocks. */
export function needOutcomes({ hash, transactions }: Block): void {
  const first = transactions[0];
  if (!first || askedBlocks.has(hash) || store.outcomes.of(first.hash) || rpc.state.value !== 'open') return;
  askedBlocks.add(hash);
  if (askedBlocks.size > MAX) for (const oldest of askedBlocks) return void askedBlocks.delete(oldest);
  rpc.call<Receipt[] | null>('eth_getBlockReceipts', hash).then(
    (receipts) => addOutcomes(receipts ?? []),
    () => askedBlocks.delete(hash),
  );
}

/** Stores the outcomes of receipts. */
export function addOutcomes(receipts: readonly Pick<Receipt, 'transactionHash' | 'status'>[]): void {
  store.outcomes.add(receipts.map(({ transactionHash, status }) => [transactionHash, status === '0x0']));
}
