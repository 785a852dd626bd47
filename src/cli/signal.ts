/** Signals that end a command. */
export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** Emitted like a signal: the package manager that started the command has ended. */
export const PARENT_ENDED = 'parentEnded';
