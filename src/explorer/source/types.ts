import type { Moment as AnsweredMoment, MomentFrame } from '../../rpc/format/execution.ts';

/** The result of `devnet_execution`. */
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
  /** names and values, if an ABI is known */
  readonly arguments?: string;
}

/** The result of `devnet_step`. */
export type Moment = AnsweredMoment;

/** An active call. */
export type CallFrame = MomentFrame;
export type Place = NonNullable<Moment['place']>;
export type StorageChange = Moment['storage'][number];

/** A row of `devnet_steps`. */
export interface Row {
  readonly step: number;
  readonly pc: number;
  readonly op: string;
  readonly gas: number;
  readonly depth: number;
}

export type Unit = 'line' | 'call' | 'opcode';
