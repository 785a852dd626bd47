// What the host may call. Addresses of what it reads and writes are in layout.ts.
import { setupAccounts } from './accounts';
import { setupBlockJson } from './block-json';
import { setupBlockRecord } from './block-record';
import { setupChanges } from './changes';
import { codeRecord, setupCodes } from './codes';
import { setupDelegations } from './delegations';
import { setupDestroyed } from './destroyed';
import { releaseSegments, setupEvmMemory } from './evm-memory';
import { base, clearHeap, createBuffer, room } from './heap';
import { setCodeRecord, setupJournal } from './journal';
import { keccak } from './keccak';
import { setupHexCall } from './hex-call';
import { setupKnownHashes } from './known-hashes';
import { BLOCK_STATE_ROOT, EMPTY_CODE_HASH, EMPTY_TRIE_ROOT, HASHED, NO_UNCLES, SCRATCH } from './layout';
import { setupLogs } from './logs';
import { setupPastBlocks } from './past-blocks';
import { setupReceiptJson } from './receipt-json';
import { setupReceiptRecord } from './receipt-record';
import { setupReceipts } from './receipts';
import { setupReturned } from './returned';
import { setupSlots } from './slots';
import { inputs, setupTransactions } from './transaction';
import { setupTransactionJson } from './transaction-json';
import { setupTrieHash } from './trie-hash';
import { setupTrieNodes } from './trie-nodes';
import { setupStacks } from './stacks';
import { setupStateTries } from './state-tries';
import { setupUnstored } from './unstored';
import { copyWord } from './words';

export { accountAt, accountAtBytes, writeAddress } from './accounts';
export {
  encodeHeader, findRequests, headerEnd, inputsRoot, isQueueEmpty, setBlockHash, startBlock, updateListRoots, useParent,
  writeSystemState,
} from './block';
export {
  addResult, blocksBase, blocksLength, dropBlocks, endBlocks, sealWithoutWithdrawals, sealWithResults, startBlocks,
} from './block-json';
export { sealSingle, storedReceiptsBase, storedReceiptsLength } from './block-record';
export {
  changedAccountCount, changedAccounts, changedCodeCount, changedCodes, changedSlotCount, changedSlots, changesRemove,
  encodeChanges, encodedChanges, encodeRoots, listChanges,
} from './changes';
export { codeRecord } from './codes';
export { signerFound } from './delegations';
export { estimate } from './estimate';
export { allowMemory, askedMemory, usedEvmMemory } from './evm-memory';
export { hashHeaders } from './header-chain';
export { heapSize } from './heap';
export { callHex, hexAnswer, readHexCall } from './hex-call';
export { addBalance, keepEmpty, mark, revertTo, setBalance, setCodeRecord, setNonce, setSlot } from './journal';
export { keccak } from './keccak';
export { logsBase, logsLength } from './logs';
export { isAccountMissing, isSlotMissing } from './misses';
export { addNode } from './node-loading';
export { closeBlock, forgetPast, pastBlocks, undoBlock } from './past-blocks';
export { receiptBase, writeReceipt } from './receipt-json';
export { hasLogOf, logTerms, recordReceipt, termsBase } from './receipt-record';
export { receiptAt, transactionCount, transactionsBase } from './receipts';
export { roomForReturned } from './returned';
export { finishPrecompile, run, start } from './run';
export { beginSigning, endSigning } from './sign-transaction';
export { beginSigned, includeSigned } from './signed-transaction';
export { clearSlotsOf, slotAt } from './slots';
export { updateStateRoot } from './state-root';
export { dropNodes, useStateRoot } from './state-tries';
export { addInput, clearTransaction, dropInputs, senderFound } from './transaction';
export { gasPriceGap, transactionJson, writeFilled, writeSigned } from './transaction-json';
export { nodeBytes } from './trie-nodes';
export { includeUnsigned } from './unsigned-transaction';
export { listUnstored, unstoredBase, unstoredCount, unstoredLength } from './unstored';

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
