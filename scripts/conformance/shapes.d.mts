/** Tells what is wrong with a value, from its place on; nothing when it has the shape. */
export type Shape = (value: unknown) => string | undefined;

export const RESULTS: Readonly<Record<string, Shape>>;
export const transaction: Shape;
export const waitingTransaction: Shape;

/** What is wrong with a method's result; nothing where the method has no shape here. */
export function shapeProblem(method: string, result: unknown): string | undefined;
