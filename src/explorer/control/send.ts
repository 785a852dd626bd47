import { signal } from '@preact/signals';
import { forgetEmptyCode } from '../abi/contracts.ts';
import { feed, rpc } from '../app.ts';

/** A sent request with its result. */
export interface Done {
  readonly request: string;
  readonly answer: string;
  readonly failed: boolean;
}

/** The requests that this page sent, the newest first. */
export const done = signal<readonly Done[]>([]);
/** Grows with each request that was sent. Components that depend on it fetch again what the request may have changed. */
export const turn = signal(0);
const MAX = 20;

/** Sends a request that changes the chain, and records it. @returns whether the request succeeded */
export async function send(method: string, params: readonly unknown[]): Promise<boolean> {
  const request = requestText(method, params);
  const entry = await rpc.call<unknown>(method, ...params).then(
    (result) => ({ request, answer: JSON.stringify(result), failed: false }),
    (error: Error) => ({ request, answer: error.message, failed: true }),
  );
  done.value = [entry, ...done.peek()].slice(0, MAX);
  turn.value++;
  forgetEmptyCode();
  feed.refresh();
  return !entry.failed;
}

export function requestText(method: string, params: readonly unknown[]): string {
  return `${method} ${JSON.stringify(params)}`;
}
