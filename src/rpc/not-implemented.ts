import { DevnetError } from '../errors.ts';

/** What a method does that anvil lists and refuses: those of miners with proof of work, and of the Tempo network. */
export function notImplemented(): never {
  throw new DevnetError('notImplemented');
}
