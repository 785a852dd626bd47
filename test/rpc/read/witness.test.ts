import { createBlockFromRPC } from '@ethereumjs/block';
import { RLP } from '@ethereumjs/rlp';
import { bytesToBigInt, bytesToHex, hexToBytes } from '@ethereumjs/util';
import { runBlock } from '@ethereumjs/vm';
import { afterEach, describe, expect, test } from 'vitest';
import { keccak256 } from '../../../src/state/keccak.ts';
import { stockCommon, stockVm } from '../../engine/ethereumjs/stock.ts';
import type { Wire } from '../../wire.ts';
import { startNode, type TestNode } from '../dev/node.ts';
import { initOf } from '../otterscan/programs.ts';

/** PUSH0 CALLDATALOAD (value at 32) ... SSTORE: slot = word 0, value = word 1. */
const WRITER = '6020355f3555';
/** The slot that the call data names := BLOCKHASH(word 1) */
const HASHER = '602035405f3555';
/** EXTCODESIZE and a call of the address in word 0; stores the size in slot 0. */
const CALLER = '5f5f5f5f5f5f355af1505f353b5f55';

const word = (value: number | string) => BigInt(value).toString(16).padStart(64, '0');
const call = (...words: (number | string)[]) => `0x${words.map(word).join('')}`;

let node: TestNode | undefined;
afterEach(() => node?.close());

/** Executes a block in EthereumJS's own VM, which has nothing but the witness. @returns the state root */
async function executeFrom(witness: Wire, block: Wire, hardfork: 'prague' | 'shanghai' = 'prague') {
  const headers = witness.headers.map((header: `0x${string}`) => hexToBytes(header));
  const hashes = new Map<bigint, Uint8Array>();
  for (const header of headers)
    hashes.set(bytesToBigInt((RLP.decode(header) as Uint8Array[])[8]!), keccak256(header));
  const blockchain = {
    getBlock: async (number: number | bigint) => {
      const hash = hashes.get(BigInt(number));
      if (!hash) throw new Error(`no header of block ${number}`);
      return { hash: () => hash };
    },
    putBlock: async () => {},
    validateHeader: async () => {},
    shallowCopy() {
      return this;
    },
  };
  const vm = await stockVm(stockCommon(hardfork, false), new Map() as never, blockchain);
  // The trie of its state: EthereumJS has no other way to give it nodes.
  const trie = (vm.stateManager as Wire)._trie;
  const database = trie.database();
  for (const text of witness.state) {
    const encoded = hexToBytes(text);
    await database.put(keccak256(encoded), encoded);
  }
  for (const text of witness.codes) {
    const code = hexToBytes(text);
    await database.put(new Uint8Array([...new TextEncoder().encode('c'), ...keccak256(code)]), code);
  }
  // EthereumJS takes a node that is missing for a key that isn't there.
  const get = database.get.bind(database);
  database.get = async (key: Uint8Array) => {
    const found = await get(key);
    if (found === undefined) throw new Error(`the witness lacks ${bytesToHex(key)}`);
    return found;
  };
  const parentRoot = (RLP.decode(headers.at(-1)!) as Uint8Array[])[3]!;
  await vm.stateManager.setStateRoot(parentRoot);
  const given = createBlockFromRPC(block, [], { common: stockCommon(hardfork, false) });
  const { stateRoot } = await runBlock(vm, {
    block: given,
    skipHeaderValidation: true,
    skipBlockValidation: true,
  });
  return bytesToHex(stateRoot);
}

describe.each(['fast', 'ethereumjs', 'shadow'] as const)('on the engine %s, a witness', (engine) => {
  async function start(options = {}) {
    node = await startNode({ noMining: true, engine, ...options });
    const { rpc, accounts } = node;
    const send = (fields: object) =>
      rpc('eth_sendTransaction', { from: accounts[0], gas: '0x4c4b40', ...fields });
    const mine = () => rpc('evm_mine');
    const deploy = async (runtime: string) => {
      const hash = await send({ data: initOf(runtime) });
      await mine();
      return (await rpc('eth_getTransactionReceipt', hash)).contractAddress as string;
    };
    const check = async (tag = 'latest') => {
      const witness = await rpc('debug_executionWitness', tag);
      const block = await rpc('eth_getBlockByNumber', tag, true);
      expect(await executeFrom(witness, block)).toBe(block.stateRoot);
      return witness;
    };
    return { rpc, send, mine, deploy, check, accounts };
  }

  test('suffices to execute the block without a state: transfers, creations, storage', async () => {
    const { send, mine, deploy, check, accounts } = await start();
    const writer = await deploy(WRITER);
    await check();
    await send({ to: `0x${'77'.repeat(20)}`, value: '0x1' });
    await send({ to: writer, data: call(1, 5) });
    await send({ from: accounts[1], to: accounts[2], value: '0x9' });
    await mine();
    const witness = await check();
    expect(witness.keys).toContain(writer);
    expect(witness.keys).toContain(`0x${word(1)}`);
    expect(witness.codes).toContain(`0x${WRITER}`);
    expect(witness.headers).toHaveLength(1);
  });

  test('has the siblings of removed slots, whatever the order of removals and writes', async () => {
    const { send, mine, deploy, check } = await start();
    const writer = await deploy(WRITER);
    for (let slot = 0; slot < 20; slot++) await send({ to: writer, data: call(slot, slot + 1) });
    await mine();
    await check();
    // Writes new slots beside those that it removes.
    for (let slot = 0; slot < 19; slot++) {
      await send({ to: writer, data: call(slot, 0) });
      if (slot % 3 === 0) await send({ to: writer, data: call(100 + slot, 1) });
    }
    await mine();
    await check();
    for (const slot of [19, 100, 103, 106, 109, 112, 115]) await send({ to: writer, data: call(slot, 0) });
    await mine();
    await check();
  });

  test('has the code that EXTCODESIZE and calls read, and the headers back to the oldest hash that was read', async () => {
    const { send, mine, deploy, check } = await start();
    const [writer, hasher, caller] = [await deploy(WRITER), await deploy(HASHER), await deploy(CALLER)];
    for (let i = 0; i < 5; i++) await mine();
    await send({ to: caller, data: call(writer) });
    await send({ to: hasher, data: call(0, 3) });
    await mine();
    const { codes, headers } = await check();
    for (const code of [WRITER, HASHER, CALLER]) expect(codes).toContain(`0x${code}`);
    // Blocks 3 to 8 of a block 9.
    expect(headers).toHaveLength(6);
  });

  test('is there of the pending block and of one named by its hash', async () => {
    const { rpc, send, mine, check } = await start();
    await send({ to: `0x${'78'.repeat(20)}`, value: '0x1' });
    await check('pending');
    await mine();
    const { hash } = await rpc('eth_getBlockByNumber', 'latest', false);
    expect(await rpc('debug_executionWitness', hash)).toEqual(await rpc('debug_executionWitness', '0x1'));
  });
});

test('no witness of the genesis block, of an unknown one, or of one before which dev methods changed the state', async () => {
  node = await startNode();
  await node.transfer();
  expect(await node.codeOf('debug_executionWitness', '0x0')).toBe(-32000);
  expect(await node.codeOf('debug_executionWitness', '0x99')).toBe(-32000);
  await node.rpc('anvil_setBalance', node.accounts[3], '0x5');
  await node.transfer();
  expect(await node.codeOf('debug_executionWitness', 'latest')).toBe(-32000);
  await node.transfer();
  expect((await node.rpc('debug_executionWitness', 'latest')).headers).toHaveLength(1);
});
