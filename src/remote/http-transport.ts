import { BadStatus, isPassing } from './failure.ts';
import { type Answer, type Call, Refused, rpcError, type Transport } from './transport.ts';

interface Response {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** JSON that was answered, and with which HTTP status. */
interface Posted {
  readonly answer: unknown;
  readonly status: number;
}

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

  const post = async (body: unknown, signal: AbortSignal): Promise<Posted> => {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal });
    const text = await response.text();
    let answer: unknown;
    try {
      answer = JSON.parse(text);
    } catch {
      // Not JSON, e.g. an HTML error page.
    }
    const { ok, status } = response;
    const isAnswer = typeof answer === 'object' && answer !== null;
    if (ok && isAnswer) return { answer, status };
    if (ok)
      throw new Refused(
        isPage(text) ? 'a web page (HTML), an answer that is not JSON' : 'an answer that is not JSON-RPC',
      );
    // Some nodes send JSON-RPC errors with an HTTP error status.
    const error = isAnswer && !Array.isArray(answer) ? (answer as Response).error : undefined;
    if (!isPassing(status) && typeof error === 'object' && error !== null) return { answer, status };
    throw new BadStatus(status);
  };
  const one = async ({ method, params }: Call, signal: AbortSignal): Promise<Answer> => {
    const { answer, status } = await post({ jsonrpc: '2.0', id: 1, method, params }, signal);
    return answerOf(answer as Response, status);
  };

  return {
    send: async (calls, signal) => {
      if (calls.length > 1 && batches) {
        const body = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }));
        const { answer, status } = await post(body, signal);
        if (Array.isArray(answer)) {
          const byId = new Map((answer as (Response | null)[]).map((one) => [one?.id, one]));
          return calls.map((_, id) => answerOf(byId.get(id), status));
        }
        batches = false;
      }
      return Promise.all(calls.map((call) => one(call, signal)));
    },
    close: () => {},
  };
}

function answerOf(response: Response | null | undefined, status: number): Answer {
  if (response?.error) return { error: rpcError(response.error, status) };
  if (response?.result === undefined) throw new Refused('an answer without a result, which is not JSON-RPC');
  return { result: response.result };
}

/** Whether a text is HTML. */
function isPage(text: string): boolean {
  return /^\s*<(!doctype|html|head|body|!--|\?xml)/i.test(text);
}
