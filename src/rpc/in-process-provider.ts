import { DevnetError } from '../errors.ts';
import type { Connection } from './context.ts';
import type { Dispatcher } from './dispatch.ts';

/** A notification of `eth_subscribe` (EIP-1193). */
export interface ProviderMessage {
  readonly type: 'eth_subscription';
  readonly data: { readonly subscription: string; readonly result: unknown };
}

/** Prints messages about what requests did. */
interface Printing {
  readonly isSettled: boolean;
  settle(): Promise<void>;
}

export type MessageListener = (message: ProviderMessage) => void;

/** An EIP-1193 provider in the same process, without a network connection. */
export class InProcessProvider {
  readonly #dispatcher: Dispatcher;
  readonly #listeners = new Set<MessageListener>();
  readonly #closeTasks: (() => void)[] = [];
  #isClosed = false;
  #printing: Printing | undefined;
  readonly #connection: Connection = {
    notify: (text) => {
      // Parses the same text that WebSocket clients get, so that the results are equal.
      const { params } = JSON.parse(String(text)) as { params: ProviderMessage['data'] };
      for (const listener of this.#listeners) listener({ type: 'eth_subscription', data: params });
      return true;
    },
    onClose: (task) => void this.#closeTasks.push(task),
  };

  constructor(deps: { dispatcher: Dispatcher }) {
    this.#dispatcher = deps.dispatcher;
  }

  /** @throws DevnetError, with `code` and possibly `data`; `disconnected` (4900) after {@link close} */
  async request({ method, params }: { method: string; params?: readonly unknown[] }): Promise<unknown> {
    if (this.#isClosed) throw new DevnetError('disconnected');
    const answer = this.#dispatcher.request(method, params && asJson(params), this.#connection);
    if (!this.#printing) return answer;
    try {
      return await answer;
    } finally {
      if (!this.#printing.isSettled) await this.#printing.settle();
    }
  }

  /** From now on, a request is answered after its messages are printed, so that they are in the output of the test that made it. */
  waitFor(printing: Printing): void {
    this.#printing = printing;
  }

  on(_event: 'message', listener: MessageListener): this {
    this.#listeners.add(listener);
    return this;
  }

  removeListener(_event: 'message', listener: MessageListener): this {
    this.#listeners.delete(listener);
    return this;
  }

  /** Rejects new requests and ends the provider's subscriptions. Requests in flight are still answered. */
  close(): void {
    this.#isClosed = true;
    for (const task of this.#closeTasks.splice(0)) task();
    this.#listeners.clear();
  }
}

/**
 * Converts parameters as sending them as JSON would: fields with the value `undefined` are dropped, and numbers such as NaN become null.
 * Libraries rely on this. A parameter that is `undefined` stays omitted.
 */
function asJson<T>(params: T): T {
  return (Array.isArray(params) ? mapped(params, withoutNothing) : withoutNothing(params)) as T;
}

function withoutNothing(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return mapped(value, (item) => (item === undefined ? null : withoutNothing(item)));
  let changed: Record<string, unknown> | undefined;
  for (const [name, field] of Object.entries(value)) {
    const kept = withoutNothing(field);
    if (Object.is(kept, field) && field !== undefined) continue;
    changed ??= { ...value };
    if (kept === undefined) delete changed[name];
    else changed[name] = kept;
  }
  return changed ?? value;
}

/** @returns the list itself if nothing changes */
function mapped(list: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const items = list.map(change);
  return items.every((item, i) => Object.is(item, list[i])) ? list : items;
}
