import { keccak256 } from '../../state/keccak.ts';
import type { Pauses } from '../../turns.ts';
import type { Tracer } from '../engine.ts';
import type { ListenedRun, RunListener, RunStep, StepListener } from '../run-listener.ts';

const KECCAK256 = 0x20;
/** As in geth, preimages may extend beyond the end of the memory by this many bytes. */
const MAX_PADDING = 1024n * 1024n;
/** Memory that a preimage takes besides its data, in bytes. */
const ENTRY_BYTES = 300;

/** The data that KECCAK256 is about to hash; `undefined` if it can't be read. */
export function preimageOf(step: RunStep): Uint8Array | undefined {
  const [offset, length] = [step.word(1), step.word(2)];
  if (offset === undefined || length === undefined) return undefined;
  if (length === 0n) return new Uint8Array(0);
  const memory = step.memory();
  // The step shows the memory before the opcode has expanded it to the range that it reads.
  if (offset + length > BigInt(memory.length) + MAX_PADDING) return undefined;
  const data = new Uint8Array(Number(length));
  data.set(memory.subarray(Number(offset), Number(offset + length)));
  return data;
}

/** geth's keccak256PreimageTracer: all data that a run has hashed with KECCAK256. */
export class KeccakRecorder implements Tracer, RunListener {
  readonly listener = this;
  /** hash -> hashed data, both as hex digits */
  readonly #preimages = new Map<string, string>();
  #pauses: Pauses | undefined;

  start({ pauses }: ListenedRun): void {
    this.#pauses = pauses;
    this.#preimages.clear();
  }

  readonly steps: StepListener = {
    step: (step) => {
      const preimage = step.opcode === KECCAK256 ? preimageOf(step) : undefined;
      if (!preimage) return undefined;
      const hash = Buffer.from(keccak256(preimage)).toString('hex');
      if (this.#preimages.has(hash)) return undefined;
      this.#pauses?.hold(ENTRY_BYTES + 2 * preimage.length);
      this.#preimages.set(hash, Buffer.from(preimage).toString('hex'));
      return undefined;
    },
  };

  /** Hash -> hashed data, with 0x, sorted by hash. */
  get preimages(): [hash: string, preimage: string][] {
    return [...this.#preimages].sort().map(([hash, preimage]) => [`0x${hash}`, `0x${preimage}`]);
  }
}
