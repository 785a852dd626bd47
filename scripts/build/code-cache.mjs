import { spawn } from 'node:child_process';
import { once } from 'node:events';

const TO = `0x${'12'.repeat(20)}`;
/** Deploys 0x5f545f5260205ff3, which returns slot 0. */
const INITCODE = '0x675f545f5260205ff35f5260086018f3';

/**
 * Starts the command, sends requests as test suites do, and stops it: V8's compiled code is saved for later starts. If the command can't
 * run here, the first node that a user starts saves the code.
 */
export async function writeCodeCache(command) {
  const child = spawn(process.execPath, [command, '--port', '0'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  const ended = once(child, 'exit');
  try {
    const url = await listening(child);
    if (url) await sendAll(url);
  } catch {
    // The code that was compiled so far is saved.
  }
  child.kill('SIGTERM');
  await ended;
  clearTimeout(timer);
}

/** @returns the URL in the node's log; `undefined` if the node ends before it listens */
async function listening({ stdout }) {
  let text = '';
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    text += chunk;
    const [, address] = /Listening on (\S+)\n/.exec(text) ?? [];
    if (!address) continue;
    stdout.resume();
    return `http://${address}`;
  }
}

/** Sends rounds of requests: first with a flashblock every 200 ms, then with automine. */
async function sendAll(url) {
  let id = 0;
  const call = async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: id++, method, params });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body });
    return (await response.json()).result;
  };
  const [from] = await call('eth_accounts');
  for (const automine of [false, true]) {
    await call('evm_setAutomine', automine);
    // After ten rounds the saved code makes the first requests a little faster than after two.
    for (let round = 0; round < 10; round++) await sendRound(call, from, automine);
  }
}

async function sendRound(call, from, automine) {
  const transfer = { from, to: TO, value: '0x1', gas: '0x5208' };
  const snapshot = await call('evm_snapshot');
  const hashes = [
    await call('eth_sendTransaction', { from, data: INITCODE }),
    await call('eth_sendTransaction', transfer),
  ];
  const filled = await call('eth_fillTransaction', transfer);
  const nonce = await call('eth_getTransactionCount', from, 'pending');
  const signed = await call('eth_signTransaction', { ...filled?.tx, ...transfer, nonce });
  hashes.push(await call('eth_sendRawTransaction', signed?.raw ?? signed));
  if (!automine) await call('evm_mine');
  for (const hash of hashes) {
    await call('eth_getTransactionReceipt', hash);
    await call('eth_getTransactionByHash', hash);
  }
  const receipt = await call('eth_getTransactionReceipt', hashes[0]);
  const to = receipt?.contractAddress ?? TO;
  for (const tag of ['latest', 'pending']) {
    await call('eth_call', { from, to, data: '0x' }, tag);
    await call('eth_estimateGas', transfer, tag);
    await call('eth_getBlockByNumber', tag, true);
    await call('eth_getBalance', from, tag);
    await call('eth_getCode', to, tag);
    await call('eth_getStorageAt', to, '0x0', tag);
  }
  await call('eth_getLogs', { fromBlock: '0x0', address: to });
  await call('eth_simulateV1', { blockStateCalls: [{ calls: [{ from, to, value: '0x1' }] }] }, 'latest');
  for (const method of [
    'eth_chainId',
    'eth_blockNumber',
    'eth_gasPrice',
    'eth_maxPriorityFeePerGas',
    'net_version',
  ])
    await call(method);
  await call('eth_feeHistory', '0x4', 'latest', [50]);
  await call('anvil_setBalance', TO, '0x10');
  await call('evm_increaseTime', '0x10');
  await call('anvil_mine', '0x2');
  await call('debug_traceTransaction', hashes[1], { tracer: 'callTracer' });
  await call('evm_revert', snapshot);
}
