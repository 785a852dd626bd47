import { type Codec, invalid } from '../codec/codec.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Only `.jsonl` files: any page in a browser can send requests to a node on the same machine, and a recording contains what it was sent. It
 * must not overwrite a file that a shell or an editor reads as its settings.
 */
const recordingFile: Codec<string> = {
  decode: (value, path) =>
    typeof value === 'string' && value.endsWith('.jsonl') && !value.includes('\0')
      ? value
      : invalid(path, 'a path that ends in .jsonl', value),
};

/**
 * Records into a file on the node's machine everything that changes the chain, from the chain's beginning on, for `devnet replay`. The path
 * must end in `.jsonl`.
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
