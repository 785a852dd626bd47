import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, vi } from 'vitest';
import type { BlockStore } from '../../../src/chain/store/block-store.ts';
import { FillThread } from '../../../src/chain/store/fill-thread.ts';
import { ChangingChain, dumpOf } from '../../chain/store/changing-chain.ts';
import { content } from '../../chain/store/chronicle.ts';
import { copyAsKilled } from '../../killed-copy.ts';
import { useCommand } from './devnet-process.ts';

const command = useCommand();

it('a chain that another thread gives LevelDB is whole after a kill, a close and a kill again', async () => {
  const thread = pathToFileURL(join(command.path, '../fill-worker.js'));
  expect(existsSync(thread)).toBe(true);
  const filled = vi.spyOn(FillThread.prototype, 'fill');
  const chain = new ChangingChain('thread');
  const options = { room: 30_000, thread, threadAfter: 60_000 };
  let dir = join(command.dir, 'data');
  for (const [round, ending] of ['kill', 'close', 'kill', 'close'].entries()) {
    filled.mockClear();
    let store: BlockStore = await chain.open(dir, options);
    for (const { block } of chain.blocks)
      expect(content(store.getBlock(block.header.number))).toBe(content(block));
    while (filled.mock.calls.length < 5) {
      await chain.commit(store);
      // For the thread's messages.
      await new Promise(setImmediate);
    }
    const copy = join(command.dir, `copy-${round}`);
    if (ending === 'kill') copyAsKilled(dir, copy);
    await store.close();
    if (ending === 'kill') dir = copy;
    store = await chain.open(dir, options);
    for (const { state } of chain.blocks.slice(-60))
      expect(dumpOf(store, state.root)).toBe(dumpOf(chain.truth, state.root));
    await store.close();
  }
}, 120_000);
