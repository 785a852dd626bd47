import { bytesToHex } from '@ethereumjs/util';
import * as halts from '../../core/memory/halts.ts';
import * as at from '../../core/memory/layout.ts';
import { EncodedEntries } from '../../state/encoded-entries.ts';
import { Slab } from '../../state/slab.ts';
import type { Executor } from './executor.ts';
import { type Run, settled } from './run.ts';
import type { OutsideState } from './types.ts';

type Instance = Pick<Executor, 'core' | 'memory'>;

/** Fetches the node that a fold needs, and the branch behind it where it is an extension. */
export function* loadNode({ core, memory }: Instance, source: OutsideState): Run<void> {
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

/** What a block adds to the store has some kilobytes, and is stored soon: an ArrayBuffer for each costs more than the copy. */
const records = new Slab(2 ** 17);

/** A copy of records that the core has written for the store. @param count how many they are */
export function copyRecords(
  { memory }: Pick<Executor, 'memory'>,
  start: number,
  length: number,
  count: number,
): EncodedEntries {
  const copy = records.take(length);
  copy.set(memory.view(start, length));
  return new EncodedEntries(copy, count);
}

/** What has to be stored before a state can be opened at its root. */
export function takeChangedNodes(executor: Instance): EncodedEntries {
  const { core } = executor;
  if (core.listUnstored() === 0) throw new Error('there are changes that no state root covers yet');
  return copyRecords(executor, core.unstoredBase(), core.unstoredLength(), core.unstoredCount());
}
