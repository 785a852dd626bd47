import { bytesToHex } from '@ethereumjs/util';
import {
  UNSTORED_CODE as CODE,
  UNSTORED_NODE as NODE,
  UNSTORED_PREIMAGE as PREIMAGE,
  RECORD_BYTES,
  RECORD_KIND,
  RECORD_LENGTH,
} from '../core/entries.ts';
import * as halts from '../core/halts.ts';
import * as at from '../core/layout.ts';
import type { Unstored } from '../state/node-cache.ts';
import type { Executor } from './executor.ts';
import { type Run, settled } from './run.ts';
import type { StateSource } from './types.ts';

type Instance = Pick<Executor, 'core' | 'memory'>;

/** What has to be stored before a state can be opened at its root. */
export interface ChangedNodes extends Unstored {
  /** all of it as records, each with a head of `RECORD_BYTES`: see src/core/entries.ts. The other properties are parts of it */
  readonly bytes: Uint8Array;
}

/** Fetches the node that a fold needs, and the branch behind it where it is an extension. */
export function* loadNode({ core, memory }: Instance, source: StateSource): Run<void> {
  for (;;) {
    const hash = memory.bytes(memory.u32(at.MISS_ENTRY), 32);
    const node = source.getNode && (yield* settled(source.getNode(hash)));
    if (!node) throw new Error(`missing trie node ${bytesToHex(hash)}`);
    const start = core.stage(node.length);
    memory.write(start, node);
    const code = core.addNode(start, node.length);
    if (code === halts.NONE) return;
    if (code !== halts.MISSING) throw new Error(`malformed trie node ${bytesToHex(hash)}`);
  }
}

export function takeChangedNodes({ core, memory }: Instance): ChangedNodes {
  if (core.listUnstored() === 0) throw new Error('there are changes that no state root covers yet');
  const bytes = memory.bytes(core.unstoredBase(), core.unstoredLength());
  const data = new DataView(bytes.buffer);
  const kinds: Record<number, [Uint8Array, Uint8Array][]> = { [NODE]: [], [CODE]: [], [PREIMAGE]: [] };
  for (let start = 0; start < bytes.length; ) {
    const content = start + RECORD_BYTES;
    const end = content + data.getUint32(start + RECORD_LENGTH, true);
    const kind = data.getUint32(start + RECORD_KIND, true);
    kinds[kind]!.push([bytes.subarray(start, start + 32), bytes.subarray(content, end)]);
    start = end;
  }
  return { bytes, nodes: kinds[NODE]!, code: kinds[CODE]!, preimages: kinds[PREIMAGE]! };
}
