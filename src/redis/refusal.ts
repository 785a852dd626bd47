/** The first word of an error that Redis answered, `OOM` or `WRONGTYPE` for example; `undefined` for any other error. */
export function replyCode(error: unknown): string | undefined {
  const { message } = error as { message?: unknown };
  if (typeof message !== 'string') return undefined;
  // Before version 7 the error of a command in a script comes behind that of the script.
  const [, inScript] = /^ERR Error running script .* -([A-Z][A-Z0-9_]+) /.exec(message) ?? [];
  return inScript ?? /^([A-Z][A-Z0-9_]+) /.exec(message)?.[1];
}

/** Whether Redis is there and takes no writes, whoever asks: no memory, no disk, it loads its data, or a script runs. */
export function isRefusalToAll(error: unknown): boolean {
  return ['OOM', 'MISCONF', 'LOADING', 'BUSY'].includes(replyCode(error) ?? '');
}

/** Whether nobody listens at the address of Redis. */
export function isRefusedConnection(error: unknown): boolean {
  // Several addresses of a host that all failed.
  if (error instanceof AggregateError) return error.errors.every(isRefusedConnection);
  return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
}

/** The classes of errors of the client, whose connection ended or was silent before the answer. */
const OF_CONNECTION = /^(Abort|Client|Command|Connection|Disconnects|Reconnect|Socket|Timeout)\w*Error$/;

/** Codes of the system for a connection that can't be made, or was lost. */
const NETWORK = /^(EAI_AGAIN|ECONN\w+|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EPIPE|ETIMEDOUT)$/;

/** Why Redis didn't do what was asked, as a sentence. An error that is neither its own nor its connection's keeps its text. */
export function failureText(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  if (replyCode(error) !== undefined) return `Redis refuses what this node asks: ${message}`;
  if (OF_CONNECTION.test((error as Error).constructor.name)) return 'Redis does not answer';
  return code !== undefined && NETWORK.test(code) ? `Redis can't be reached (${code})` : message;
}
