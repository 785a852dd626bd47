import type { TracedMessage } from '../engine/tracers/messages.ts';
import { BuildFolder } from '../sources/build-folder.ts';
import { type CompilerRun, readBuild, textOfRun } from '../sources/build-info.ts';
import type { BuiltContract } from '../sources/compilation.ts';
import { Compilation } from '../sources/compilation.ts';
import { CodeIndex, type Match } from '../sources/match.ts';
import type { RanOpcode, SourceLine } from '../sources/source-line.ts';
import type { StorageLayout } from '../sources/storage-layout.ts';
import { type SourceLines, sourceLines } from './code-lines.ts';

import { RunningCode } from './running-code.ts';
import { sourceOf } from './source-of.ts';
import { type StackTrace, stackTraceOf } from './stack-trace.ts';

/** Maximum number of compiler runs that are kept besides those in the folder. */
const MAX_ADDED = 100;

/** A code whose sources are requested. */
export interface CodeAsked {
  readonly code: Uint8Array;
  readonly isCreation: boolean;
}

/** A contract that was compiled to a code, with its storage layout. */
export interface CodeLayout {
  readonly contract: string;
  /** path in the user's project; `undefined` if the build tool didn't store it */
  readonly file: string | undefined;
  /** `undefined` if neither a syntax tree nor the compiler's own layout is known */
  readonly layout: StorageLayout | undefined;
}

/** Uses the build infos of a project to make stack traces of recorded messages, and to find storage layouts. */
export class StackTracer {
  readonly #folder: BuildFolder;
  #added: readonly Compilation[] = [];
  #compilations: readonly Compilation[] = [];
  #index = new CodeIndex([]);
  #reading: Promise<void> | undefined;
  #running = new Map<BuiltContract, { deployed?: RunningCode; creation?: RunningCode }>();

  /** @param options.folder see {@link BuildFolder} */
  constructor(options: { readonly folder?: string | undefined }) {
    this.#folder = new BuildFolder(options);
  }

  /** Adds a compiler run, whose contracts take precedence over all others. @returns whether it was valid */
  add(run: CompilerRun): boolean {
    const { info } = readBuild(textOfRun(run));
    if (!info) return false;
    this.#added = [new Compilation(info), ...this.#added].slice(0, MAX_ADDED);
    this.#compilations = [];
    return true;
  }

  /** @returns `undefined` if the message succeeded */
  async trace(message: TracedMessage): Promise<StackTrace | undefined> {
    await this.#read();
    try {
      return stackTraceOf(message, (code, isCreation) => this.#find(code, isCreation));
    } catch {
      // A hand-written build info may be inconsistent: the failure is then reported without sources.
      return stackTraceOf(message, () => undefined);
    }
  }

  /** @returns `undefined` if no compiled contract has this code */
  async sourceOf(opcode: RanOpcode): Promise<SourceLine | undefined> {
    await this.#read();
    return sourceOf((code, isCreation) => this.#find(code, isCreation), opcode);
  }

  /** The source behind each instruction of several codes. */
  async lines(codes: readonly CodeAsked[]): Promise<SourceLines> {
    await this.#read();
    const found = codes.map(({ code, isCreation }) => {
      try {
        const running = this.#find(code, isCreation);
        return running && ([running, code.length] as const);
      } catch {
        // As in a stack trace, inconsistent files are ignored.
        return undefined;
      }
    });
    return sourceLines(found);
  }

  /** @param code deployed code @returns `undefined` if no build info has it */
  async layoutOf(code: Uint8Array): Promise<CodeLayout | undefined> {
    await this.#read();
    const match = this.#index.deployed(code);
    if (!match) return undefined;
    const { compilation, built } = match;
    return {
      contract: built.name,
      file: compilation.fileOf(built),
      layout: compilation.layout(built),
    };
  }

  /** Checks the folder once for all requests that arrive together. */
  #read(): Promise<void> {
    this.#reading ??= this.#readFolder().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readFolder(): Promise<void> {
    const compilations = await this.#folder.read();
    if (compilations === this.#compilations) return;
    this.#compilations = compilations;
    this.#index = new CodeIndex([...this.#added, ...compilations]);
    this.#running = new Map();
  }

  #find(code: Uint8Array, isCreation: boolean): RunningCode | undefined {
    const match = isCreation ? this.#index.creation(code) : this.#index.deployed(code);
    return match && this.#runningCode(match, code);
  }

  #runningCode(match: Match, code: Uint8Array): RunningCode {
    let both = this.#running.get(match.built);
    if (!both) {
      both = {};
      this.#running.set(match.built, both);
    }
    const key = match.isCreation ? 'creation' : 'deployed';
    both[key] ??= new RunningCode(match, code);
    return both[key];
  }
}
