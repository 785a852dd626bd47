/** The engines that can execute transactions and calls: see docs/engines.md. */
export const ENGINES = ['fast', 'ethereumjs', 'shadow'] as const;

export type EngineName = (typeof ENGINES)[number];

/** The engine of a node whose options name none. */
export const DEFAULT_ENGINE: EngineName = 'fast';
