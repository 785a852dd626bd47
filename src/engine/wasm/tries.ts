import { bytesToHex } from '@ethereumjs/util';
import * as halts from '../../core/memory/halts.ts';
import * as at from '../../core/memory/layout.ts';
import { EncodedEntries } from '../../state/encoded-entries.ts';
import { Slab } from '../../state/slab.ts';
import type { Executor } from './executor.ts';
import { awaited, type Run } from './run.ts';
import type { OutsideState } from './types.ts';

type Instance = Pick<Executor, 'core' | 'memory'>;

/** Loads the trie node that a state root computation needs, and if that is an extension node, the branch below it. */
export function* loadNode({ core, memory }: Instance, source: OutsideState): Run<void> {
  for (;;) {
    const hash = memory.bytes(memory.u32(at.MISS_ENTRY), 32);
    const node = source.getNode && (yield* awaited(source.getNode(hash)));
    if (!node) throw new Error(`missing trie node ${bytesToHex(hash)}`);
    const start = core.stage(node.length);
    memory.write(start, node);
    const code = core.addNode(start, node.length);
    if (code === halts.NONE) return;
    if (code !== halts.MISSING) throw new Error(`malformed trie node ${bytesToHex(hash)}`);
  }
}

/** A block's records have a few kilobytes and are stored soon. An ArrayBuffer for each would cost more than the copy into a slab. */
const records = new Slab(2 ** 17);

/** Copies records that the core has written for the store. @param count number of records */
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

/** The trie nodes that must be stored before a state can be opened by its root. */
export function takeChangedNodes(executor: Instance): EncodedEntries {
  const { core } = executor;
  if (core.listUnstored() === 0) throw new Error('there are changes that no state root covers yet');
  return copyRecords(executor, core.unstoredBase(), core.unstoredLength(), core.unstoredCount());
}
