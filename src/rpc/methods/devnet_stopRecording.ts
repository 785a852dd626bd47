import { defineMethod } from '../define-method.ts';

/**
 * Ends the recording. Returns whether a recording was running.
 * @returns true or false
 */
export const devnet_stopRecording = defineMethod({
  kind: 'dev',
  // It changes the recording, not the chain.
  recorded: false,
  handler: ({ recording }) => recording.stop(),
});
