import {
  DebugSession,
  Handles,
  InitializedEvent,
  OutputEvent,
  Response,
  StoppedEvent,
  TerminatedEvent,
  Thread,
} from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Moment } from '../../rpc/format/execution.ts';
import { USUAL_URL } from '../ask-node.ts';
import { type Frame, Run, type Search } from './run.ts';
import { evaluate, type Scope, scopesOf } from './scopes.ts';
import { SourcePaths } from './source-paths.ts';

/** The features that this adapter supports. */
const CAPABILITIES: DebugProtocol.Capabilities = {
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

/** What an editor's configuration may say of a transaction. */
interface LaunchArguments extends DebugProtocol.LaunchRequestArguments {
  readonly transaction?: unknown;
  readonly rpc?: unknown;
  readonly cwd?: unknown;
  readonly stopOnEntry?: unknown;
}

/** What an editor leaves out, if nothing else is given. */
export interface SessionOptions {
  /** hash of the transaction */
  readonly hash: string | undefined;
  /** JSON-RPC URL of the node */
  readonly url: string | undefined;
  /** the project's folder */
  readonly folder: string;
}

/**
 * A session of the Debug Adapter Protocol: an editor steps through a transaction, forward and back. The node has executed the transaction
 * again and keeps its steps; the state of the session is the current step. The types of arguments are what an editor should send: values of
 * other types are refused like wrong ones.
 */
export class TransactionSession extends DebugSession {
  readonly #options: SessionOptions;
  #run: Run | undefined;
  #paths: SourcePaths | undefined;
  #moment: Moment | undefined;
  #stopsOnEntry = true;
  #stopsAtFailures = true;
  /** by file number: line numbers, starting at 1 */
  readonly #breakpoints = new Map<number, readonly number[]>();
  /** scopes of the current moment */
  readonly #scopes = new Handles<Scope>();
  #answered = Promise.resolve();
  readonly #events: DebugProtocol.Event[] = [];
  #hasEnded = false;

  constructor(options: SessionOptions) {
    super();
    this.#options = options;
    this.setDebuggerLinesStartAt1(true);
    this.setDebuggerColumnsStartAt1(true);
  }

  /** Whether the editor has disconnected. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Answers a request. The next one may follow when it is answered. */
  answer(request: DebugProtocol.Request): Promise<void> {
    this.handleMessage(request);
    return this.#answered;
  }

  /** The library answers what no method handles with success: it is refused. */
  protected override dispatchRequest(request: DebugProtocol.Request): void {
    if (HANDLERS.has(`${request.command}Request`.toLowerCase())) super.dispatchRequest(request);
    else this.customRequest(request.command, new Response(request));
  }

  protected override customRequest(command: string, response: DebugProtocol.Response): void {
    this.#answer(response, () => {
      throw new Error(`'${command}' is not supported`);
    });
  }

  protected override initializeRequest(response: DebugProtocol.InitializeResponse): void {
    this.#answer(response, () => CAPABILITIES);
  }

  protected override launchRequest(response: DebugProtocol.LaunchResponse, args: LaunchArguments): void {
    this.#answer(response, () => this.#open(args));
  }

  protected override attachRequest(response: DebugProtocol.AttachResponse, args: LaunchArguments): void {
    this.#answer(response, () => this.#open(args));
  }

  protected override setBreakPointsRequest(
    response: DebugProtocol.SetBreakpointsResponse,
    { source, breakpoints }: DebugProtocol.SetBreakpointsArguments,
  ): void {
    this.#answer(response, async () => {
      const run = this.#opened;
      const wanted = Array.isArray(breakpoints) ? breakpoints : [];
      const file = await this.#sources.fileOf(source ?? {});
      const lines = wanted.map(({ line }) => this.convertClientLineToDebugger(Number(line)));
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
          verified: isRun[i]!,
          line,
          ...(!isRun[i] && { message }),
        })),
      };
    });
  }

  protected override setExceptionBreakPointsRequest(
    response: DebugProtocol.SetExceptionBreakpointsResponse,
    { filters }: DebugProtocol.SetExceptionBreakpointsArguments,
  ): void {
    this.#answer(response, () => {
      this.#stopsAtFailures = Array.isArray(filters) && filters.includes('revert');
      return undefined;
    });
  }

  protected override configurationDoneRequest(response: DebugProtocol.ConfigurationDoneResponse): void {
    this.#answer(response, () => this.#begin());
  }

  protected override restartRequest(response: DebugProtocol.RestartResponse): void {
    this.#answer(response, () => this.#begin());
  }

  protected override threadsRequest(response: DebugProtocol.ThreadsResponse): void {
    this.#answer(response, () => ({
      threads: [new Thread(THREAD, `Transaction ${this.#opened.hash.slice(0, 10)}`)],
    }));
  }

  protected override stackTraceRequest(
    response: DebugProtocol.StackTraceResponse,
    { startFrame, levels }: DebugProtocol.StackTraceArguments,
  ): void {
    this.#answer(response, async () => {
      const frames = this.#frames;
      const from = Number(startFrame ?? 0);
      const count = Number(levels ?? 0) || frames.length;
      const shown = await Promise.all(
        frames.slice(from, from + count).map(async (frame, i): Promise<DebugProtocol.StackFrame> => {
          const { place, function: name, contract } = frame;
          return {
            id: from + i,
            name: [contract, name].filter(Boolean).join('.') || frame.to || 'unknown code',
            line: place ? this.convertDebuggerLineToClient(place.line) : 0,
            column: place ? this.convertDebuggerColumnToClient(1) : 0,
            ...(place ? { source: await this.#sources.source(place.file) } : { presentationHint: 'subtle' }),
          };
        }),
      );
      return { stackFrames: shown, totalFrames: frames.length };
    });
  }

  protected override scopesRequest(
    response: DebugProtocol.ScopesResponse,
    { frameId }: DebugProtocol.ScopesArguments,
  ): void {
    this.#answer(response, () => {
      const frame = this.#frame(frameId);
      const scopes = scopesOf(this.#opened, this.#moment!, frame).map((scope) => ({
        name: scope.name,
        ...(scope.presentationHint && { presentationHint: scope.presentationHint }),
        expensive: scope.expensive,
        variablesReference: this.#scopes.create(scope),
      }));
      return { scopes };
    });
  }

  protected override variablesRequest(
    response: DebugProtocol.VariablesResponse,
    { variablesReference }: DebugProtocol.VariablesArguments,
  ): void {
    this.#answer(response, async () => ({
      variables: (await this.#scopes.get(variablesReference)?.variables()) ?? [],
    }));
  }

  protected override evaluateRequest(
    response: DebugProtocol.EvaluateResponse,
    { expression, frameId }: DebugProtocol.EvaluateArguments,
  ): void {
    this.#answer(response, async () => {
      const frame = frameId === undefined ? this.#frames[0]! : this.#frame(frameId);
      const result = await evaluate(this.#opened, frame, String(expression));
      if (result === undefined) throw new Error(`no variable '${String(expression)}' is known here`);
      return { result, variablesReference: 0 };
    });
  }

  protected override continueRequest(response: DebugProtocol.ContinueResponse): void {
    this.#answer(response, async () => {
      await this.#continue(false);
      return { allThreadsContinued: true };
    });
  }

  protected override reverseContinueRequest(response: DebugProtocol.ReverseContinueResponse): void {
    this.#answer(response, () => this.#continue(true));
  }

  protected override nextRequest(
    response: DebugProtocol.NextResponse,
    args: DebugProtocol.NextArguments,
  ): void {
    this.#answer(response, () => this.#step(args, 'over', false));
  }

  protected override stepInRequest(
    response: DebugProtocol.StepInResponse,
    args: DebugProtocol.StepInArguments,
  ): void {
    this.#answer(response, () => this.#step(args, 'line', false));
  }

  protected override stepOutRequest(
    response: DebugProtocol.StepOutResponse,
    args: DebugProtocol.StepOutArguments,
  ): void {
    this.#answer(response, () => this.#step(args, 'out', false));
  }

  protected override stepBackRequest(
    response: DebugProtocol.StepBackResponse,
    args: DebugProtocol.StepBackArguments,
  ): void {
    this.#answer(response, () => this.#step(args, 'over', true));
  }

  protected override pauseRequest(response: DebugProtocol.PauseResponse): void {
    this.#answer(response, () => {});
  }

  protected override exceptionInfoRequest(response: DebugProtocol.ExceptionInfoResponse): void {
    this.#answer(response, () => this.#failure());
  }

  protected override sourceRequest(
    response: DebugProtocol.SourceResponse,
    { source, sourceReference }: DebugProtocol.SourceArguments,
  ): void {
    this.#answer(response, async () => {
      const file = Number(source?.sourceReference ?? sourceReference) - 1;
      if (this.#opened.files[file] === undefined) throw new Error('there is no such source');
      return { content: await this.#opened.text(file), mimeType: SOLIDITY };
    });
  }

  protected override loadedSourcesRequest(response: DebugProtocol.LoadedSourcesResponse): void {
    this.#answer(response, async () => ({
      sources: await Promise.all(this.#opened.files.map((_, file) => this.#sources.source(file))),
    }));
  }

  protected override terminateRequest(response: DebugProtocol.TerminateResponse): void {
    this.#answer(response, () => this.sendEvent(new TerminatedEvent()));
  }

  protected override disconnectRequest(response: DebugProtocol.DisconnectResponse): void {
    this.#answer(response, () => {
      this.#hasEnded = true;
    });
  }

  /** Answers with what `work` returns. Its events follow the answer. */
  #answer<R extends DebugProtocol.Response>(response: R, work: () => R['body'] | Promise<R['body']>): void {
    this.#answered = (async () => {
      try {
        response.body = await work();
        this.sendResponse(response);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        // As a variable, because braces in the message would name variables.
        this.sendErrorResponse(response, 1, '{_message}', { _message: message });
      }
      for (const event of this.#events.splice(0)) super.sendEvent(event);
    })();
  }

  /** Keeps an event until the request that caused it is answered. */
  override sendEvent(event: DebugProtocol.Event): void {
    this.#events.push(event);
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
  #frame(id: number): Frame {
    const frame = Number.isSafeInteger(id) ? this.#frames[id] : undefined;
    if (!frame) throw new Error(`there is no frame ${String(id)}`);
    return frame;
  }

  async #open({ transaction, rpc, cwd, stopOnEntry }: LaunchArguments): Promise<void> {
    const hash = transaction ?? this.#options.hash;
    if (typeof hash !== 'string' || !HASH.test(hash))
      throw new Error(`"transaction": expected the hash of a transaction, got ${JSON.stringify(hash)}`);
    const url = typeof rpc === 'string' ? rpc : (this.#options.url ?? USUAL_URL);
    const folder = typeof cwd === 'string' ? cwd : this.#options.folder;
    this.#run = await Run.open(url, hash);
    this.#paths = new SourcePaths({ folder }, { run: this.#run });
    this.#stopsOnEntry = stopOnEntry !== false;
    // Allows the editor to set breakpoints. Not earlier: it must be known whether the transaction runs their lines.
    this.sendEvent(new InitializedEvent());
  }

  async #begin(): Promise<void> {
    const run = this.#opened;
    if (run.steps === 0) {
      this.#output('The transaction ran no code.');
      return this.sendEvent(new TerminatedEvent());
    }
    const { failure, files } = run;
    this.#output(failure ? failure.message : 'The transaction succeeded.');
    if (files.length === 0) this.#output('No build info of the project has the code that ran.');
    const first = (await run.find(0, { kind: 'line' })) ?? (await run.at(0));
    if (first) this.#moment = first;
    if (!this.#stopsOnEntry) await this.#continue(false);
    else this.#stopped('entry');
  }

  /** Continues to the next breakpoint or failing call, or else to the end of the transaction. */
  async #continue(back: boolean): Promise<void> {
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
  }

  async #step(
    { granularity }: DebugProtocol.NextArguments,
    kind: Search['kind'],
    back: boolean,
  ): Promise<void> {
    const search = { kind: granularity === 'instruction' ? ('opcode' as const) : kind, back };
    const found = await this.#opened.find(this.#moment?.step ?? 0, search);
    if (found) this.#stopAt(found, 'step');
    else await this.#stopAtEnd(back);
  }

  /** Stops at the end (or the start). Continuing forward from the last opcode ends the session. */
  async #stopAtEnd(back: boolean): Promise<void> {
    const last = back ? 0 : this.#opened.steps - 1;
    if (!back && this.#moment?.step === last) return this.sendEvent(new TerminatedEvent());
    const end = await this.#opened.at(last);
    if (end) this.#stopAt(end, back ? 'entry' : 'step');
  }

  #stopAt(moment: Moment, reason: string): void {
    this.#moment = moment;
    this.#stopped(reason);
  }

  #stopped(reason: string): void {
    this.#scopes.reset();
    const text = reason === 'exception' ? this.#failure().description : undefined;
    this.sendEvent(new StoppedEvent(reason, THREAD, text));
  }

  /** Describes why the call that ends here failed; the reason is known only for the failure of the whole transaction. */
  #failure(): DebugProtocol.ExceptionInfoResponse['body'] & { readonly description: string } {
    const { failure } = this.#opened;
    const isLast = this.#moment !== undefined && this.#moment.step >= (failure?.step ?? 0);
    const description = failure && isLast ? failure.message : 'a call failed';
    return { exceptionId: 'revert', description, breakMode: 'always' };
  }

  #output(text: string): void {
    this.sendEvent(new OutputEvent(`${text}\n`));
  }
}

/** The names of the methods that handle requests, in lower case: `setBreakPointsRequest` handles `setBreakpoints`. */
const HANDLERS = new Set(
  Object.getOwnPropertyNames(TransactionSession.prototype).map((name) => name.toLowerCase()),
);
