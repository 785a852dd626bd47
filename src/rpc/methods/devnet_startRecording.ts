import { type Codec, invalid } from '../codec/codec.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Any page that a browser shows can ask a node on its machine, and a recording holds what it was sent: where a shell or
 * an editor would read it as its settings is no place for it.
 */
const recordingFile: Codec<string> = {
  decode: (value, path) =>
    typeof value === 'string' && value.endsWith('.jsonl') && !value.includes('\0')
      ? value
      : invalid(path, 'a path that ends in .jsonl', value),
};

/**
 * Records for `devnet replay` into a file on the node's machine all that changed the chain since its beginning.
 * @returns true
 */
export const devnet_startRecording = defineMethod({
  kind: 'dev',
  // It changes the recording, not the chain.
  recorded: false,
  params: [recordingFile],
  handler: ({ recording }, path) => {
    recording.start(path);
    return true;
  },
});
