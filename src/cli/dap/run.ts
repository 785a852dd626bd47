import { askNode } from '../ask-node.ts';

/** A variable as the node answers it. */
export interface Variable {
  readonly name: string;
  readonly type: string;
  /** null = not known */
  readonly value: string | boolean | null;
}

/** Of the variables of a function: what it is. */
export interface LocalVariable extends Variable {
  readonly kind: 'parameter' | 'result' | 'local';
}

export interface Place {
  /** number of the file in the run */
  readonly file: number;
  readonly name: string;
  /** from 1 */
  readonly line: number;
}

/** A call that is under way. */
export interface Frame {
  readonly step: number;
  readonly contract: string | null;
  readonly function: string | null;
  readonly definedIn: string | null;
  readonly place: Place | null;
  /** `0x` hex, of frames that another contract called */
  readonly to?: string | null;
  readonly value?: string;
  readonly input?: string;
  /** null where the compiler's layout of the stack isn't known */
  readonly variables: readonly LocalVariable[] | null;
}

/** What `devnet_step` answers, as far as it is used. */
export interface Moment {
  readonly step: number;
  readonly pc: number;
  readonly op: string;
  readonly gas: number;
  /** the outermost call first */
  readonly frames: readonly Frame[];
  readonly stack: readonly string[];
  readonly memory: string;
  readonly memorySize: number;
  readonly storage: readonly {
    readonly address: string;
    readonly slot: string;
    readonly before: string | null;
    readonly value: string;
  }[];
}

/** What `devnet_execution` answers, as far as it is used. */
interface Opened {
  readonly steps: number;
  readonly files: readonly string[];
  readonly failure: { readonly message: string; readonly step: number | null } | null;
}

/** Where to look for a moment. */
export interface Search {
  readonly kind: 'opcode' | 'line' | 'over' | 'out' | 'revert' | 'breakpoint';
  readonly back?: boolean;
  readonly breakpoints?: readonly { readonly file: number; readonly line: number }[];
}

/** A transaction that a node has executed again, step by step. */
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

  /** @param url JSON-RPC of the node @throws Error in one line */
  static async open(url: string, hash: string): Promise<Run> {
    return new Run(url, hash, await askNode<Opened>(url, 'devnet_execution', hash));
  }

  /** The moment before an opcode. @returns null where the transaction has no such opcode */
  at(step: number): Promise<Moment | null> {
    return askNode(this.#url, 'devnet_step', this.hash, step);
  }

  /** The nearest moment of a kind. @returns null where there is none */
  find(from: number, search: Search): Promise<Moment | null> {
    return askNode(this.#url, 'devnet_step', this.hash, { from, ...search });
  }

  /** State variables before an opcode, of the account whose storage it works on. */
  async stateVariables(step: number): Promise<readonly Variable[]> {
    type Answer = { readonly variables: readonly Variable[] } | null;
    return (await askNode<Answer>(this.#url, 'devnet_stepVariables', this.hash, step))?.variables ?? [];
  }

  /** The text of a source file by its number. */
  text(file: number): Promise<string> {
    let text = this.#texts.get(file);
    if (!text) {
      text = askNode<{ text: string }>(this.#url, 'devnet_source', this.hash, file).then((it) => it.text);
      this.#texts.set(file, text);
    }
    return text;
  }
}
