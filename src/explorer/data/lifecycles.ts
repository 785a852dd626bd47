import { type Signal, signal } from '@preact/signals';
import type { Hex } from './types.ts';

/** An event in the life of a transaction, with the time at which the page learnt of it (milliseconds). */
export type LifecycleEvent = { readonly at: number } & (
  | { readonly kind: 'sent' }
  | { readonly kind: 'preconfirmed'; readonly block: number; readonly flashblock: number | undefined }
  | { readonly kind: 'sealed'; readonly block: number }
  | { readonly kind: 'dropped'; readonly block: number }
  | { readonly kind: 'reorged'; readonly block: number }
);

/** Limit of the transactions whose events are kept. The page of an older transaction is fetched again with each block. */
const MAX = 500;

/** The events of each transaction that the page learnt of. A transaction's page fetches the transaction again after each event. */
export class TransactionLifecycles {
  readonly #events = new Map<Hex, LifecycleEvent[]>();
  /** Grows with each event. */
  readonly version: Signal<number> = signal(0);

  /** Adds an event, unless the last one is of the same kind and block. */
  add(hash: Hex, event: LifecycleEvent): void {
    const events = this.#events.get(hash) ?? [];
    const last = events.at(-1);
    if (last && last.kind === event.kind && blockOf(last) === blockOf(event)) return;
    // Subscribers to the mempool and to blocks are notified independently: `sent` may arrive after `preconfirmed` or `sealed`.
    if (event.kind === 'sent' && last && last.kind !== 'dropped' && last.kind !== 'reorged') return;
    events.push(event);
    if (events.length === 1) {
      this.#events.set(hash, events);
      const [oldest] = this.#events.keys();
      if (this.#events.size > MAX) this.#events.delete(oldest!);
    }
    this.version.value++;
  }

  /** The events of a transaction, the oldest first. */
  of(hash: Hex): readonly LifecycleEvent[] {
    return this.#events.get(hash) ?? [];
  }

  clear(): void {
    this.#events.clear();
    this.version.value++;
  }
}

function blockOf(event: LifecycleEvent): number | undefined {
  return 'block' in event ? event.block : undefined;
}
