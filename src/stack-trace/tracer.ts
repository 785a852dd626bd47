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

/** Runs of the compiler that are kept besides those in the folder. */
const MAX_ADDED = 100;

/** A code whose sources are asked for. */
export interface CodeAsked {
  readonly code: Uint8Array;
  readonly isCreation: boolean;
}

/** A contract that was compiled to a code, with the places of its state variables. */
export interface CodeLayout {
  readonly contract: string;
  /** as the user names it; `undefined` where the build tool doesn't say it */
  readonly file: string | undefined;
  /** `undefined` where neither a syntax tree nor the compiler's own layout is known */
  readonly layout: StorageLayout | undefined;
}

/** Tells what the build infos of a project know of code: stack traces of recorded messages, and layouts of storage. */
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

  /** One more run of the compiler: its contracts go before all others. @returns whether it is one */
  add(run: CompilerRun): boolean {
    const { info } = readBuild(textOfRun(run));
    if (!info) return false;
    this.#added = [new Compilation(info), ...this.#added].slice(0, MAX_ADDED);
    this.#compilations = [];
    return true;
  }

  /** @returns `undefined` for a message that succeeded */
  async trace(message: TracedMessage): Promise<StackTrace | undefined> {
    await this.#read();
    try {
      return stackTraceOf(message, (code, isCreation) => this.#find(code, isCreation));
    } catch {
      // Files that somebody wrote by hand may contradict themselves: the failure is told without them.
      return stackTraceOf(message, () => undefined);
    }
  }

  /** @returns `undefined` for code of no compiled contract */
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
        // As in a stack trace, files that contradict themselves are left aside.
        return undefined;
      }
    });
    return sourceLines(found);
  }

  /** @param code as it is deployed @returns `undefined` for code of no build info */
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

  /** What is asked together looks at the folder once. */
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
