import { forSeconds, receiptOf } from './load.mjs';
import { startNode } from './node.mjs';
import { createSenders, deployToken, tokenTransfer } from './senders.mjs';
import { perSecond } from './stats.mjs';

const SECONDS = 2;

/** Reads per second, one after the other and on 16 connections, with 100 ERC-20 transfers in the pending block. */
export async function reads({ bin }) {
  // The block stays open throughout.
  const node = await startNode(bin, ['--block-time', '300']);
  try {
    const { client } = node;
    const senders = await createSenders(node);
    const [owner] = senders;
    const address = await deployToken(client, senders);
    let last;
    for (let i = 0; i < 100; i++) last = await owner.send(owner.sign(tokenTransfer(address, i)));
    await receiptOf(client, last);

    const balanceOf = `0x70a08231${owner.address.slice(2).toLowerCase().padStart(64, '0')}`;
    const calls = {
      eth_chainId: [],
      eth_getBalance: [owner.address, 'pending'],
      eth_getStorageAt: [address, '0x2', 'pending'],
      eth_call: [{ to: address, data: balanceOf }, 'pending'],
      eth_getBlockByNumber: ['pending', true],
      eth_getLogs: [{ address, fromBlock: 'earliest', toBlock: 'pending' }],
    };
    const rows = [];
    for (const [method, params] of Object.entries(calls)) {
      const call = () => client.call(method, params);
      await forSeconds(0.5, 1, call);
      const one = await forSeconds(SECONDS, 1, call);
      const many = await forSeconds(SECONDS, 16, call);
      const value = `${perSecond(one.count, one.elapsed)}, ${perSecond(many.count, many.elapsed)}`;
      rows.push([`${method}, sequential, 16 connections`, value, describe(method)]);
    }
    return rows;
  } finally {
    await node.stop();
  }
}

const describe = (method) =>
  ({
    eth_call: 'balanceOf at pending',
    eth_getBlockByNumber: 'pending, full, over 100 transactions',
    eth_getLogs: 'over 100 logs',
    eth_chainId: '',
  })[method] ?? 'pending';
