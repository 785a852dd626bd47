export interface Case {
  readonly name: string;
  readonly method: string;
  readonly request: object;
  readonly expected: object;
  readonly shapeOnly: boolean;
}
export interface CaseResult {
  readonly name: string;
  readonly method: string;
  readonly difference: string | undefined;
}
interface Provider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>;
}
export function readCases(dir: string): Case[];
export function difference(expected: object, got: object, shapeOnly?: boolean): string | undefined;
export function runCases(
  cases: readonly Case[],
  ask: (request: object) => Promise<object>,
): Promise<CaseResult[]>;
export function askProvider(provider: Provider): (request: object) => Promise<object>;
