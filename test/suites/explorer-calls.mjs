// What anvil.suite.mjs calls as a block explorer does: Otterscan's methods, replays, and the rest of what anvil lists.
import { BLOB_SENDER, blobTransaction } from './blob-transaction.mjs';
import { block, contract, ofIncrement } from './calls.mjs';
import { ABOVE, ALICE, BOB, CAROL, DEAD, NOWHERE, set } from './parameters.mjs';

/** Creates, sends 7 wei to DEAD, and leaves what it has to BOB. */
const BUSY = `0x603f600a5f39603f5ff35f5f5ff0505f5f5f5f600773${DEAD.slice(2)}620186a0f15073${BOB.slice(2)}ff`;
const SIGNATURE = `0x${'11'.repeat(32)}${'22'.repeat(32)}1b`;
const ECRECOVER = `0x${'1'.padStart(40, '0')}`;
const KINDS = ['trace', 'vmTrace', 'stateDiff'];

let busy;
let head;
let creator;

export const EXPLORER_CALLS = {
  "Otterscan's methods of transactions": async ({ ask, same, send }) => {
    await same('ots_getApiLevel');
    const created = await send({ from: CAROL, data: BUSY });
    creator = await ask('eth_getTransactionReceipt', (node) => created[node]);
    const to = (node) => creator[node].contractAddress;
    busy = await send({ from: CAROL, to: creator[1].contractAddress, value: '0x64', gas: '0x7a120' });
    const reverted = await send({ from: BOB, to: contract, data: set, gas: '0x20000' });
    const halted = await send({ from: BOB, data: '0xfe', gas: '0x20000' });
    const hash = (node) => busy[node];
    await ask('ots_getInternalOperations', hash);
    await ask('ots_getInternalOperations', (node) => created[node]);
    await ask('ots_traceTransaction', hash);
    await ask('ots_traceTransaction', ofIncrement('transactionHash'));
    await ask('ots_traceTransaction', (node) => created[node]);
    for (const hashes of [busy, reverted, halted])
      await same('ots_getTransactionError', (node) => hashes[node]);
    for (const method of ['getInternalOperations', 'traceTransaction', 'getTransactionError'])
      await ask(`ots_${method}`, NOWHERE);
    for (const nonce of [0, '0x0', 999]) await ask('ots_getTransactionBySenderAndNonce', ALICE, nonce);
    for (const address of [contract, to, ALICE, DEAD]) await ask('ots_getContractCreator', address);
    for (const address of [contract, ALICE])
      for (const at of ['latest', 'pending', '0x0', 1, ABOVE]) await ask('ots_hasCode', address, at);
  },

  "Otterscan's methods of blocks": async ({ ask, fields }) => {
    [head] = await ask('eth_blockNumber');
    for (const at of [block, 'latest', 'earliest', ABOVE, Number(block)]) {
      await ask('ots_getBlockDetails', at);
      await ask('erigon_getHeaderByNumber', at);
    }
    await fields(['issuance'], 'ots_getBlockDetails', block);
    for (const hash of [ofIncrement('blockHash'), NOWHERE]) await ask('ots_getBlockDetailsByHash', hash);
    for (const [number, page, size] of [
      ...[
        [Number(block), 0, 25],
        [Number(block), 9, 25],
      ],
      ...[
        [0, 0, 25],
        [9999, 0, 25],
        [Number(block), 0, 0],
      ],
    ])
      await ask('ots_getBlockTransactions', number, page, size);
  },

  'searches for transactions': async ({ ask, fields }) => {
    const flags = ['firstPage', 'lastPage'];
    for (const address of [ALICE, CAROL, contract, NOWHERE.slice(0, 42)])
      for (const number of [0, Number(block), 9999]) {
        await ask('ots_searchTransactionsBefore', address, number, 4);
        await ask('ots_searchTransactionsAfter', address, number, 4);
      }
    // A page that all fit in.
    for (const direction of ['Before', 'After'])
      await fields(flags, `ots_searchTransactions${direction}`, CAROL, 0, 1000);
    await ask('ots_searchTransactionsBefore', ALICE, Number(head), 'zz');
  },

  'replays of blocks': async ({ ask }) => {
    for (const kinds of [KINDS, ['trace'], ['stateDiff'], []])
      await ask('trace_replayBlockTransactions', block, kinds);
    for (const at of ['0x0', ABOVE]) await ask('trace_replayBlockTransactions', at, ['trace']);
    await ask('trace_replayBlockTransactions', (node) => creator[node].blockNumber, KINDS);
  },

  'accounts, code by hash and raw transactions by place': async ({ ask, same }) => {
    for (const address of [ALICE, contract, NOWHERE.slice(0, 42)])
      for (const at of ['latest', '0x0', ABOVE]) {
        await ask('eth_getAccount', address, at);
        await ask('eth_getAccountInfo', address, at);
      }
    await same('eth_getAccount', contract, 'latest');
    const [code] = await ask('eth_getCode', contract, 'latest');
    const [hash] = await ask('web3_sha3', code);
    for (const at of [[], ['latest'], ['0x0']]) await same('debug_codeByHash', hash, ...at);
    await ask('debug_codeByHash', NOWHERE);
    await ask('debug_dbGet', hash);
    for (const index of ['0x0', '0x9']) {
      await ask('eth_getRawTransactionByBlockHashAndIndex', ofIncrement('blockHash'), index);
      await ask('eth_getRawTransactionByBlockNumberAndIndex', block, index);
    }
    await ask('eth_getRawTransactionByBlockHashAndIndex', NOWHERE, '0x0');
    await ask('eth_getRawTransactionByBlockNumberAndIndex', ABOVE, '0x0');
  },

  'blobs, and a signature that is taken for that of another': async ({ ask, same, send }) => {
    const { raw, versionedHash } = await blobTransaction(BOB);
    const hashes = await send(raw, 'eth_sendRawTransaction');
    await same('anvil_getBlobByHash', versionedHash);
    await same('anvil_getBlobsByTransactionHash', (node) => hashes[node]);
    await ask('anvil_getBlobByHash', NOWHERE);
    await ask('anvil_getBlobsByTransactionHash', ofIncrement('transactionHash'));
    await ask('anvil_getBlobsByTransactionHash', NOWHERE);
    await same('eth_getTransactionCount', BLOB_SENDER, 'latest');
    await same('anvil_impersonateSignature', [SIGNATURE, DEAD]);
    for (const v of ['1b', '1c']) {
      const data = `${NOWHERE}${v.padStart(64, '0')}${SIGNATURE.slice(2, 130)}`;
      await same('eth_call', { to: ECRECOVER, data }, 'latest');
    }
  },

  "what anvil's next version has": async ({ ask }) => {
    const call = [{ from: ALICE, to: DEAD, value: '0x1' }, KINDS];
    for (const at of ['latest', 'pending', '0x0', ABOVE]) await ask('trace_callMany', [call, call], at);
    for (const place of [[], ['0x0'], ['0x9']]) await ask('trace_get', ofIncrement('transactionHash'), place);
    await ask('trace_get', NOWHERE, []);
    const raws = await ask('eth_signTransaction', { from: CAROL, to: DEAD, value: '0x1', gas: '0x5208' });
    const raw = (node) => raws[node];
    for (const at of ['latest', ABOVE]) await ask('trace_rawTransaction', raw, KINDS, at);
    for (const at of [block, ABOVE]) {
      await ask('debug_executionWitness', at);
      await ask('debug_getRawTransactions', at);
      await ask('debug_getModifiedAccountsByNumber', Number(at));
      for (const index of ['0x0', '0x9']) await ask('debug_accountInfoAt', at, index, ALICE);
    }
    await ask('debug_getModifiedAccountsByHash', ofIncrement('blockHash'));
    await ask('eth_callBundle', (node) => ({
      txs: [raws[node]],
      blockNumber: ABOVE,
      stateBlockNumber: 'latest',
    }));
    await ask('eth_resend', { from: ALICE, to: DEAD, nonce: '0x999' }, '0x77359400', null);
    await ask('eth_sendRawTransactionConditional', raw, { blockNumberMin: '0x0' });
    await ask('eth_signRawTransaction', raw);
    await ask('anvil_getLastBlockWallTime');
    await ask('debug_clearTxpool');
  },

  'what anvil lists and does not do': async ({ ask, same }) => {
    await same('anvil_getGenesisTime');
    await ask('eth_getWork');
    await ask('eth_submitWork', '0x0000000000000001', NOWHERE, NOWHERE);
    await ask('eth_submitHashrate', '0x5', NOWHERE);
    await same('eth_hashrate');
    await ask('anvil_setFeeToken', ALICE, DEAD);
    await ask('anvil_setValidatorFeeToken', ALICE, DEAD);
    await ask('anvil_setFeeAmmLiquidity', ALICE, DEAD, '0x5');
  },

  'other names': async ({ ask, same }) => {
    await same('eth_networkId');
    for (const name of ['setBalance', 'addBalance']) {
      await ask(`tenderly_${name}`, CAROL, '0xde0b6b3a7640000');
      await same('eth_getBalance', CAROL, 'latest');
    }
  },
};
