/** Progress of a long task, such as an import. Unknown values are absent. */
export interface Progress {
  /** description for the user, such as `Importing chain.rlp` */
  readonly task: string;
  /** how much of `total` is done, both in `unit` */
  readonly done?: number;
  readonly total?: number;
  /** plural noun; `bytes` are shown as MB */
  readonly unit?: string;
  /** A second count, without a total: its rate is shown. */
  readonly also?: { readonly done: number; readonly unit: string };
}

/** Called at each step of a long task. Called often, so it must be cheap. */
export type OnProgress = (progress: Progress) => void;
