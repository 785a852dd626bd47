import { signal } from '@preact/signals';
import { clock, rpc, store } from '../app.ts';
import type { Block, Frame, Hex, Receipt } from './types.ts';

/** How a call failed. */
type Failure = Pick<Frame, 'output' | 'revertReason' | 'error'>;

/** Why transactions failed, by hash: of the outermost call of each. */
const failures = signal<ReadonlyMap<Hex, Failure>>(new Map());
const asked = new Set<Hex>();
const MOST = 500;

/** The failed call of a transaction; `undefined` until it is known, which is asked for by this call. */
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
        if (next.size <= MOST) break;
        next.delete(oldest);
        asked.delete(oldest);
      }
      failures.value = next;
    },
    () => asked.delete(hash),
  );
  return undefined;
}

/** Milliseconds from one preparation to the next. */
const PREPARED_MS = 60_000;
let preparedAt = Number.NEGATIVE_INFINITY;

/**
 * Before somebody clicks on a failed transaction: the browser loads what shows the line that failed, and the node reads the build infos
 * of the project, which may take seconds.
 */
function prepareSource(hash: Hex): void {
  if (clock.now() - preparedAt < PREPARED_MS) return;
  preparedAt = clock.now();
  void import('../pages/transaction.tsx');
  void import('../source/debugger.tsx');
  rpc.call('devnet_execution', hash).catch(() => {
    // The transaction is gone, or the connection: nothing is lost.
  });
}

const askedBlocks = new Set<Hex>();

/** Asks for the outcomes of a block's transactions, where the page hasn't seen how it grew. */
export function needOutcomes({ hash, transactions }: Block): void {
  const first = transactions[0];
  if (!first || askedBlocks.has(hash) || store.outcomes.of(first.hash) || rpc.state.value !== 'open') return;
  askedBlocks.add(hash);
  if (askedBlocks.size > MOST) for (const oldest of askedBlocks) return void askedBlocks.delete(oldest);
  rpc.call<Receipt[] | null>('eth_getBlockReceipts', hash).then(
    (receipts) => addOutcomes(receipts ?? []),
    () => askedBlocks.delete(hash),
  );
}

/** Remembers what receipts say. */
export function addOutcomes(receipts: readonly Pick<Receipt, 'transactionHash' | 'status'>[]): void {
  store.outcomes.add(receipts.map(({ transactionHash, status }) => [transactionHash, status === '0x0']));
}
