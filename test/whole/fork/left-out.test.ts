import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_MNEMONIC } from '../../../src/accounts.ts';
import type { DevnetOptions } from '../../../src/index.ts';
import { replayRecording } from '../../../src/replay/replay-recording.ts';
import { startChain } from '../../sequencer/start-chain.ts';
import { closeChainsAfterEachTest, encode, hex, original } from './chains.ts';
import { closeProxiesAfterEachTest, proxyOf } from './proxy.ts';
import { MODES } from './refusing.ts';

closeProxiesAfterEachTest();
closeChainsAfterEachTest();

const GAS = '0x2dc6c0';

describe('a transaction that a block leaves out because the node of a forked chain refuses', () => {
  const modes: Readonly<Record<string, DevnetOptions>> = { ...MODES, manual: { noMining: true } };

  it.each(Object.entries(modes))('is left out by a replay of the recording, too: %s', async (_, mode) => {
    const one = await original();
    const proxy = await proxyOf(one.url);
    const dir = mkdtempSync(join(tmpdir(), 'devnet-'));
    const record = join(dir, 'chain.jsonl');
    try {
      const { node, call, clock, fatal } = await startChain({
        forkUrl: proxy.url,
        noForkCache: true,
        forkRetries: 0,
        mnemonic: DEFAULT_MNEMONIC,
        ...mode,
        record,
        timestamp: undefined,
        baseFee: undefined,
      } as object);
      const [first, second] = one.accounts;
      const transfer = (to: number, more: object = {}) =>
        call('eth_sendTransaction', {
          from: first,
          to: one.token,
          gas: GAS,
          data: encode('transfer', one.accounts[to], 1n),
          ...more,
        });
      const next = async () => {
        if ('noMining' in mode) await call('evm_mine');
        await clock.advance(4000);
      };
      try {
        await transfer(3);
        await next();
        for (const nonce of [4, 5]) {
          proxy.state.fault = (methods) =>
            ['eth_getStorageAt', 'eth_createAccessList'].includes(methods[0]!) ? 'hang up' : undefined;
          // It waits for the nonce before it, also where each transaction has a block of its own.
          const bad = await transfer(nonce, { nonce: hex(nonce + 1) });
          const good = await call('eth_sendTransaction', {
            from: first,
            to: second,
            value: '0x1',
            gas: GAS,
            nonce: hex(nonce),
          });
          await next();
          expect(await call('eth_getTransactionByHash', bad)).toBeNull();
          expect(await call('eth_getTransactionReceipt', good)).toMatchObject({ status: '0x1' });
          // From here on the recording has what the transaction needed.
          proxy.state.fault = () => undefined;
          const balance = { to: one.token, data: encode('balanceOf', one.accounts[nonce]) };
          expect(BigInt(await call('eth_call', balance, 'latest'))).toBe(0n);
        }
        // The very transaction that was left out, when it is sent again.
        const again = await transfer(5, { nonce: '0x6' });
        await next();
        expect(await call('eth_getTransactionReceipt', again)).toMatchObject({ status: '0x1' });
        expect(fatal).toEqual([]);
      } finally {
        await node.close();
      }
      expect(readFileSync(record, 'utf8').match(/"leftOut":/g) ?? []).toHaveLength(2);
      const replayed = await replayRecording(record);
      expect(replayed).toEqual({ ...replayed, pass: true, stopped: true, difference: undefined });
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});
