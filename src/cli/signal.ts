/** Signals that end a command. */
export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** Event beside the signals: the package manager that started the command has ended. */
export const PARENT_ENDED = 'parentEnded';
