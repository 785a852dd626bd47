import { BadStatus, isPassing, shownUrl } from './failure.ts';
import type { RpcError } from './rpc-client.ts';
import { type Answer, type Call, Refused, rpcError, type Transport } from './transport.ts';

interface Response {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A parsed JSON response, with its HTTP status. */
interface Posted {
  readonly answer: unknown;
  readonly status: number;
}

/** Sends calls over HTTP: several calls as one batch, or as one POST each if the remote node doesn't support batches. */
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
      // Not JSON, for example an HTML error page.
    }
    const { ok, status } = response;
    const isAnswer = typeof answer === 'object' && answer !== null;
    if (ok && isAnswer) return { answer, status };
    // Most redirects turn a POST into a GET, which isn't JSON-RPC, so the response of the other server would be misleading.
    if (response.redirected && !isPassing(status))
      throw new Refused(`it redirects to ${shownUrl(response.url)}`);
    if (ok)
      throw new Refused(
        isPage(text) ? 'a web page (HTML), an answer that is not JSON' : 'an answer that is not JSON-RPC',
      );
    // Some nodes send JSON-RPC errors with an HTTP error status.
    const error = isAnswer && !Array.isArray(answer) ? (answer as Response).error : undefined;
    if (!isPassing(status) && typeof error === 'object' && error !== null) return { answer, status };
    throw new BadStatus(status, isAnswer ? wordsOf(answer) : undefined, pauseOf(response.headers));
  };
  const one = async ({ method, params }: Call, signal: AbortSignal): Promise<Answer> => {
    const { answer, status } = await post({ jsonrpc: '2.0', id: 1, method, params }, signal);
    const { id } = answer as Response;
    // A missing or null id means an error about the request as a whole.
    if (id !== undefined && id !== null && String(id) !== '1')
      throw new Refused(`an answer to another request (id ${JSON.stringify(id)})`);
    return answerOf(answer as Response, status);
  };
  /** @returns `undefined` if the node doesn't support batches, or not of this size */
  const together = async (calls: readonly Call[], signal: AbortSignal): Promise<Answer[] | undefined> => {
    const body = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }));
    let posted: Posted;
    try {
      posted = await post(body, signal);
    } catch (error) {
      if (error instanceof BadStatus && (REFUSES_BATCH.has(error.status) || /batch/i.test(error.message)))
        return undefined;
      throw error;
    }
    const { answer, status } = posted;
    if (!Array.isArray(answer)) return undefined;
    // Some nodes return the id as a string.
    const byId = new Map((answer as (Response | null)[]).map((one) => [String(one?.id), one]));
    // Some nodes return a single error instead of all the responses.
    if (answer.length === 1 && calls.length > 1 && (answer[0] as Response | null)?.error) return undefined;
    return calls.map((_, id) => answerOf(byId.get(String(id)), status));
  };

  return {
    send: async (calls, signal, onRequest) => {
      if (calls.length > 1 && batches) {
        onRequest();
        const answers = await together(calls, signal);
        if (answers) return unlessTooMany(answers);
        batches = false;
      }
      const answers: Answer[] = [];
      for (let done = 0; done < calls.length; done += AT_ONCE) {
        const some = calls.slice(done, done + AT_ONCE).map((call) => {
          onRequest();
          return one(call, signal);
        });
        answers.push(...(await Promise.all(some)));
      }
      return unlessTooMany(answers);
    },
    close: () => {},
  };
}

/** Maximum number of parallel requests to a node that doesn't support batches. */
const AT_ONCE = 16;
/** HTTP statuses by which servers reject a batch, or a batch of this size. */
const REFUSES_BATCH: ReadonlySet<number> = new Set([400, 405, 413, 415, 422]);
/** Whether a JSON-RPC error asks for fewer requests, like HTTP 429. */
const TOO_MANY = (error: RpcError) =>
  error.code === 429 ||
  (error.code === -32005 && /rate limit|too many requests|per second/i.test(error.message));

/** @throws BadStatus 429 if a response asks for fewer requests: in a batch, only some of the calls may exceed the limit */
function unlessTooMany(answers: readonly Answer[]): readonly Answer[] {
  for (const answer of answers)
    if ('error' in answer && TOO_MANY(answer.error)) throw new BadStatus(429, answer.error.message);
  return answers;
}

/** The pause of Retry-After in milliseconds; 0 without it. It is in seconds, or a date (RFC 9110) relative to the header Date. */
function pauseOf(headers: Headers): number {
  const after = headers.get('retry-after') ?? '';
  if (/^\d{1,9}(\.\d+)?$/.test(after)) return Math.ceil(Number(after) * 1000);
  const ms = Date.parse(after) - Date.parse(headers.get('date') ?? '');
  return ms > 0 ? ms : 0;
}

/** The message of a JSON-RPC error; `undefined` if there is none. */
function wordsOf(answer: unknown): string | undefined {
  const { error, message } = answer as { error?: { message?: unknown } | string; message?: unknown };
  const said = typeof error === 'string' ? error : (error?.message ?? message);
  return typeof said === 'string' && said !== '' ? said : undefined;
}

function answerOf(response: Response | null | undefined, status: number): Answer {
  if (response?.error) return { error: rpcError(response.error, status) };
  if (response?.result === undefined) throw new Refused('an answer without a result, which is not JSON-RPC');
  return { result: response.result };
}

/** Whether a text is an HTML page. */
function isPage(text: string): boolean {
  return /^\s*<(!doctype|html|head|body|!--|\?xml)/i.test(text);
}
