import { failureOf } from '../remote/failure.ts';
import { Refused } from '../remote/transport.ts';

/** The URL of a node that was started without flags. */
export const USUAL_URL = 'http://127.0.0.1:8545';

/**
 * Sends a request to a running node over HTTP.
 * @throws Error in one line with the node's error message, or if there is no JSON-RPC response
 */
export async function askNode<T>(url: string, method: string, ...params: readonly unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  let answer: { readonly result?: T; readonly error?: { readonly message: string } };
  try {
    const response = await fetch(url, { method: 'POST', headers, body });
    const text = await response.text();
    if (!text.startsWith('{')) throw new Refused(`HTTP ${response.status}, but no JSON-RPC`);
    answer = JSON.parse(text);
  } catch (error) {
    throw new Error(`no answer from ${url}: ${failureOf(error).reason}`);
  }
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result as T;
}
