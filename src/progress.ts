/** How far a piece of long work is, such as an import. What isn't known is absent. */
export interface Progress {
  /** what is being done, as a reader is told: `Importing chain.rlp` */
  readonly task: string;
  /** how much of `total` is done, both counted in `unit` */
  readonly done?: number;
  readonly total?: number;
  /** in the plural; `bytes` are shown as MB */
  readonly unit?: string;
  /** Something else that is counted meanwhile, without a total: its rate is shown instead. */
  readonly also?: { readonly done: number; readonly unit: string };
}

/** Hears of long work at each step. Called often, so it must be cheap. */
export type OnProgress = (progress: Progress) => void;
