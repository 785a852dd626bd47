/**
 * Why a data directory can't be used:
 * - `locked`: another process has it open
 * - `inaccessible`: the operating system denies reading, writing or creating it
 * - `foreign`: it contains files, but no marker of devnet
 * - `formatVersion`: another version of devnet wrote its format
 * - `otherChainId`, `otherGenesis`, `otherRules`: it contains another chain
 * - `damaged`: its data is incomplete or was changed
 */
export type DataDirErrorCode =
  | 'locked'
  | 'inaccessible'
  | 'foreign'
  | 'formatVersion'
  | 'otherChainId'
  | 'otherGenesis'
  | 'otherRules'
  | 'damaged';

/** Thrown if a data directory can't be used. The message is for users: it names the directory and gives advice. */
export class DataDirError extends Error {
  override readonly name = 'DataDirError';
  readonly code: DataDirErrorCode;
  readonly dir: string;

  constructor(code: DataDirErrorCode, dir: string, message: string, options?: ErrorOptions) {
    super(`data directory ${dir}: ${message}`, options);
    this.code = code;
    this.dir = dir;
  }
}

/**
 * Whether the error means that the store can't be read or written any more: its directory is damaged, or LevelDB
 * failed (full disk).
 */
export function isStoreFailure(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return error instanceof DataDirError || (typeof code === 'string' && code.startsWith('LEVEL_'));
}

/** LevelDB reports errors of the operating system as text. */
const SYSTEM_TEXT =
  /: (Permission denied|Operation not permitted|Read-only file system|No space left on device|Too many open files)/;
const PERMISSIONS = /EACCES|EPERM|EROFS|Permission denied|not permitted|Read-only/;

/**
 * Turns an operating system error in a data directory into a DataDirError that names the directory; returns any other
 * error unchanged.
 */
export function accessError(dir: string, error: unknown): unknown {
  const { message, errno } = error as NodeJS.ErrnoException;
  if (error instanceof DataDirError || (errno === undefined && !SYSTEM_TEXT.test(message))) return error;
  const advice = PERMISSIONS.test(message)
    ? 'Let this user write to it, or use another directory'
    : 'Mend that, or use another directory';
  return new DataDirError('inaccessible', dir, `can't be used (${message}). ${advice}`, { cause: error });
}

/** The error for a directory with damaged content. @param reason describes the damage */
export function damaged(dir: string, reason: string, cause?: unknown): DataDirError {
  return new DataDirError(
    'damaged',
    dir,
    `damaged (${reason}). Start with --repair to go back to the last whole block, or use another directory`,
    { cause },
  );
}
