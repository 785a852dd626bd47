import { type Answer, type Call, Refused, rpcError, type Transport } from './transport.ts';

interface Response {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { code?: unknown; message?: unknown; data?: unknown };
}

/** HTTP statuses below 500 that are worth a retry: timeout, too early, too many requests. */
const TRANSIENT = new Set([408, 425, 429]);

/** Sends calls over HTTP: several calls as one batch, or as a POST each when the other node doesn't support batches. */
export function httpTransport(options: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}): Transport {
  const url = new URL(options.url);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (url.username || url.password) {
    const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.authorization = `Basic ${Buffer.from(user).toString('base64')}`;
    url.username = url.password = '';
  }
  for (const [name, value] of Object.entries(options.headers)) headers[name.toLowerCase()] = value;
  let batches = true;

  const post = async (body: unknown, signal: AbortSignal): Promise<unknown> => {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal });
    const text = await response.text();
    let answer: unknown;
    try {
      answer = JSON.parse(text);
    } catch {
      // Not JSON, e.g. an HTML error page.
    }
    const isAnswer = typeof answer === 'object' && answer !== null;
    const isError = isAnswer && 'error' in (answer as object);
    const isTransient = TRANSIENT.has(response.status) || response.status >= 500;
    if (response.ok && isAnswer) return answer;
    // Some nodes send JSON-RPC errors with an HTTP error status.
    if (!isTransient && isError) return answer;
    const reason = response.ok ? 'an answer that is not JSON' : `HTTP ${response.status}`;
    throw isTransient ? new Error(reason) : new Refused(reason);
  };
  const one = async ({ method, params }: Call, signal: AbortSignal): Promise<Answer> =>
    answerOf((await post({ jsonrpc: '2.0', id: 1, method, params }, signal)) as Response);

  return {
    send: async (calls, signal) => {
      if (calls.length > 1 && batches) {
        const body = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }));
        const answers = await post(body, signal);
        if (Array.isArray(answers)) {
          const byId = new Map((answers as Response[]).map((answer) => [answer.id, answer]));
          return calls.map((_, id) => answerOf(byId.get(id)));
        }
        batches = false;
      }
      return Promise.all(calls.map((call) => one(call, signal)));
    },
    close: () => {},
  };
}

function answerOf(response: Response | undefined): Answer {
  if (response?.error) return { error: rpcError(response.error) };
  if (response?.result === undefined) throw new Refused('an answer without a result');
  return { result: response.result };
}
