import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  ContractFactory,
  getBytes,
  JsonRpcProvider,
  JsonRpcSigner,
  keccak256,
  parseEther,
  Transaction,
  toUtf8Bytes,
  verifyMessage,
  verifyTypedData,
  WebSocketProvider,
} from 'ethers';
import { compile } from './compile.mjs';
import { startDevnet } from './nodes.mjs';

const SENDER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const BOB = '0x0000000000000000000000000000000000000B0b';
const DOMAIN = { name: 'Mail', version: '1', chainId: 31_337, verifyingContract: BOB };
const TYPES = {
  Person: [
    { name: 'name', type: 'string' },
    { name: 'wallets', type: 'address[]' },
  ],
  Mail: [
    { name: 'from', type: 'Person' },
    { name: 'amount', type: 'int256' },
    { name: 'data', type: 'bytes' },
  ],
};
const MAIL = { from: { name: 'Bob', wallets: [BOB, SENDER] }, amount: -5n, data: '0x1234' };

for (const mode of ['automine', 'pre-confirming'])
  describe(`JsonRpcSigner of ethers 6 in ${mode} mode`, () => {
    let node;
    let provider;
    let signer;
    before(async () => {
      node = await startDevnet(...(mode === 'automine' ? ['--automine'] : ['--block-time', '1']));
      // ethers caches the block number for 250 ms, and with it misses a block that was sealed inside a request.
      provider = new JsonRpcProvider(node.url, undefined, { pollingInterval: 50, cacheTimeout: -1 });
      signer = await provider.getSigner(0);
    });
    after(() => {
      provider.destroy();
      return node.close();
    });

    it('getAddress and listAccounts', async () => {
      assert.ok(signer instanceof JsonRpcSigner);
      assert.equal(await signer.getAddress(), SENDER);
      assert.equal((await provider.listAccounts()).length, 10);
      await assert.rejects(provider.getSigner(BOB));
    });

    it('sendTransaction, with its response and its receipt', async () => {
      const response = await signer.sendTransaction({ to: BOB, value: parseEther('1') });
      const receipt = await response.wait();
      assert.equal(receipt.status, 1);
      assert.equal((await provider.getTransaction(response.hash)).value, parseEther('1'));
      assert.equal(await provider.getBalance(BOB, 'pending'), parseEther('1'));
    });

    it('sendUncheckedTransaction', async () => {
      const hash = await signer.sendUncheckedTransaction({ to: BOB, value: 1n });
      assert.equal((await provider.waitForTransaction(hash)).status, 1);
    });

    it('signTransaction, of which broadcastTransaction takes the answer', async () => {
      const nonce = await signer.getNonce('pending');
      const raw = await signer.signTransaction({
        to: BOB,
        value: 2n,
        nonce,
        gasLimit: 21_000n,
        maxFeePerGas: 3_000_000_000n,
        maxPriorityFeePerGas: 1n,
        chainId: 31_337n,
        type: 2,
      });
      assert.equal(Transaction.from(raw).from, SENDER);
      assert.equal((await (await provider.broadcastTransaction(raw)).wait()).status, 1);
    });

    it('signMessage, of text and of bytes', async () => {
      assert.equal(verifyMessage('hello', await signer.signMessage('hello')), SENDER);
      const bytes = getBytes(keccak256(toUtf8Bytes('x')));
      assert.equal(verifyMessage(bytes, await signer.signMessage(bytes)), SENDER);
    });

    it('_legacySignMessage', async () => {
      assert.equal(verifyMessage('hello', await signer._legacySignMessage('hello')), SENDER);
    });

    it('signTypedData', async () => {
      assert.equal(
        verifyTypedData(DOMAIN, TYPES, MAIL, await signer.signTypedData(DOMAIN, TYPES, MAIL)),
        SENDER,
      );
    });

    it('unlock', async () => {
      assert.equal(await signer.unlock('any'), true);
    });

    it('a contract: deploy, send, read, query, and a custom error by its name', async () => {
      const { Counter } = compile('Counter.sol');
      const counter = await new ContractFactory(Counter.abi, Counter.bytecode, signer).deploy(1n);
      await counter.waitForDeployment();
      const receipt = await (await counter.increment()).wait();
      assert.equal(await counter.number({ blockTag: 'pending' }), 2n);
      assert.equal(receipt.logs[0].fragment.name, 'Changed');
      const other = await provider.getSigner(1);
      await assert.rejects(
        counter.connect(other).set.staticCall(1n, { blockTag: 'pending' }),
        ({ code, revert }) => {
          assert.equal(code, 'CALL_EXCEPTION');
          assert.deepEqual([revert.name, revert.args[0]], ['NotOwner', other.address]);
          return true;
        },
      );
      const failed = await counter.connect(other).set(1n, { gasLimit: 100_000n });
      await assert.rejects(failed.wait(), { code: 'CALL_EXCEPTION' });
    });

    it('errors by the codes of ethers', async () => {
      await assert.rejects(signer.sendTransaction({ to: BOB, value: parseEther('20000') }), {
        code: 'INSUFFICIENT_FUNDS',
      });
      await assert.rejects(signer.sendTransaction({ to: BOB, nonce: 0, gasLimit: 21_000n }), (error) =>
        ['NONCE_EXPIRED', 'UNKNOWN_ERROR'].includes(error.code),
      );
    });

    it('events over WebSocket', async () => {
      const sockets = new WebSocketProvider(node.url.replace('http', 'ws'));
      const block = new Promise((resolve) => sockets.once('block', resolve));
      await sockets.getBlockNumber();
      await signer.sendTransaction({ to: BOB });
      assert.ok((await block) > 0);
      // Not destroy(), which fails where ethers's own unsubscribe, after `once`, is not answered yet.
      sockets.websocket.close();
    });

    it('fee data', async () => {
      const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = await provider.getFeeData();
      assert.ok(gasPrice > 0n && maxFeePerGas > maxPriorityFeePerGas);
    });
  });
