/** Returns what is wrong with a value, beginning with the path to it; undefined if the value has the shape. */
export type Shape = (value: unknown) => string | undefined;

export const RESULTS: Readonly<Record<string, Shape>>;
export const transaction: Shape;
export const waitingTransaction: Shape;

/** Returns what is wrong with a method's result; undefined if nothing is, or if the method has no shape here. */
export function shapeProblem(method: string, result: unknown): string | undefined;
