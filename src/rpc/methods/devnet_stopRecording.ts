import { defineMethod } from '../define-method.ts';

/** Ends the recording. Answers whether there was one. */
export const devnet_stopRecording = defineMethod({
  name: 'devnet_stopRecording',
  kind: 'dev',
  // It changes the recording, not the chain.
  recorded: false,
  params: [],
  handler: ({ recording }) => recording.stop(),
});
