import type { Moment, MomentFrame } from '../../rpc/format/execution.ts';
import { askNode } from '../ask-node.ts';

/** A call that is in progress. */
export type Frame = MomentFrame;

/** A variable of a function. */
export type LocalVariable = NonNullable<Frame['variables']>[number];

/** A variable in the node's format. */
export type Variable = Pick<LocalVariable, 'name' | 'type'> & { readonly value: string | boolean | null };

/** The parts of the result of `devnet_execution` that are used. */
interface Opened {
  readonly steps: number;
  readonly files: readonly string[];
  readonly failure: { readonly message: string; readonly step: number | null } | null;
}

/** Which moment to search for. */
export interface Search {
  readonly kind: 'opcode' | 'line' | 'over' | 'out' | 'revert' | 'breakpoint';
  readonly back?: boolean;
  readonly breakpoints?: readonly { readonly file: number; readonly line: number }[];
}

/** A transaction whose steps a node has recorded by executing it again. */
export class Run {
  readonly hash: string;
  readonly steps: number;
  readonly files: readonly string[];
  readonly failure: Opened['failure'];
  readonly #url: string;
  readonly #texts = new Map<number, Promise<string>>();

  private constructor(url: string, hash: string, { steps, files, failure }: Opened) {
    this.#url = url;
    this.hash = hash;
    this.steps = steps;
    this.files = files;
    this.failure = failure;
  }

  /** @param url JSON-RPC URL of the node @throws Error in one line */
  static async open(url: string, hash: string): Promise<Run> {
    return new Run(url, hash, await askNode<Opened>(url, 'devnet_execution', hash));
  }

  /** Returns the moment before an opcode. @returns null if the transaction has no such opcode */
  at(step: number): Promise<Moment | null> {
    return askNode(this.#url, 'devnet_step', this.hash, step);
  }

  /** Returns the nearest moment of a kind. @returns null if there is none */
  find(from: number, search: Search): Promise<Moment | null> {
    return askNode(this.#url, 'devnet_step', this.hash, { from, ...search });
  }

  /** Returns the state variables before an opcode, of the account whose storage the opcode works on. */
  async stateVariables(step: number): Promise<readonly Variable[]> {
    type Answer = { readonly variables: readonly Variable[] } | null;
    return (await askNode<Answer>(this.#url, 'devnet_stepVariables', this.hash, step))?.variables ?? [];
  }

  /** Returns the text of a source file by its number. */
  text(file: number): Promise<string> {
    let text = this.#texts.get(file);
    if (!text) {
      text = askNode<{ text: string }>(this.#url, 'devnet_source', this.hash, file).then((it) => it.text);
      this.#texts.set(file, text);
    }
    return text;
  }
}
