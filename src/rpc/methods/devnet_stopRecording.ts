import { defineMethod } from '../define-method.ts';

/** Ends the recording. Answers whether there was one. */
export const devnet_stopRecording = defineMethod({
  name: 'devnet_stopRecording',
  params: [],
  handler: ({ recording }) => recording.stop(),
});
