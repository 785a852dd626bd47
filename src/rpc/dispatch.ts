import type { OpenSnapshot } from '../chain/refs.ts';
import type { Clock } from '../clock.ts';
import { DevnetError } from '../errors.ts';
import { similar } from '../nearest.ts';
import type { CallInput, Cause } from '../sequencer/inputs.ts';
import { type Awaitable, andThen } from '../state/view.ts';
import { giveWay, turns } from '../turns.ts';
import { isObject } from './codec/codec.ts';
import type { FailedCall } from './compat/hardhat-errors.ts';
import { type Connection, contextWith, type RpcContext } from './context.ts';
import { Deadlines, type Ending } from './deadlines.ts';
import type { RpcMethod } from './define-method.ts';
import {
  afterResult,
  beforeResult,
  EncodedResponse,
  failed,
  type Id,
  readCall,
  succeeded,
  type ValidCall,
} from './envelope.ts';
import type { ForwardedRequest } from './forwarded-request.ts';
import { JsonStream } from './json-stream.ts';
import { JsonText } from './json-text.ts';
import { LongRuns } from './long-runs.ts';
import { parseRequest } from './parse-json.ts';

export interface DispatcherOptions {
  /** maximum number of calls in a batch */
  readonly batchLimit?: number;
  /** maximum size of an answer in bytes, also of a batch's; streamed answers are not limited */
  readonly responseLimit?: number;
  /** time limit in milliseconds for a call, or for the next piece of a streamed answer; no limit if absent */
  readonly timeoutMs?: number;
  /** how many calls, simulations and traces that need longer than a time slice run concurrently */
  readonly longRuns?: number;
  /** how many of them may wait for their turn */
  readonly waitingRuns?: number;
}

/** A response: a text, its bytes, or a stream; `undefined` if there is nothing to answer. */
export type Answer = string | EncodedResponse | JsonStream | undefined;

/** The outcome of a call, for the log. `error` is what was thrown, which may be an unexpected error. */
export interface CallReport {
  readonly method: string;
  /** id of the request; absent for a notification, and for a call from inside the process */
  readonly id?: Id | undefined;
  /** start time, milliseconds on the wall clock */
  readonly began: number;
  /** duration in milliseconds */
  readonly ms: number;
  readonly error?: unknown;
  /** parameters of a call that failed */
  readonly params?: readonly unknown[] | undefined;
  /** whether the page at `/` made the call and it only reads, see {@link Connection.isPage} */
  readonly isOfPage?: boolean | undefined;
}

export interface DispatcherDeps {
  readonly methods: readonly RpcMethod[];
  readonly context: RpcContext;
  /** wall time */
  readonly clock: Clock;
  readonly onCall?: (report: CallReport) => void;
  /** other names of methods -> main name */
  readonly aliases?: Readonly<Record<string, string>>;
  /** called when a run becomes long and no other run is long */
  readonly onBusy?: () => void;
  /** called when no long run is left, with a function that tells whether this is still true */
  readonly onQuiet?: (isQuiet: () => boolean) => void;
  /** converts an error to the form that the caller expects; asynchronous if a custom error has to be looked up first */
  readonly reword?: (error: DevnetError, call?: FailedCall) => Awaitable<DevnetError>;
  /** Runs a call that is recorded, and records it. @param method the main name of the method */
  readonly record?: (method: string, params: readonly unknown[], run: (cause: Cause) => unknown) => unknown;
  /**
   * Called when the time limit of a call that may change the chain is over.
   * @param error the error that the call is answered with
   * @returns what happens to the call
   */
  readonly expire?: (call: CallInput, error: DevnetError) => Ending;
  /** Runs calls of methods that write state synchronously, and stores their writes together, see `Sequencer.together`. */
  readonly together?: (run: () => void) => Awaitable<void>;
}

const BATCH_LIMIT = 5_000;
const RESPONSE_LIMIT = 64 * 1024 * 1024;
const LONG_RUNS = 8;
const WAITING_RUNS = 1_000;
/** bytes that several long runs may hold together */
const LONG_RUN_BYTES = 32 * 2 ** 20;
/** bytes that a long run may hold if it is the only one: enough for a trace of some 50,000 calls */
const LONG_RUN_BYTES_ALONE = 64 * 2 ** 20;

/** A method, with properties that follow from its definition. */
interface Entry {
  readonly method: RpcMethod;
  /** whether it sees the current chain, not the snapshot that the reads of its batch share */
  readonly isLive: boolean;
  /** whether its calls are recorded, so that a replay repeats them */
  readonly isRecorded: boolean;
}

/** The results of the calls that are delayed together, by call. */
type Holding = Promise<ReadonlyMap<unknown, unknown>> | undefined;

function entryOf(method: RpcMethod): Entry {
  const { kind } = method;
  return {
    method,
    isLive: kind === 'send' || kind === 'dev' || method.live === true,
    isRecorded: kind === 'dev' && method.recorded !== false,
  };
}

/** JSON-RPC 2.0 without a transport. Only here does an unexpected error become -32603. */
export class Dispatcher {
  readonly #methods = new Map<string, Entry>();
  readonly #batchLimit: number;
  readonly #responseLimit: number;
  readonly #deadlines: Deadlines | undefined;
  readonly #longRuns: LongRuns;
  readonly #deps: DispatcherDeps;
  readonly #contexts: Contexts;
  readonly #byConnection = new WeakMap<Connection, Contexts>();

  constructor(options: DispatcherOptions, deps: DispatcherDeps) {
    this.#batchLimit = options.batchLimit ?? BATCH_LIMIT;
    this.#responseLimit = options.responseLimit ?? RESPONSE_LIMIT;
    if (options.timeoutMs !== undefined) this.#deadlines = new Deadlines({ ms: options.timeoutMs }, deps);
    this.#longRuns = new LongRuns(
      {
        most: options.longRuns ?? LONG_RUNS,
        mostWaiting: options.waitingRuns ?? WAITING_RUNS,
        mostBytes: LONG_RUN_BYTES,
        mostBytesAlone: LONG_RUN_BYTES_ALONE,
      },
      { turns, onBusy: deps.onBusy, onQuiet: deps.onQuiet },
    );
    this.#deps = deps;
    this.#contexts = new Contexts(deps.context);
    for (const method of deps.methods) {
      if (this.#methods.has(method.name)) throw new Error(`two RPC methods are named ${method.name}`);
      this.#methods.set(method.name, entryOf(method));
    }
    for (const [name, own] of Object.entries(deps.aliases ?? {})) {
      const method = this.#methods.get(own);
      if (!method || this.#methods.has(name)) throw new Error(`${name} can't be another name of ${own}`);
      this.#methods.set(name, method);
    }
  }

  /**
   * Answers the text of a request. A call whose handler is synchronous is answered without a promise.
   * @param text the text, or its bytes in UTF-8: converting a long one to a string takes at least a time slice
   * @param caller an object that is the same for all requests of a connection, also of a connection without notifications
   * @param forwarded notes which calls of the request are forwarded
   * @returns the response text, or its bytes; a stream of it, which must be read or cancelled, if it is too long to be made at once;
   * `undefined` if there is nothing to answer (notifications)
   */
  handleText(
    text: string | Buffer,
    connection?: Connection,
    caller: object | undefined = connection,
    forwarded?: ForwardedRequest,
  ): Awaitable<Answer> {
    let body: Awaitable<unknown>;
    try {
      body = parseRequest(text);
    } catch (error) {
      return unparsed(error);
    }
    const answer =
      body instanceof Promise
        ? body.then((parsed) => this.#handle(parsed, connection, caller, forwarded), unparsed)
        : this.#handle(body, connection, caller, forwarded);
    return answer instanceof Promise ? answer.then((late) => this.#collectShort(late)) : answer;
  }

  /**
   * Answers a parsed request or batch. A batch runs in order: a read sees the effects of an earlier send, and consecutive reads see the
   * same snapshot, even across block boundaries.
   * @returns the whole response text; `undefined` if there is nothing to answer
   */
  async handle(body: unknown, connection?: Connection): Promise<string | undefined> {
    return this.#whole(await this.#handle(body, connection, connection), body, this.#responseLimit);
  }

  /**
   * Makes one call from inside the process (EIP-1193).
   * @param connection receives the notifications of the call's subscriptions
   * @returns the result as JSON
   * @throws DevnetError, with `code` and `data` as in a response
   */
  async request(method: string, params: readonly unknown[] = [], connection?: Connection): Promise<unknown> {
    try {
      const origin = { connection, caller: connection ?? this };
      const view = new RequestView(this.#contextsOf(connection, undefined), origin, false);
      const result = await this.#call(method, params, view);
      if (result instanceof JsonText) return result.parse();
      if (!(result instanceof JsonStream)) return result;
      return JSON.parse(await result.collect(this.#responseLimit, () => this.#overLimit()));
    } catch (error) {
      throw await this.#publicError(error, { method, params });
    }
  }

  /** Whether some requests compute for so long that they take turns. */
  get isBusy(): boolean {
    return this.#longRuns.isBusy;
  }

  /** Ends the long runs of a connection that has closed. @param caller as in {@link handleText} */
  leave(caller: object): void {
    this.#longRuns.end(caller, new DevnetError('server', { reason: 'the caller is gone' }));
  }

  /** Must be called when the node ends. */
  close(): void {
    this.#deadlines?.close();
  }

  #handle(
    body: unknown,
    connection: Connection | undefined,
    caller: object | undefined,
    forwarded?: ForwardedRequest,
  ): Awaitable<Answer> {
    const isBatch = Array.isArray(body);
    const origin = { connection, caller: caller ?? this };
    const view = new RequestView(this.#contextsOf(connection, forwarded), origin, isBatch);
    if (!isBatch) return this.#answer(body, view, this.#responseLimit);
    if (body.length === 0) return failed(null, new DevnetError('invalidRequest', { reason: 'empty batch' }));
    if (body.length > this.#batchLimit)
      return failed(null, new DevnetError('limitExceeded', { limit: 'the batch', max: this.#batchLimit }));
    return this.#answerBatch(body, view);
  }

  #contextsOf(connection: Connection | undefined, forwarded: ForwardedRequest | undefined): Contexts {
    if (!connection)
      return forwarded ? new Contexts(contextWith(this.#deps.context, { forwarded })) : this.#contexts;
    let known = this.#byConnection.get(connection);
    if (!known) {
      known = new Contexts(contextWith(this.#deps.context, { connection }));
      this.#byConnection.set(connection, known);
    }
    return known;
  }

  /** A stream that has already ended is sent as a text, with its length. */
  #collectShort(answer: Answer): Awaitable<Answer> {
    const isShort = answer instanceof JsonStream && answer.complete;
    return isShort ? answer.collect(Number.POSITIVE_INFINITY, () => this.#overLimit()) : answer;
  }

  async #answerBatch(calls: readonly unknown[], view: RequestView): Promise<string | undefined> {
    const answers: string[] = [];
    let left = this.#responseLimit;
    let held: ReadonlyMap<unknown, unknown> | undefined;
    // At most once per batch, so that a batch isn't delayed longer than a single call.
    let mayHold = true;
    for (let i = 0; i < calls.length; i++) {
      const call = calls[i];
      if (left > 0 && this.#writesState(call)) {
        const written = await this.#answerWrites(calls, i, view, left);
        for (const answer of written) {
          if (answer === undefined) continue;
          answers.push(answer);
          left -= answer.length;
        }
        i += written.length - 1;
        mayHold = !held;
        await giveWay();
        continue;
      }
      const holding: Holding = mayHold ? this.#holdTogether(calls, i) : undefined;
      if (holding) held = await holding;
      mayHold = !held && this.#entryOf(call)?.isLive === true;
      // After the limit is used up, the remaining calls don't run: the client couldn't be told their results.
      const answer =
        left > 0
          ? await this.#whole(await this.#answer(call, view, left, held?.get(call)), call, left)
          : refusal(call, this.#overLimit());
      if (answer !== undefined) {
        answers.push(answer);
        left -= answer.length;
      }
      await giveWay();
    }
    return answers.length > 0 ? `[${answers.join(',')}]` : undefined;
  }

  /**
   * Answers consecutive calls of a batch that write state, until the end of the time slice. Their writes are stored before any of them is
   * answered.
   * @param from index of the first of them
   * @returns one answer for each of these calls
   */
  async #answerWrites(
    calls: readonly unknown[],
    from: number,
    view: RequestView,
    room: number,
  ): Promise<readonly (string | undefined)[]> {
    const { together = (run) => run() } = this.#deps;
    const answers: Awaitable<Answer>[] = [];
    let left = room;
    const run = () => {
      for (let i = from; left > 0 && this.#writesState(calls[i]); i++) {
        const answer = this.#answer(calls[i], view, left);
        answers.push(answer);
        // The remaining calls run after other requests have had their turn.
        if (answer instanceof Promise || turns.due) return;
        if (typeof answer === 'string') left -= answer.length;
      }
    };
    try {
      await together(run);
    } catch (error) {
      const shown = await this.#publicError(error);
      // At least the first call is answered, so that the batch continues after it.
      return calls.slice(from, from + Math.max(1, answers.length)).map((call) => refusal(call, shown));
    }
    const whole: (string | undefined)[] = [];
    for (const [i, answer] of answers.entries())
      whole.push(
        typeof answer === 'string' ? answer : await this.#whole(await answer, calls[from + i], room),
      );
    return whole;
  }

  #writesState(call: unknown): boolean {
    const method = this.#entryOf(call)?.method;
    return method?.kind === 'dev' && method.writesState === true;
  }

  /**
   * Delays the reads of a batch that are to see the same snapshot, before the snapshot is taken.
   * @param from index of the first of these reads
   * @returns `undefined` if none has to be delayed
   */
  #holdTogether(calls: readonly unknown[], from: number): Holding {
    const holds: Promise<readonly [call: unknown, held: unknown]>[] = [];
    for (let i = from; i < calls.length; i++) {
      const call = calls[i];
      const entry = this.#entryOf(call);
      if (entry?.isLive) break;
      if (!entry?.method.hold) continue;
      const valid = readCall(call);
      const holding = valid.error ? undefined : entry.method.hold(this.#deps.context, valid.params);
      if (holding) holds.push(holding.then((held) => [call, held] as const));
    }
    return holds.length > 0 ? Promise.all(holds).then((pairs) => new Map(pairs)) : undefined;
  }

  #entryOf(call: unknown): Entry | undefined {
    return isObject(call) && typeof call.method === 'string' ? this.#methods.get(call.method) : undefined;
  }

  /** Collects a stream up to its end, within the limit, for a response that can't be streamed. @param room what is left of the limit */
  async #whole(answer: Answer, call: unknown, room: number): Promise<string | undefined> {
    if (answer instanceof EncodedResponse) return answer.text;
    if (!(answer instanceof JsonStream)) return answer;
    const id = readCall(call).id ?? null;
    try {
      return await answer.collect(room, () => this.#overLimit());
    } catch (error) {
      return failed(id, await this.#publicError(error));
    }
  }

  /** @param room what is left of the response limit; streams are not limited */
  #answer(body: unknown, view: RequestView, room: number, held?: unknown): Awaitable<Answer> {
    const call = readCall(body);
    if (call.error) {
      const { id, method, error } = call;
      if (method !== undefined)
        this.#deps.onCall?.({ method, id, began: this.#deps.clock.now(), ms: 0, error });
      return id === undefined ? undefined : failed(id, error);
    }
    try {
      const result = this.#call(call.method, call.params, view, call.id, held);
      if (!(result instanceof Promise)) return this.#succeed(call, result, room);
      return result.then(
        (late) => this.#succeed(call, late, room),
        (error: unknown) => this.#fail(call, error),
      );
    } catch (error) {
      return this.#fail(call, error);
    }
  }

  #succeed({ id }: ValidCall, result: unknown, room: number): Awaitable<Answer> {
    if (result instanceof JsonStream) {
      if (id !== undefined) return result.enclose(beforeResult(id), afterResult);
      result.cancel();
    }
    if (id === undefined) return undefined;
    let response: string | EncodedResponse;
    try {
      response = succeeded(id, result);
    } catch (error) {
      // A string too long for V8 is over any limit; any other error is a handler's fault.
      const shown = error instanceof RangeError ? this.#overLimit() : this.#publicError(error);
      return andThen(shown, (one) => failed(id, one));
    }
    return response.length > room ? failed(id, this.#overLimit()) : response;
  }

  #fail({ id, method, params }: ValidCall, error: unknown): Awaitable<string | undefined> {
    if (id === undefined) return undefined;
    return andThen(this.#publicError(error, { method, params }), (shown) => failed(id, shown));
  }

  #overLimit(): DevnetError {
    return new DevnetError('limitExceeded', {
      limit: 'the response size in bytes',
      max: this.#responseLimit,
    });
  }

  #call(name: string, params: readonly unknown[], view: RequestView, id?: Id, held?: unknown): unknown {
    const { onCall, clock } = this.#deps;
    if (!onCall) return this.#run(name, params, view, held);
    const began = clock.now();
    const isOfPage = (view.isPage && this.#isRead(name)) || undefined;
    let result: unknown;
    try {
      result = this.#run(name, params, view, held);
    } catch (error) {
      onCall({ method: name, id, began, ms: clock.now() - began, error, params, isOfPage });
      throw error;
    }
    if (result instanceof Promise || result instanceof JsonStream)
      this.#reportLater({ method: name, id, began, isOfPage }, params, result);
    else onCall({ method: name, id, began, ms: clock.now() - began, isOfPage });
    return result;
  }

  /** Whether a method changes nothing. */
  #isRead(name: string): boolean {
    const kind = this.#methods.get(name)?.method.kind;
    return kind === 'read' || kind === 'node';
  }

  #reportLater(
    call: Pick<CallReport, 'method' | 'id' | 'began' | 'isOfPage'>,
    params: readonly unknown[],
    result: Promise<unknown> | JsonStream,
  ): void {
    const { onCall, clock } = this.#deps;
    const fail = (error: unknown) => onCall?.({ ...call, ms: clock.now() - call.began, error, params });
    const succeed = (late: unknown) => {
      if (late instanceof JsonStream) this.#reportLater(call, params, late);
      else onCall?.({ ...call, ms: clock.now() - call.began });
    };
    (result instanceof JsonStream ? result.finished : result).then(succeed, fail);
  }

  #run(name: string, params: readonly unknown[], view: RequestView, held?: unknown): unknown {
    const entry = this.#methods.get(name);
    if (!entry) throw this.#notFound(name.slice(0, 80));
    const { method } = entry;
    const { record } = this.#deps;
    if (method.computes) return this.#computeInTurns(entry, params, view);
    if (method.hold && !view.isBatch) {
      const holding = method.hold(this.#deps.context, params);
      if (holding) {
        const call = (result: unknown) => method.call(view.contextOf(entry), params, result);
        return this.#inTime(holding.then(call));
      }
    }
    const context = view.contextOf(entry);
    let call: Cause | undefined;
    const run = (cause: Cause) => {
      call = cause;
      return method.call(cause === context.cause ? context : contextWith(context, { cause }), params, held);
    };
    const result =
      record && entry.isRecorded
        ? record(method.name, params, run)
        : method.kind === 'send'
          ? run({ name: method.name, params })
          : method.call(context, params, held);
    // The handler continues after other code has run, so its snapshot must be kept.
    if (result instanceof Promise) view.capture();
    return this.#inTime(result, call);
  }

  #notFound(method: string): DevnetError {
    return new DevnetError('methodNotFound', { method, meant: similar(method, [...this.#methods.keys()]) });
  }

  #inTime(result: unknown, call?: Cause): unknown {
    if (!(result instanceof Promise) || !this.#deadlines) return result;
    const { expire } = this.#deps;
    const end = expire && typeof call === 'object' ? (error: DevnetError) => expire(call, error) : undefined;
    return this.#deadlines.within(result, end);
  }

  #computeInTurns(entry: Entry, params: readonly unknown[], view: RequestView): unknown {
    const { method } = entry;
    const snapshot = view.snapshotOf(entry);
    let run = this.#longRuns.begin(view.caller);
    const begin = () => {
      const parts = snapshot ? { chain: snapshot, pauses: run } : { pauses: run };
      return method.call(contextWith(view.contexts.live, parts), params);
    };
    // Requests that arrive together would all begin in the same turn of the event loop, whose time slice is already used up.
    const first = this.#longRuns.isBusy && turns.due ? turns.pause().then(begin) : begin();
    if (!(first instanceof Promise)) return first;
    view.capture();
    run.until(first);
    let ended: DevnetError | undefined;
    let waiting: AbortController | undefined;
    // A method that computes changes nothing, so it can start again.
    const anew = async (error: unknown): Promise<unknown> => {
      if (!(error instanceof DevnetError) || error.kind !== 'noPlace') throw error;
      if (ended) throw ended;
      waiting = new AbortController();
      run = await this.#longRuns.placeFor(view.caller, waiting.signal);
      // Requests that end at the same time pass their places on to one another.
      if (ended) {
        run.end(ended);
        throw ended;
      }
      const result = Promise.resolve().then(begin);
      run.until(result);
      return await result.catch(anew);
    };
    const result = first.catch(anew);
    const end = (error: DevnetError): Ending => {
      ended = error;
      waiting?.abort(error);
      run.end(error);
      return 'ended';
    };
    return this.#deadlines ? this.#deadlines.within(result, end) : result;
  }

  /** Returns what the caller is told of an error. */
  #publicError(error: unknown, call?: FailedCall): Awaitable<DevnetError> {
    if (!(error instanceof DevnetError)) return new DevnetError('internal');
    return this.#deps.reword?.(error, call) ?? error;
  }
}

/**
 * The contexts of the requests over one connection, or of those without a connection. Reads share a context as long as the chain doesn't
 * change: creating an object that inherits from another takes V8 a microsecond.
 */
class Contexts {
  /** sees the current chain */
  readonly live: RpcContext;
  /** context of the last reads; a weak reference, so that an idle connection keeps no state alive */
  #last: WeakRef<RpcContext> | undefined;

  constructor(live: RpcContext) {
    this.live = live;
  }

  /** Returns a context that sees a snapshot of the chain. */
  reading(chain: OpenSnapshot): RpcContext {
    const last = this.#last?.deref();
    if (last?.chain === chain) return last;
    const next = contextWith(this.live, { chain });
    this.#last = new WeakRef(next);
    return next;
  }
}

/** The origin of a request. */
interface RequestOrigin {
  readonly connection: Connection | undefined;
  /** the object to which computing time is attributed */
  readonly caller: object;
}

/** What the calls of one request see: a snapshot of the chain, and a later one after a call that may change the chain. */
class RequestView {
  /** the object to which computing time is attributed */
  readonly caller: object;
  /** whether other calls may see the same snapshot */
  readonly isBatch: boolean;
  /** whether the request comes from the page at `/` */
  readonly isPage: boolean;
  readonly contexts: Contexts;
  /** the snapshot that the reads share */
  #chain: OpenSnapshot | undefined;

  constructor(contexts: Contexts, { connection, caller }: RequestOrigin, isBatch: boolean) {
    this.contexts = contexts;
    this.isPage = connection?.isPage === true;
    this.caller = caller;
    this.isBatch = isBatch;
  }

  contextOf(entry: Entry): RpcContext {
    const snapshot = this.snapshotOf(entry);
    return snapshot ? this.contexts.reading(snapshot) : this.contexts.live;
  }

  /** Must be called before anything else runs, as long as calls may still read. */
  capture(): void {
    this.#chain?.capture();
  }

  /** Returns the snapshot that a call sees; `undefined` for a call that sees the current chain. */
  snapshotOf({ isLive }: Entry): OpenSnapshot | undefined {
    this.#chain = isLive ? undefined : (this.#chain ?? this.contexts.live.chain.openSnapshot());
    if (this.isBatch) this.#chain?.capture();
    return this.#chain;
  }
}

/** The error response to a call of a batch that wasn't run; `undefined` for a notification. */
function refusal(call: unknown, error: DevnetError): string | undefined {
  if (isObject(call) && call.id === undefined) return undefined;
  return failed(readCall(call).id ?? null, error);
}

/** The error response to a text that isn't valid JSON. */
function unparsed(error: unknown): string {
  return failed(null, error instanceof DevnetError ? error : new DevnetError('parseError'));
}
