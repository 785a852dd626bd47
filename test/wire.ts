/** JSON as it came over the wire, which tests look into freely. */
// biome-ignore lint/suspicious/noExplicitAny: answers are wire JSON, which tests look into freely
export type Wire = any;

/** A JSON-RPC call, by method and parameters. */
export type Call = (method: string, ...params: unknown[]) => Promise<Wire>;

/** Calls a node in process. */
export function callsOf({
  provider,
}: {
  provider: { request(call: { method: string; params: readonly unknown[] }): Promise<unknown> };
}): Call {
  return (method, ...params) => provider.request({ method, params });
}

/** The code of the error that a promise rejects with; undefined when it resolves. */
export function codeOf(promise: Promise<unknown>): Promise<number | undefined> {
  return promise.then(
    () => undefined,
    (error: { code: number }) => error.code,
  );
}
