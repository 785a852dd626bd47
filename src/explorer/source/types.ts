import type { Hex } from '../data/types.ts';

/** What `devnet_execution` answers. */
export interface Execution {
  readonly steps: number;
  readonly lines: number;
  readonly calls: number;
  readonly cut: boolean;
  readonly files: readonly string[];
  readonly failure: {
    readonly message: string;
    readonly step: number | null;
    readonly frames: readonly FailureFrame[];
  } | null;
}

/** A frame of `devnet_stackTrace`. */
export interface FailureFrame {
  readonly kind: string;
  readonly contract?: string;
  readonly function?: string;
  readonly file?: string;
  readonly line?: number;
  /** names and values, where an ABI gives them */
  readonly arguments?: string;
}

export interface Place {
  readonly file: number;
  readonly name: string;
  readonly line: number;
}

export interface Variable {
  readonly name: string;
  readonly type: string;
  readonly value: string | null;
}

/** A call that is under way. */
export interface CallFrame {
  readonly step: number;
  readonly contract: string | null;
  readonly function: string | null;
  readonly place: Place | null;
  readonly type?: string;
  readonly to?: Hex | null;
  readonly value?: Hex;
  readonly input?: Hex;
  readonly variables: readonly Variable[] | null;
}

export interface StorageChange {
  readonly step: number;
  readonly address: Hex;
  readonly slot: Hex;
  readonly before: Hex | null;
  readonly value: Hex;
  readonly transient: boolean;
}

/** What `devnet_step` answers. */
export interface Moment {
  readonly step: number;
  readonly pc: number;
  readonly op: string;
  readonly gas: number;
  readonly gasUsed: number;
  /** the account whose storage the code works on */
  readonly address: Hex | null;
  readonly depth: number;
  readonly index: { readonly line: number; readonly call: number };
  readonly place: Place | null;
  readonly calls: number;
  readonly frames: readonly CallFrame[];
  readonly stack: readonly Hex[];
  readonly memory: Hex;
  readonly memorySize: number;
  readonly storage: readonly StorageChange[];
  readonly storageChanges: number;
  readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }[];
  readonly logCount: number;
}

/** A row of `devnet_steps`. */
export interface Row {
  readonly step: number;
  readonly pc: number;
  readonly op: string;
  readonly gas: number;
  readonly depth: number;
}

export type Unit = 'line' | 'call' | 'opcode';
