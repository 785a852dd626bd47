import { defineMethod } from '../define-method.ts';

/** Ends the recording. Answers whether one was running. */
export const devnet_stopRecording = defineMethod({
  name: 'devnet_stopRecording',
  kind: 'dev',
  // It changes the recording, not the chain.
  recorded: false,
  params: [],
  handler: ({ recording }) => recording.stop(),
});
