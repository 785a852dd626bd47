// The functions that the host may call. The addresses of their inputs and outputs are in layout.ts.
import { setupAccesses } from './state/accesses.ts';
import { setupAccessList } from './out/access-list.ts';
import { setupAccounts } from './state/accounts.ts';
import { setupBlockJson } from './out/block-json.ts';
import { setupBlockRecord } from './out/block-record.ts';
import { setupChanges } from './state/changes.ts';
import { codeRecord, setupCodes } from './state/codes.ts';
import { HAS_SLOTS } from './state/entries.ts';
import { setupCounts } from './evm/counts.ts';
import { setupDelegations } from './transaction/delegations.ts';
import { setupDestroyed } from './evm/destroyed.ts';
import { releaseSegments, setupEvmMemory } from './evm/evm-memory.ts';
import { base, clearHeap, createBuffer, room } from './memory/heap.ts';
import { setCodeRecord, setupJournal } from './state/journal.ts';
import { keccak } from './memory/keccak.ts';
import { setupKnownHashes } from './state/known-hashes.ts';
import { BLOCK_STATE_ROOT, EMPTY_CODE_HASH, EMPTY_TRIE_ROOT, HASHED, NO_UNCLES, SCRATCH } from './memory/layout.ts';
import { setupLogs } from './evm/logs.ts';
import { setupPastBlocks } from './state/past-blocks.ts';
import { removeStorage, removeStorageOf, setupRemovedStorage } from './state/removed-storage.ts';
import { setupReceiptRecord } from './out/receipt-record.ts';
import { setupReceipts } from './transaction/receipts.ts';
import { setupReturned } from './evm/returned.ts';
import { setupSlots } from './state/slots.ts';
import { inputs, setupTransactions } from './transaction/transaction.ts';
import { setupTrieHash } from './trie/trie-hash.ts';
import { setupTrieNodes } from './trie/trie-nodes.ts';
import { setupStacks } from './evm/stacks.ts';
import { setupStateRoot } from './trie/state-root.ts';
import { setupStateTries } from './trie/state-tries.ts';
import { setupUnstored } from './trie/unstored.ts';
import { copyWord } from './memory/words.ts';

export { accessListBase, accessListItems, accessListLength, encodeAccessList, makeAccessList } from './out/access-list.ts';
export { accessAccount, beginIndex, cellsBase, cellsLength, closeIndex, roomForCells } from './state/accesses.ts';
export { accountAt, accountAtBytes, writeAddress } from './state/accounts.ts';
export {
  encodeHeader, findRequests, headerBase, headerGas, headerSize, inputsRoot, isQueueEmpty, setBlockHash, startBlock, updateListRoots, useParent,
  writeSystemContract, writeSystemState,
} from './block/block.ts';
export {
  addResult, blocksBase, blocksLength, dropBlocks, endBlocks, sealWithoutWithdrawals, sealWithResults, startBlocks,
} from './out/block-json.ts';
export { blockRecordsBase, blockRecordsLength, recordBlock } from './out/block-record.ts';
export {
  changedAccountCount, changedAccounts, changedCodeCount, changedCodes, changedSlotCount, changedSlots, changesRemove,
  clearedAccountCount, clearedAccounts, encodeChanges, encodedChanges, encodeRoots, listChanges,
} from './state/changes.ts';
export { codeRecord } from './state/codes.ts';
export { signerFound } from './transaction/delegations.ts';
export { beginEstimate, estimate, estimated } from './transaction/estimate.ts';
export { allowMemory, askedMemory, usedEvmMemory } from './evm/evm-memory.ts';
export { hashHeaders } from './block/header-chain.ts';
export { heapSize } from './memory/heap.ts';
export { addBalance, keepEmpty, mark, revertTo, setBalance, setCodeRecord, setNonce, setSlot } from './state/journal.ts';
export { keccak } from './memory/keccak.ts';
export { logsBase, logsLength } from './evm/logs.ts';
export { isAccountMissing, isSlotMissing } from './trie/missing.ts';
export { addNode } from './trie/node-loading.ts';
export { closeBlock, forgetPast, pastBlocks, undoBlock } from './state/past-blocks.ts';
export { hasLogOf, logTerms, recordReceipt, termsBase } from './out/receipt-record.ts';
export { receiptAt, setReceiptRoot, transactionCount, transactionsBase } from './transaction/receipts.ts';
export { writeAccounts } from './trie/packed-accounts.ts';
export { roomForReturned } from './evm/returned.ts';
export { failDeposit, finishPrecompile, run, start } from './transaction/run.ts';
export { beginSigned, includeSigned } from './transaction/signed-transaction.ts';
export { slotAt } from './state/slots.ts';
export { keepFold } from './trie/differences.ts';
export { dropNodes, listDifferences, rollBackFold, updateStateRoot, useDifferences, useStateRoot } from './trie/state-root.ts';
export { addInput, dropInputs, senderFound, startMessage } from './transaction/transaction.ts';
export { nodeBytes } from './trie/trie-nodes.ts';
export { includeUnsigned } from './transaction/unsigned-transaction.ts';
export { listUnstored, unstoredBase, unstoredCount, unstoredLength } from './trie/unstored.ts';

export function setup(): void {
  setupAccounts();
  setupAccesses();
  setupAccessList();
  setupSlots();
  setupCodes();
  setupKnownHashes();
  setupJournal();
  setupRemovedStorage();
  setupPastBlocks();
  setupStacks();
  setupEvmMemory();
  setupLogs();
  setupReturned();
  setupDestroyed();
  setupReceipts();
  setupTransactions();
  setupDelegations();
  setupTrieHash();
  setupTrieNodes();
  setupStateTries();
  setupStateRoot();
  setupUnstored();
  setupReceiptRecord();
  setupBlockJson();
  setupBlockRecord();
  setupChanges();
  if (TELLS_STEPS) setupCounts();
  staging = createBuffer(12);
  keccak(EMPTY_CODE_HASH, SCRATCH, 0);
  store<u8>(SCRATCH, 0x80);
  keccak(EMPTY_TRIE_ROOT, SCRATCH, 1);
  copyWord(BLOCK_STATE_ROOT, EMPTY_TRIE_ROOT);
  store<u8>(SCRATCH, 0xc0);
  keccak(NO_UNCLES, SCRATCH, 1);
}

/** Discards all state, and the precompiles of the rules. */
export function reset(): void {
  releaseSegments(0);
  clearHeap();
  setup();
}

/** The address of the inputs, which changes when they grow. */
export function inputsBase(): usize {
  return base(inputs);
}

/** Removes the storage of an account, which need not be loaded. */
export function clearStorage(account: usize): void {
  store<u32>(account, 1, HAS_SLOTS);
  removeStorageOf(account);
  removeStorage();
}

let staging: usize = 0;

/** Returns room for n bytes that the host then passes to another function. */
export function stage(n: u32): usize {
  return room(staging, n);
}

/** Sets the n > 0 bytes of an account's code, or none. */
export function setCode(account: usize, code: usize, n: u32): void {
  if (n == 0) setCodeRecord(account, 0, EMPTY_CODE_HASH);
  else setCodeRecord(account, codeRecord(code, n), HASHED);
}
