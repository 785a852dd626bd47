/** The first word of an error that Redis answered, `OOM` or `WRONGTYPE` for example; `undefined` for any other error. */
export function replyCode(error: unknown): string | undefined {
  const { message } = error as { message?: unknown };
  if (typeof message !== 'string') return undefined;
  // Before Redis 7 the error of a command in a script is preceded by the error of the script.
  const [, inScript] = /^ERR Error running script .* -([A-Z][A-Z0-9_]+) /.exec(message) ?? [];
  return inScript ?? /^([A-Z][A-Z0-9_]+) /.exec(message)?.[1];
}

/** Whether Redis currently rejects writes of every client: no memory, no disk, loading its data, or busy with a script. */
export function isRefusalToAll(error: unknown): boolean {
  return ['OOM', 'MISCONF', 'LOADING', 'BUSY'].includes(replyCode(error) ?? '');
}

/** Whether no server listens at the address of Redis. */
export function isRefusedConnection(error: unknown): boolean {
  // An AggregateError: all addresses of the host have failed.
  if (error instanceof AggregateError) return error.errors.every(isRefusedConnection);
  return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
}

/** Classes of the client's errors for a connection that ended or timed out before the answer. */
const OF_CONNECTION = /^(Abort|Client|Command|Connection|Disconnects|Reconnect|Socket|Timeout)\w*Error$/;

/** System error codes for a connection that can't be made or was lost. */
const NETWORK = /^(EAI_AGAIN|ECONN\w+|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EPIPE|ETIMEDOUT)$/;

/** Why a Redis command failed, as a sentence. Errors that are neither Redis's nor of its connection keep their text. */
export function failureText(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  if (replyCode(error) !== undefined) return `Redis refuses what this node asks: ${message}`;
  if (OF_CONNECTION.test((error as Error).constructor.name)) return 'Redis does not answer';
  return code !== undefined && NETWORK.test(code) ? `Redis can't be reached (${code})` : message;
}
