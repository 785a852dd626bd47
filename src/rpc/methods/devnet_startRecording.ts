import { string } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Writes all that changes the chain to a file on the node's machine, what happened since its beginning included, for
 * `devnet replay`.
 */
export const devnet_startRecording = defineMethod({
  name: 'devnet_startRecording',
  params: [string],
  handler: ({ recording }, path) => {
    recording.start(path);
    return true;
  },
});
