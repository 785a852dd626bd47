import type { Moment } from '../../rpc/format/execution.ts';
import { USUAL_URL } from '../ask-node.ts';
import type { Reply, Request } from './protocol.ts';
import { type Frame, Run, type Search } from './run.ts';
import { evaluate, type Scope, scopesOf } from './scopes.ts';
import { type Source, SourcePaths } from './source-paths.ts';

type Arguments = Readonly<Record<string, unknown>>;
type Handler = (args: Arguments) => unknown;

/** The features that this adapter supports. */
const CAPABILITIES = {
  supportsConfigurationDoneRequest: true,
  supportsStepBack: true,
  supportsSteppingGranularity: true,
  supportsRestartRequest: true,
  supportsEvaluateForHovers: true,
  supportsExceptionInfoRequest: true,
  supportsLoadedSourcesRequest: true,
  supportsTerminateRequest: true,
  exceptionBreakpointFilters: [{ filter: 'revert', label: 'Failing calls', default: true }],
};

/** A transaction is one thread. */
const THREAD = 1;
const HASH = /^0x[\da-f]{64}$/i;
const SOLIDITY = 'text/x-solidity';

/**
 * A session of the Debug Adapter Protocol: an editor steps through a transaction, forward and back. The node has executed the transaction
 * again and keeps its steps; the state of the session is the current step.
 */
export class DebugSession {
  readonly #options: {
    readonly hash: string | undefined;
    readonly url: string | undefined;
    readonly folder: string;
  };
  readonly #deps: { readonly send: (reply: Reply) => void; readonly end: () => void };
  #run: Run | undefined;
  #paths: SourcePaths | undefined;
  #moment: Moment | undefined;
  #stopsOnEntry = true;
  #stopsAtFailures = true;
  /** by file number: line numbers, starting at 1 */
  readonly #breakpoints = new Map<number, readonly number[]>();
  /** scopes of the current moment; the editor's reference to a scope is its index + 1 */
  #scopes: Scope[] = [];
  /** offset to add to 1-based line numbers for the editor */
  #lineOffset = 0;

  readonly #handlers: Readonly<Record<string, Handler>> = {
    initialize: ({ linesStartAt1 }) => {
      this.#lineOffset = linesStartAt1 === false ? -1 : 0;
      return CAPABILITIES;
    },
    launch: (args) => this.#open(args),
    attach: (args) => this.#open(args),
    setBreakpoints: (args) => this.#setBreakpoints(args),
    setExceptionBreakpoints: ({ filters }) => {
      this.#stopsAtFailures = Array.isArray(filters) && filters.includes('revert');
    },
    configurationDone: () => this.#begin(),
    restart: () => this.#begin(),
    threads: () => ({
      threads: [{ id: THREAD, name: `Transaction ${this.#opened.hash.slice(0, 10)}` }],
    }),
    stackTrace: (args) => this.#stackTrace(args),
    scopes: ({ frameId }) => this.#scopesOf(this.#frame(frameId)),
    variables: async ({ variablesReference }) => {
      const scope = this.#scopes[Number(variablesReference) - 1];
      return { variables: scope ? await scope.variables() : [] };
    },
    evaluate: async ({ expression, frameId }) => {
      const frame = frameId === undefined ? this.#frames[0]! : this.#frame(frameId);
      const result = await evaluate(this.#opened, frame, String(expression));
      if (result === undefined) throw new Error(`no variable '${String(expression)}' is known here`);
      return { result, variablesReference: 0 };
    },
    continue: () => this.#continue(false),
    reverseContinue: () => this.#continue(true),
    next: (args) => this.#step(args, 'over', false),
    stepIn: (args) => this.#step(args, 'line', false),
    stepOut: (args) => this.#step(args, 'out', false),
    stepBack: (args) => this.#step(args, 'over', true),
    pause: () => undefined,
    exceptionInfo: () => this.#failure(),
    source: (args) => this.#source(args),
    loadedSources: async () => ({
      sources: await Promise.all(this.#opened.files.map((_, file) => this.#sources.source(file))),
    }),
    terminate: () => this.#send('terminated'),
    disconnect: () => this.#deps.end(),
  };

  /**
   * @param options.hash hash of the transaction, if the editor gives none
   * @param options.url JSON-RPC URL of the node, if the editor gives none
   * @param options.folder the project's folder, if the editor gives none
   */
  constructor(
    options: {
      readonly hash: string | undefined;
      readonly url: string | undefined;
      readonly folder: string;
    },
    deps: { readonly send: (reply: Reply) => void; readonly end: () => void },
  ) {
    this.#options = options;
    this.#deps = deps;
  }

  /** Answers a request. Requests are answered one after the other. */
  async handle({ seq, command, arguments: args = {} }: Request): Promise<void> {
    const answer = (rest: { success: boolean; message?: string; body?: unknown }) =>
      this.#deps.send({ type: 'response', request_seq: seq, command, ...rest });
    const handler = Object.hasOwn(this.#handlers, command) ? this.#handlers[command] : undefined;
    if (!handler) return answer({ success: false, message: `'${command}' is not supported` });
    const then: (() => void)[] = [];
    this.#later = then;
    try {
      const body = await handler(args);
      answer({ success: true, ...(body !== undefined && { body }) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const told = { id: 1, format: message, showUser: true };
      answer({ success: false, message, body: { error: told } });
    }
    // Events caused by a request are sent after its response.
    for (const each of then) each();
  }

  #later: (() => void)[] = [];

  #send(event: string, body?: unknown): undefined {
    this.#later.push(() => this.#deps.send({ type: 'event', event, ...(body !== undefined && { body }) }));
  }

  get #opened(): Run {
    if (!this.#run) throw new Error('no transaction was launched');
    return this.#run;
  }

  get #sources(): SourcePaths {
    if (!this.#paths) throw new Error('no transaction was launched');
    return this.#paths;
  }

  /** The calls in progress, innermost first. */
  get #frames(): readonly Frame[] {
    if (!this.#moment) throw new Error('the transaction has no steps');
    return this.#moment.frames.toReversed();
  }

  /** @param id index in the list of frames */
  #frame(id: unknown): Frame {
    const frame = this.#frames[Number(id)];
    if (!frame) throw new Error(`there is no frame ${String(id)}`);
    return frame;
  }

  async #open({ transaction, rpc, cwd, stopOnEntry }: Arguments): Promise<void> {
    const hash = transaction ?? this.#options.hash;
    if (typeof hash !== 'string' || !HASH.test(hash))
      throw new Error(`"transaction": expected the hash of a transaction, got ${JSON.stringify(hash)}`);
    const url = typeof rpc === 'string' ? rpc : (this.#options.url ?? USUAL_URL);
    const folder = typeof cwd === 'string' ? cwd : this.#options.folder;
    this.#run = await Run.open(url, hash);
    this.#paths = new SourcePaths({ folder }, { run: this.#run });
    this.#stopsOnEntry = stopOnEntry !== false;
    // Allows the editor to set breakpoints. Not earlier: it must be known whether the transaction runs their lines.
    this.#send('initialized');
  }

  async #begin(): Promise<void> {
    const run = this.#opened;
    if (run.steps === 0) {
      this.#output('The transaction ran no code.');
      return this.#send('terminated');
    }
    const { failure, files } = run;
    this.#output(failure ? failure.message : 'The transaction succeeded.');
    if (files.length === 0) this.#output('No build info of the project has the code that ran.');
    const first = (await run.find(0, { kind: 'line' })) ?? (await run.at(0));
    if (first) this.#moment = first;
    if (!this.#stopsOnEntry) await this.#continue(false);
    else this.#stopped('entry');
  }

  async #setBreakpoints({ source, breakpoints }: Arguments): Promise<unknown> {
    const run = this.#opened;
    const wanted = (Array.isArray(breakpoints) ? breakpoints : []) as readonly { line?: unknown }[];
    const file = await this.#sources.fileOf((source ?? {}) as Partial<Source>);
    const lines = wanted.map(({ line }) => Number(line) - this.#lineOffset);
    const isRun = await Promise.all(
      lines.map(async (line) => {
        if (file === undefined || !(line > 0 && Number.isSafeInteger(line))) return false;
        const search: Search = { kind: 'breakpoint', breakpoints: [{ file, line }] };
        return (await run.find(0, search)) !== null;
      }),
    );
    if (file !== undefined)
      this.#breakpoints.set(
        file,
        lines.filter((_, i) => isRun[i]),
      );
    const message =
      file === undefined
        ? 'the transaction runs no contract of this file'
        : "the transaction doesn't run this line";
    return {
      breakpoints: wanted.map(({ line }, i) => ({
        verified: isRun[i],
        line,
        ...(!isRun[i] && { message }),
      })),
    };
  }

  async #stackTrace({ startFrame, levels }: Arguments): Promise<unknown> {
    const frames = this.#frames;
    const from = Number(startFrame ?? 0);
    const count = Number(levels ?? 0) || frames.length;
    const shown = await Promise.all(
      frames.slice(from, from + count).map(async (frame, i) => {
        const { place, function: name, contract } = frame;
        return {
          id: from + i,
          name: [contract, name].filter(Boolean).join('.') || frame.to || 'unknown code',
          line: place ? place.line + this.#lineOffset : 0,
          column: place ? 1 + this.#lineOffset : 0,
          ...(place ? { source: await this.#sources.source(place.file) } : { presentationHint: 'subtle' }),
        };
      }),
    );
    return { stackFrames: shown, totalFrames: frames.length };
  }

  #scopesOf(frame: Frame): unknown {
    const scopes = scopesOf(this.#opened, this.#moment!, frame);
    const first = this.#scopes.push(...scopes) - scopes.length;
    return {
      scopes: scopes.map(({ name, presentationHint, expensive }, i) => ({
        name,
        ...(presentationHint && { presentationHint }),
        expensive,
        variablesReference: first + i + 1,
      })),
    };
  }

  /** Continues to the next breakpoint or failing call, or else to the end of the transaction. */
  async #continue(back: boolean): Promise<unknown> {
    const run = this.#opened;
    const from = this.#moment?.step ?? 0;
    const breakpoints = [...this.#breakpoints].flatMap(([file, lines]) =>
      lines.map((line) => ({ file, line })),
    );
    const [breakpoint, failure] = await Promise.all([
      breakpoints.length > 0 ? run.find(from, { kind: 'breakpoint', back, breakpoints }) : null,
      this.#stopsAtFailures ? run.find(from, { kind: 'revert', back }) : null,
    ]);
    const isNearer = (a: Moment, b: Moment) => (back ? a.step > b.step : a.step < b.step);
    if (failure && !(breakpoint && isNearer(breakpoint, failure))) this.#stopAt(failure, 'exception');
    else if (breakpoint) this.#stopAt(breakpoint, 'breakpoint');
    else await this.#stopAtEnd(back);
    return { allThreadsContinued: true };
  }

  async #step({ granularity }: Arguments, kind: Search['kind'], back: boolean): Promise<void> {
    const search = { kind: granularity === 'instruction' ? ('opcode' as const) : kind, back };
    const found = await this.#opened.find(this.#moment?.step ?? 0, search);
    if (found) this.#stopAt(found, 'step');
    else await this.#stopAtEnd(back);
  }

  /** Stops at the end (or the start). Continuing forward from the last opcode ends the session. */
  async #stopAtEnd(back: boolean): Promise<void> {
    const last = back ? 0 : this.#opened.steps - 1;
    if (!back && this.#moment?.step === last) return this.#send('terminated');
    const end = await this.#opened.at(last);
    if (end) this.#stopAt(end, back ? 'entry' : 'step');
  }

  #stopAt(moment: Moment, reason: string): void {
    this.#moment = moment;
    this.#stopped(reason);
  }

  #stopped(reason: string): void {
    this.#scopes = [];
    const text = reason === 'exception' ? this.#failure().description : undefined;
    this.#send('stopped', { reason, threadId: THREAD, allThreadsStopped: true, ...(text && { text }) });
  }

  /** Describes why the call that ends here failed; the reason is known only for the failure of the whole transaction. */
  #failure() {
    const { failure } = this.#opened;
    const isLast = this.#moment !== undefined && this.#moment.step >= (failure?.step ?? 0);
    const description = failure && isLast ? failure.message : 'a call failed';
    return { exceptionId: 'revert', description, breakMode: 'always' };
  }

  async #source({ source, sourceReference }: Arguments): Promise<unknown> {
    const { sourceReference: named } = (source ?? {}) as Partial<Source>;
    const file = Number(named ?? sourceReference) - 1;
    if (this.#opened.files[file] === undefined) throw new Error('there is no such source');
    return { content: await this.#opened.text(file), mimeType: SOLIDITY };
  }

  #output(text: string): void {
    this.#send('output', { category: 'console', output: `${text}\n` });
  }
}
