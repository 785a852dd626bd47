// What the host may call. Addresses of what it reads and writes are in layout.ts.
import { setupAccounts } from './accounts.ts';
import { setupBlockJson } from './block-json.ts';
import { setupBlockRecord } from './block-record.ts';
import { setupChanges } from './changes.ts';
import { codeRecord, setupCodes } from './codes.ts';
import { setupDelegations } from './delegations.ts';
import { setupDestroyed } from './destroyed.ts';
import { releaseSegments, setupEvmMemory } from './evm-memory.ts';
import { base, clearHeap, createBuffer, room } from './heap.ts';
import { setCodeRecord, setupJournal } from './journal.ts';
import { keccak } from './keccak.ts';
import { setupHexCall } from './hex-call.ts';
import { setupKnownHashes } from './known-hashes.ts';
import { BLOCK_STATE_ROOT, EMPTY_CODE_HASH, EMPTY_TRIE_ROOT, HASHED, NO_UNCLES, SCRATCH } from './layout.ts';
import { setupLogs } from './logs.ts';
import { setupPastBlocks } from './past-blocks.ts';
import { setupReceiptJson } from './receipt-json.ts';
import { setupReceiptRecord } from './receipt-record.ts';
import { setupReceipts } from './receipts.ts';
import { setupReturned } from './returned.ts';
import { setupSlots } from './slots.ts';
import { inputs, setupTransactions } from './transaction.ts';
import { setupTransactionJson } from './transaction-json.ts';
import { setupTrieHash } from './trie-hash.ts';
import { setupTrieNodes } from './trie-nodes.ts';
import { setupStacks } from './stacks.ts';
import { setupStateRoot } from './state-root.ts';
import { setupStateTries } from './state-tries.ts';
import { setupUnstored } from './unstored.ts';
import { copyWord } from './words.ts';

export { accountAt, accountAtBytes, writeAddress } from './accounts.ts';
export {
  encodeHeader, findRequests, headerEnd, inputsRoot, isQueueEmpty, setBlockHash, startBlock, updateListRoots, useParent,
  writeSystemState,
} from './block.ts';
export {
  addResult, blocksBase, blocksLength, dropBlocks, endBlocks, sealWithoutWithdrawals, sealWithResults, startBlocks,
} from './block-json.ts';
export { sealSingle, storedReceiptsBase, storedReceiptsLength } from './block-record.ts';
export {
  changedAccountCount, changedAccounts, changedCodeCount, changedCodes, changedSlotCount, changedSlots, changesRemove,
  encodeChanges, encodedChanges, encodeRoots, listChanges,
} from './changes.ts';
export { codeRecord } from './codes.ts';
export { signerFound } from './delegations.ts';
export { estimate } from './estimate.ts';
export { allowMemory, askedMemory, usedEvmMemory } from './evm-memory.ts';
export { heapSize } from './heap.ts';
export { callHex, hexAnswer, readHexCall } from './hex-call.ts';
export { addBalance, keepEmpty, mark, revertTo, setBalance, setCodeRecord, setNonce, setSlot } from './journal.ts';
export { keccak } from './keccak.ts';
export { logsBase, logsLength } from './logs.ts';
export { isAccountMissing, isSlotMissing } from './missing.ts';
export { addNode } from './node-loading.ts';
export { closeBlock, forgetPast, pastBlocks, undoBlock } from './past-blocks.ts';
export { receiptBase, writeReceipt } from './receipt-json.ts';
export { hasLogOf, logTerms, recordReceipt, termsBase } from './receipt-record.ts';
export { receiptAt, transactionCount, transactionsBase } from './receipts.ts';
export { roomForReturned } from './returned.ts';
export { finishPrecompile, run, start } from './run.ts';
export { beginSigning, endSigning } from './sign-transaction.ts';
export { beginSigned, includeSigned } from './signed-transaction.ts';
export { clearSlotsOf, slotAt } from './slots.ts';
export { dropNodes, updateStateRoot, useStateRoot } from './state-root.ts';
export { addInput, clearTransaction, dropInputs, senderFound } from './transaction.ts';
export { gasPriceGap, transactionJson, writeFilled, writeSigned } from './transaction-json.ts';
export { nodeBytes } from './trie-nodes.ts';
export { includeUnsigned } from './unsigned-transaction.ts';
export { listUnstored, unstoredBase, unstoredCount, unstoredLength } from './unstored.ts';

export function setup(): void {
  setupAccounts();
  setupSlots();
  setupCodes();
  setupKnownHashes();
  setupJournal();
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
  setupBlockRecord();
  setupReceiptRecord();
  setupBlockJson();
  setupReceiptJson();
  setupHexCall();
  setupTransactionJson();
  setupChanges();
  staging = createBuffer(12);
  keccak(EMPTY_CODE_HASH, SCRATCH, 0);
  store<u8>(SCRATCH, 0x80);
  keccak(EMPTY_TRIE_ROOT, SCRATCH, 1);
  copyWord(BLOCK_STATE_ROOT, EMPTY_TRIE_ROOT);
  store<u8>(SCRATCH, 0xc0);
  keccak(NO_UNCLES, SCRATCH, 1);
}

/** Forgets all state, and the rules' precompiles. */
export function reset(): void {
  releaseSegments(0);
  clearHeap();
  setup();
}

/** Where the inputs begin: it moves when they grow. */
export function inputsBase(): usize {
  return base(inputs);
}

let staging: usize = 0;

/** Room for n bytes that the host passes to another function. */
export function stage(n: u32): usize {
  return room(staging, n);
}

/** Sets the n > 0 bytes of an account's code, or none. */
export function setCode(account: usize, code: usize, n: u32): void {
  if (n == 0) setCodeRecord(account, 0, EMPTY_CODE_HASH);
  else setCodeRecord(account, codeRecord(code, n), HASHED);
}
