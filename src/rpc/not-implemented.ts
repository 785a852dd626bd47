import { DevnetError } from '../errors.ts';

/** The handler of methods that anvil lists and rejects: those of proof-of-work miners, and of the Tempo network. */
export function notImplemented(): never {
  throw new DevnetError('notImplemented');
}
