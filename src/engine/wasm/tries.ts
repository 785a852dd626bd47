import { bytesToHex } from '@ethereumjs/util';
import * as halts from '../../core/memory/halts.ts';
import * as at from '../../core/memory/layout.ts';
import { EncodedEntries } from '../../state/encoded-entries.ts';
import { Slab } from '../../state/slab.ts';
import type { Executor } from './executor.ts';
import { type Run, settled } from './run.ts';
import type { StateSource } from './types.ts';

type Instance = Pick<Executor, 'core' | 'memory'>;

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

/** Nodes and codes of a block have some kilobytes, and are stored soon: an ArrayBuffer for each costs more than the copy. */
const unstored = new Slab(2 ** 18);

/** What has to be stored before a state can be opened at its root. */
export function takeChangedNodes({ core, memory }: Instance): EncodedEntries {
  if (core.listUnstored() === 0) throw new Error('there are changes that no state root covers yet');
  const entries = unstored.take(core.unstoredLength());
  entries.set(memory.view(core.unstoredBase(), entries.length));
  return new EncodedEntries(entries, core.unstoredCount());
}
