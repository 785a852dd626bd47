// A bundler (ERC-4337) on devnet: alto in its default safe mode, which looks at what a user operation does while it is validated by
// a tracer in JavaScript.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPublicClient, encodeDeployData, encodeFunctionData, getAddress, http } from 'viem';
import { getUserOperationHash } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { freePort, startDevnet } from './nodes.mjs';

const PACKAGES = resolve(import.meta.dirname, 'bundler/node_modules');
const ALTO = join(PACKAGES, '@pimlico/alto/esm/cli/alto.js');
const artifact = (name) =>
  JSON.parse(readFileSync(join(PACKAGES, `@account-abstraction/contracts/artifacts/${name}.json`), 'utf8'));

/** Keys of devnet's accounts 1 to 3. */
const [OWNER, EXECUTOR, UTILITY] = [
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
  '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
];
const owner = privateKeyToAccount(OWNER);
const RECIPIENT = getAddress(`0x${'c0ffee'.padStart(40, '0')}`);
const DUMMY_SIGNATURE =
  '0xfffffffffffffffffffffffffffffff0000000000000000000000000000000007aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1c';

describe('alto, a bundler, in safe mode', () => {
  let node;
  let alto;
  let bundler;
  let entryPoint;
  let factory;
  let sender;
  let factoryData;

  before(async () => {
    node = await startDevnet('--automine');
    const [from] = await node.rpc('eth_accounts');
    const deploy = async ({ abi, bytecode }, args = []) => {
      const data = encodeDeployData({ abi, bytecode, args });
      const hash = await node.rpc('eth_sendTransaction', { from, data, gas: '0x989680' });
      const { contractAddress, status } = await node.rpc('eth_getTransactionReceipt', hash);
      assert.equal(status, '0x1');
      return getAddress(contractAddress);
    };
    entryPoint = await deploy(artifact('EntryPoint'));
    const factoryOf = artifact('SimpleAccountFactory');
    factory = await deploy(factoryOf, [entryPoint]);
    const client = createPublicClient({ transport: http(node.url) });
    const account = { abi: factoryOf.abi, args: [owner.address, 0n] };
    sender = await client.readContract({ ...account, address: factory, functionName: 'getAddress' });
    factoryData = encodeFunctionData({ ...account, functionName: 'createAccount' });
    await node.rpc('anvil_setBalance', sender, '0xde0b6b3a7640000');
    const port = await freePort();
    alto = startAlto([
      ...['run', '--rpc-url', node.url, '--port', String(port), '--entrypoints', entryPoint],
      ...['--executor-private-keys', EXECUTOR, '--utility-private-key', UTILITY],
    ]);
    bundler = await alto.at(`http://127.0.0.1:${port}`);
  });
  after(async () => {
    await alto?.close();
    await node?.close();
  });

  /** A user operation that makes the account, where it isn't there yet, and sends some wei. */
  async function operation(nonce, fields = {}) {
    const { abi } = artifact('SimpleAccount');
    const isNew = (await node.rpc('eth_getCode', sender, 'latest')) === '0x';
    const gasPrice = (await bundler('pimlico_getUserOperationGasPrice')).fast;
    const unsigned = {
      sender,
      nonce,
      ...(isNew && { factory, factoryData }),
      callData: encodeFunctionData({ abi, functionName: 'execute', args: [RECIPIENT, 7n, '0x'] }),
      ...gasPrice,
      signature: DUMMY_SIGNATURE,
      ...fields,
    };
    const estimated = await bundler('eth_estimateUserOperationGas', unsigned, entryPoint);
    const filled = Object.fromEntries(
      Object.entries({ ...unsigned, ...estimated }).filter(([, value]) => value !== null),
    );
    const numbers = Object.fromEntries(
      Object.entries(filled).map(([name, value]) => [
        name,
        /Gas|Fee|nonce/.test(name) ? BigInt(value) : value,
      ]),
    );
    const hash = getUserOperationHash({
      ...{ chainId: 31337, entryPointAddress: entryPoint, entryPointVersion: '0.7' },
      userOperation: numbers,
    });
    return { ...filled, signature: await owner.signMessage({ message: { raw: hash } }) };
  }

  async function receiptOf(hash) {
    for (;;) {
      const receipt = await bundler('eth_getUserOperationReceipt', hash);
      if (receipt) return receipt;
      await sleep(100);
    }
  }

  it('takes a user operation that makes its account, and bundles it', async () => {
    const hash = await bundler('eth_sendUserOperation', await operation('0x0'), entryPoint);
    const receipt = await receiptOf(hash);
    assert.equal(receipt.success, true);
    assert.equal(await node.rpc('eth_getBalance', RECIPIENT, 'latest'), '0x7');
    assert.notEqual(await node.rpc('eth_getCode', sender, 'latest'), '0x');
  });

  it('takes another one of the account that is there', async () => {
    const hash = await bundler('eth_sendUserOperation', await operation('0x1'), entryPoint);
    assert.equal((await receiptOf(hash)).success, true);
    assert.equal(await node.rpc('eth_getBalance', RECIPIENT, 'latest'), '0xe');
  });

  it('refuses one whose signature is wrong', async () => {
    const signed = await operation('0x2');
    const wrong = await privateKeyToAccount(EXECUTOR).signMessage({ message: 'wrong' });
    await assert.rejects(bundler('eth_sendUserOperation', { ...signed, signature: wrong }, entryPoint), {
      code: -32507,
    });
  });

  it('refuses an account that reads the time while it is validated, by what the tracer has seen', async () => {
    // Validates with TIMESTAMP, POP, and returns 0.
    const code = '0x42505f5f5260205ff3';
    const banned = getAddress(`0x${'ba'.repeat(20)}`);
    await node.rpc('anvil_setCode', banned, code);
    // It doesn't pay for itself.
    const { abi } = artifact('EntryPoint');
    const data = encodeFunctionData({ abi, functionName: 'depositTo', args: [banned] });
    const [from] = await node.rpc('eth_accounts');
    await node.rpc('eth_sendTransaction', { from, to: entryPoint, data, value: '0xde0b6b3a7640000' });
    const signed = await operation('0x2');
    const request = { ...signed, sender: banned, nonce: '0x0' };
    await assert.rejects(bundler('eth_sendUserOperation', request, entryPoint), (error) => {
      assert.equal(error.code, -32502);
      assert.match(error.message, /TIMESTAMP/);
      return true;
    });
  });
});

function startAlto(args) {
  const child = spawn(process.execPath, [ALTO, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  let isOver = false;
  closed.then(() => {
    isOver = true;
  });
  return {
    get output() {
      return output;
    },
    /** Resolves once it serves. @returns calls it */
    async at(url) {
      const call = async (method, ...params) => {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        });
        const { result, error } = await response.json();
        if (error) throw Object.assign(new Error(error.message), error);
        return result;
      };
      for (;;) {
        if (isOver) throw new Error(`alto has ended: ${output.slice(-4000)}`);
        const entryPoints = await call('eth_supportedEntryPoints').catch(() => undefined);
        if (entryPoints) return call;
        await sleep(200);
      }
    },
    async close() {
      child.kill('SIGKILL');
      await closed;
      process.off('exit', kill);
    },
  };
}
