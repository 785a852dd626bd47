import { expect, it, vi } from 'vitest';
import { withState } from '../../src/chain/block.ts';
import { EncodedBlock, EncodedBlockView } from '../../src/chain/encoded-block.ts';
import { hashHeader } from '../../src/chain/header.ts';
import { encodeReceipts } from '../../src/chain/store/block-codec.ts';
import { EMPTY_ROOT } from '../../src/state/account.ts';
import { MemorySource } from '../../src/state/node-cache.ts';
import { TrieState } from '../../src/state/trie-state.ts';
import { Bytes, headerOf, receiptOf, signed } from './store/sample-blocks.ts';

const state = TrieState.at(new MemorySource(), EMPTY_ROOT);

it('a block that the engine has made has its receipts, in its view and with another state too', () => {
  const bytes = new Bytes('receipts');
  const receipts = [receiptOf(2, bytes)];
  const header = headerOf('prague', bytes);
  const record = { header, hash: hashHeader(header), size: 600, receiptJson: '{}', succeeded: true };
  const block = new EncodedBlock(signed(2, 0, bytes), { ...record, receipts: encodeReceipts({ receipts }) });
  const view = new EncodedBlockView(block, state);
  expect(view.receipts).toEqual(receipts);
  expect(view.receipts).toBe(block.receipts);
  const other = { getAccount: vi.fn(), getCode: vi.fn(), getStorage: vi.fn() };
  expect(withState(view, other)).toMatchObject({ ...record, receipts, state: other, sealed: true });
});
