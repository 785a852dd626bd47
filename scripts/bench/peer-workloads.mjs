import { execFileSync } from 'node:child_process';
import { decodeFunctionResult } from 'viem';
import { forSeconds, receiptOf } from './load.mjs';
import {
  artifact,
  blast,
  callOf,
  createSenders,
  deploy,
  deploymentOf,
  deployToken,
  etherTransfer,
  tokenTransfer,
} from './senders.mjs';
import { SHAPES, simulationOf } from './simulate.mjs';

/** Time limits of the phases with reads, calls and transactions, in seconds; the rate is computed over the operations done by then. */
const READING = 2;
const CALLING = 4;
const WRITING = 10;
const ROW_OF_BLOCKS = 100;

/**
 * The workloads; each runs on its own process of a node. A workload is called with the node and with `row(name, unit, measure)`: `measure`
 * resolves to a number of operations, the milliseconds that they took, the node's processor time for them, and optionally a note.
 */
export const WORKLOADS = {
  start,
  reads,
  blocks,
  ether,
  erc20,
  receipts,
  loops,
  simulations,
  snapshots,
  growth,
  state,
};

async function start({ startMs, cpu }, row) {
  await row('start: spawn to first answer', 'ms', () => ({ count: 1, elapsed: startMs, cpu: cpu() }));
  await row('start: times that of `node -e 0`', 'times', () => {
    const before = performance.now();
    execFileSync(process.execPath, ['-e', '0']);
    return { count: 1, elapsed: startMs / (performance.now() - before) };
  });
}

async function reads(node, row) {
  const { client } = node;
  const senders = await createSenders(node);
  const token = await deployToken(client, senders);
  const [{ address }] = senders;
  const balanceOf = { to: token, data: callOf('Token', 'balanceOf', [address]) };
  await bothWays(node, row, 'eth_chainId', () => client.call('eth_chainId'));
  await bothWays(node, row, 'eth_getBalance', () => client.call('eth_getBalance', [address, 'latest']));
  await bothWays(node, row, 'eth_call balanceOf', () => client.call('eth_call', [balanceOf, 'latest']));
}

async function blocks(node, row) {
  const { client } = node;
  const senders = await createSenders(node);
  await client.call('evm_setAutomine', [false]);
  for (let i = 0; i < 100; i++) {
    const sender = senders[i % senders.length];
    await sender.send(sender.sign(etherTransfer(i)));
  }
  await node.mine(1);
  const ask = async () => {
    const { transactions } = await client.call('eth_getBlockByNumber', ['latest', true]);
    if (transactions.length !== 100) throw new Error(`a block of ${transactions.length} transactions`);
  };
  await bothWays(node, row, 'eth_getBlockByNumber, 100 full transactions', ask);
}

async function ether(node, row) {
  await bursts(node, row, 'ETH transfers', await createSenders(node), etherTransfer);
}

async function erc20(node, row) {
  const senders = await createSenders(node);
  const token = await deployToken(node.client, senders);
  await bursts(node, row, 'ERC-20 transfers', senders, (i) => tokenTransfer(token, i));
}

async function bursts(node, row, what, senders, payload) {
  for (const [name, count] of Object.entries({ 'burst of 300': 300, 'then 1,700 more': 1700 }))
    await row(`${what}, ${name}, until mined`, 'perSecond', async () => {
      const before = await mined();
      try {
        return await timed(node, () => blast(node.client, senders, count, payload, WRITING * 1000));
      } catch (error) {
        const done = (await mined()) - before;
        if (done === count) throw error;
        throw new Error(`stalled: ${done} of ${count} mined, no more within ${WRITING} s`);
      }
    });

  async function mined() {
    const nonces = senders.map(({ address }) =>
      node.client.call('eth_getTransactionCount', [address, 'latest']),
    );
    return (await Promise.all(nonces)).reduce((sum, nonce) => sum + Number(nonce), 0);
  }
}

async function receipts(node, row) {
  await sends(node, row, 'send to receipt', await createSenders(node), 200);
}

async function sends(node, row, name, [, sender], count) {
  const raws = Array.from({ length: count + 20 }, (_, i) => sender.sign(etherTransfer(i)));
  await row(name, 'ms', async () => {
    for (const raw of raws.splice(0, 20)) await included(node, sender, raw);
    return timed(node, () => forSeconds(WRITING, 1, (i) => included(node, sender, raws[i]), count));
  });
}

async function loops(node, row) {
  const [{ address }, sender] = await createSenders(node);
  const work = await deploy(node.client, sender, deploymentOf('Work'));
  for (const functionName of ['arithmetic', 'hashing', 'storing'])
    await row(`eth_call: loop of ${functionName}, 28 Mgas`, 'mgas', async () => {
      const run = async (gas) => {
        const data = callOf('Work', functionName, [BigInt(gas)]);
        const answer = await node.client.call('eth_call', [
          { from: address, to: work, data, gas: `0x${((node.mostMgas + 0.5) * 1e6).toString(16)}` },
          'latest',
        ]);
        const [used] = decodeFunctionResult({ ...artifact('Work'), functionName, data: answer });
        return Number(used) / 1e6;
      };
      await run(1e6);
      const { elapsed } = await forSeconds(1, 1, () => run(1e6), 1);
      // A slow node gets less gas, so that the call ends within the phase.
      const gas = Math.round(Math.min(node.mostMgas, Math.max(1, (CALLING * 1000) / 2 / elapsed))) * 1e6;
      let count = 0;
      const all = await timed(node, () =>
        forSeconds(
          CALLING,
          1,
          async () => {
            count += await run(gas);
          },
          10,
        ),
      );
      return { ...all, count, note: gas < 28e6 && `loops of ${gas / 1e6} Mgas` };
    });
}

async function simulations(node, row) {
  const senders = await createSenders(node);
  const token = await deployToken(node.client, senders);
  for (const shape of SHAPES)
    await row(`eth_simulateV1, ${shape.name}`, 'ms', async () => {
      const params = [simulationOf(shape, senders[0].address, token), 'latest'];
      const run = async () => {
        const simulated = await node.client.call('eth_simulateV1', params);
        const calls = simulated.flatMap((block) => block.calls);
        if (calls.length !== shape.blocks * shape.calls) throw new Error(`${calls.length} calls answered`);
        if (calls.some(({ status }) => status !== '0x1')) throw new Error('a call failed');
      };
      await forSeconds(0.5, 1, run, 10);
      return timed(node, () => forSeconds(CALLING, 1, run, 200));
    });
}

async function snapshots(node, row) {
  const { client } = node;
  const senders = await createSenders(node);
  const token = await deployToken(client, senders);
  const [, sender] = senders;
  const raws = Array.from({ length: 20 }, (_, i) => sender.sign(tokenTransfer(token, i)));
  const cycle = async () => {
    const id = await client.call('evm_snapshot');
    for (const raw of raws) await included(node, sender, raw);
    if (!(await client.call('evm_revert', [id]))) throw new Error('the snapshot is not there');
  };
  const measure = (name, note) =>
    row(`snapshot + 20 transactions + revert, ${name}`, 'ms', async () => {
      await cycle();
      return { ...(await timed(node, () => forSeconds(CALLING, 1, cycle, 30))), note };
    });
  await measure('new chain');
  const done = await mineRows(node, 5000);
  await measure('after 5,000 blocks', done < 5000 && `after ${done.toLocaleString('en')} blocks`);
}

async function growth(node, row) {
  const { client } = node;
  const [owner] = await createSenders(node);
  const kitchen = await deploy(client, owner, deploymentOf('Kitchen'));
  const emitting = { to: kitchen, data: callOf('Kitchen', 'emitMany', [100n, '0x']), gas: 1_000_000n };
  let note;
  await row('10,000 empty blocks', 'perSecond', async () => {
    const whole = { count: 0, elapsed: 0, cpu: 0 };
    for (let share = 0; share < 10; share++) {
      const part = await timed(node, async () => {
        const begin = performance.now();
        const count = await mineRows(node, 1000, WRITING / 10);
        return { count, elapsed: performance.now() - begin };
      });
      for (const key of Object.keys(whole)) whole[key] += part[key];
      await included(node, owner, owner.sign(emitting));
    }
    note = whole.count < 10_000 && `${whole.count.toLocaleString('en')} blocks`;
    return { ...whole, note };
  });
  await row('eth_getLogs over them, 1,000 logs', 'ms', async () => {
    const ask = async () => {
      const filter = { address: kitchen, fromBlock: 'earliest', toBlock: 'latest' };
      const logs = await client.call('eth_getLogs', [filter]);
      if (logs.length !== 1000) throw new Error(`${logs.length} logs`);
    };
    await ask();
    return { ...(await timed(node, () => forSeconds(CALLING, 1, ask, 50))), note };
  });
}

async function state(node, row) {
  const { client } = node;
  const senders = await createSenders(node);
  const [owner] = senders;
  const work = await deploy(client, owner, deploymentOf('Work'));
  const first = 2n ** 120n;
  const share = 400;
  let funded = 0;
  await row('20,000 accounts funded, 400 a transaction', 'perSecond', async () => {
    const raws = Array.from({ length: 50 }, (_, i) => {
      const data = callOf('Work', 'fund', [first + BigInt(i * share), BigInt(share)]);
      return owner.sign({ to: work, value: 400n, data, gas: 16_000_000n });
    });
    const all = await timed(node, () =>
      forSeconds(WRITING, 1, (i) => included(node, owner, raws[i]), raws.length),
    );
    funded = all.count * share;
    return { ...all, count: funded, note: funded < 20_000 && `${funded.toLocaleString('en')} accounts` };
  });
  const address = (i) => `0x${(first + BigInt((i * 37) % funded)).toString(16).padStart(40, '0')}`;
  const balance = async (i) => {
    const wei = await client.call('eth_getBalance', [address(i), 'latest']);
    if (wei !== '0x1') throw new Error(`a balance of ${wei}`);
  };
  await row('eth_getBalance among them, 16 at a time', 'perSecond', () =>
    timed(node, () => forSeconds(READING, 16, balance, 8000)),
  );
  await row('eth_getProof among them', 'ms', () =>
    timed(node, () =>
      forSeconds(CALLING, 1, (i) => client.call('eth_getProof', [address(i), [], 'latest']), 200),
    ),
  );
  await sends(node, row, 'send to receipt among them', senders, 40);
}

async function bothWays(node, row, name, task) {
  const ways = { 'one by one': [1, 2000], '16 at a time': [16, 8000] };
  for (const [way, [lanes, most]] of Object.entries(ways))
    await row(`${name}, ${way}`, 'perSecond', async () => {
      await forSeconds(READING / 2, lanes, task, 100);
      return timed(node, () => forSeconds(READING, lanes, task, most));
    });
}

/** Sends a transaction and waits for its receipt. */
async function included({ client }, sender, raw) {
  const { status } = await receiptOf(client, await sender.send(raw), { gapMs: 0 });
  if (status !== '0x1') throw new Error('a transaction failed');
}

/** Mines up to `most` blocks, a hundred per request. @returns their number */
async function mineRows(node, most, seconds = 2 * WRITING) {
  const { count } = await forSeconds(seconds, 1, () => node.mine(ROW_OF_BLOCKS), most / ROW_OF_BLOCKS);
  return count * ROW_OF_BLOCKS;
}

/** Runs a measurement and adds the processor time of the node. */
async function timed(node, run) {
  const before = node.cpu();
  const { count, elapsed } = await run();
  return { count, elapsed, cpu: node.cpu() - before };
}
