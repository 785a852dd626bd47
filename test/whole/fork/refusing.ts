import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesToHex } from '@ethereumjs/util';
import { expect } from 'vitest';
import { DEFAULT_MNEMONIC } from '../../../src/accounts.ts';
import type { DevnetOptions } from '../../../src/index.ts';
import { replayRecording } from '../../../src/replay/replay-recording.ts';
import { CONTRACT, type Facts, methodExamples, SHOWN } from '../../docs/method-examples.ts';
import { startChain, type TestChain } from '../../sequencer/start-chain.ts';
import type { Wire } from '../../wire.ts';
import type { original } from './chains.ts';
import type { proxyOf } from './proxy.ts';

/** Contracts that the protocol calls at the beginning and at the end of a block (EIP-4788, EIP-7002). */
const SYSTEM = ['0x000f3df6d732807ef1319fb7b8bb8522d0beac02', '0x00000961ef480eb55e80d19ad83579a64c007002'];
/** TIMESTAMP, COINBASE, BASEFEE, GASLIMIT, PREVRANDAO and NUMBER, added up, SLOAD: each new block reads a slot of the other chain. */
const READS_A_SLOT = '0x4241014801450144014301545000';

export const MODES: Readonly<Record<string, DevnetOptions>> = {
  automine: { automine: true },
  'with flashblocks': {},
  'without flashblocks': { blockTime: 2, flashblockInterval: 0 },
  mixed: { mixedMining: true, blockTime: 2 },
};

/** Methods that move a manual clock: chain time isn't taken back. */
const MOVES_TIME = /^devnet_(seal|tick)$|Sync$/;

interface Case {
  readonly one: Awaited<ReturnType<typeof original>>;
  readonly proxy: Awaited<ReturnType<typeof proxyOf>>;
  readonly mode: DevnetOptions;
  readonly method: string;
}

/** What a call may change. */
async function stateOf({ node, call, accounts }: TestChain, movesTime: boolean) {
  const { latest } = node.chain;
  const { sequencer } = node;
  return {
    head: bytesToHex(latest.hash),
    root: bytesToHex(latest.state.root),
    stored: node.chain.isShown,
    mode: sequencer.mode,
    settings: sequencer.blockSettings,
    // anvil_metadata has the snapshots.
    answers: await Promise.all([
      call('txpool_content'),
      call('anvil_metadata'),
      call('anvil_nodeInfo'),
      call('hardhat_getAutomine'),
      call('anvil_getIntervalMining'),
      call('eth_accounts'),
      call('eth_chainId'),
      call('eth_gasPrice'),
    ]),
    ...(!movesTime && {
      due: sequencer.sealDue,
      pending: await call('eth_getBlockByNumber', 'pending', true).catch(reasonOf),
      nonce: await call('eth_getTransactionCount', accounts[0], 'pending').catch(reasonOf),
      time: node.clock.now(),
    }),
  };
}

const reasonOf = ({ message }: Error) => message;

/** A forked chain of three blocks with a snapshot, a transaction that is pre-confirmed where the mode does so, and one that waits. */
async function begin({ one, proxy, mode, method }: Case, record: string | undefined) {
  const chain = await startChain({
    forkUrl: proxy.url,
    noForkCache: true,
    forkRetries: 0,
    mnemonic: DEFAULT_MNEMONIC,
    ...mode,
    ...(record !== undefined && { record }),
    timestamp: undefined,
    baseFee: undefined,
  } as object);
  const { call, clock } = chain;
  for (const address of SYSTEM) await call('anvil_setCode', address, READS_A_SLOT);
  await chain.send({ from: 3 });
  await call('evm_mine');
  await call('evm_mine');
  const snapshot = await call('evm_snapshot');
  // The block that is open after evm_revert is one that was never open before.
  await call('evm_mine');
  if (method === 'evm_revert' && 'automine' in mode) await call('evm_setIntervalMining', 2);
  const hash = await chain.send({ from: 0 });
  await clock.advance(200);
  await chain.send({ from: 1, nonce: 1n });
  const facts: Facts = {
    ...SHOWN,
    snapshot,
    soon: Math.floor(clock.now() / 1000) + 1000,
    blockHash: bytesToHex(chain.node.chain.latest.hash),
    path: `${record}.other`,
    state: '0x',
  };
  const example = methodExamples().find(({ method: name }) => name === method);
  const own: Record<string, readonly unknown[]> = {
    anvil_setRpcUrl: [proxy.url],
    devnet_dropPreconfirmed: [hash],
    devnet_failPreconfirmed: [hash],
    evm_setAutomine: [!('automine' in mode)],
  };
  const params = (own[method] ?? example?.params(facts) ?? []).map((param) =>
    typeof param === 'string' && param.toLowerCase() === CONTRACT.toLowerCase() ? one.token : param,
  );
  return { chain, params };
}

/**
 * Calls a method while the node that the chain is forked from refuses every request but the first n, for each n up to those that
 * the call needs. Each call that fails leaves all as it was. Then the chain goes on, and its recording replays.
 * @returns how many calls have failed
 */
export async function refuse(one: Case): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'devnet-'));
  const { proxy, method } = one;
  // Such a chain can't be recorded.
  const record = method === 'anvil_reset' ? undefined : join(dir, 'chain.jsonl');
  try {
    const { chain, params } = await begin(one, record);
    const { call, clock, node } = chain;
    let failed = 0;
    let head: Wire;
    try {
      for (let n = 0, isDone = false; !isDone; n++) {
        expect(n, 'requests').toBeLessThan(30);
        const before = await stateOf(chain, MOVES_TIME.test(method));
        let count = 0;
        proxy.state.fault = () => (++count > n ? 'hang up' : undefined);
        let error: Error | undefined;
        const calling = call(method, ...params).then(
          () => (isDone = true),
          (reason) => (error = reason),
        );
        for (let i = 0; method.endsWith('Sync') && !isDone && !error && i < 50; i++) {
          await new Promise(setImmediate);
          await clock.advance(200);
        }
        if (method.endsWith('Sync')) proxy.state.fault = () => undefined;
        for (let i = 0; method.endsWith('Sync') && !isDone && !error && i < 50; i++) {
          await new Promise(setImmediate);
          await clock.advance(200);
        }
        await calling;
        proxy.state.fault = () => undefined;
        expect(chain.fatal).toEqual([]);
        if (!error) break;
        failed++;
        expect(await stateOf(chain, MOVES_TIME.test(method))).toEqual(before);
        // It fails for another reason.
        if (count <= n) break;
      }
      await call('evm_mine');
      await clock.advance(4000);
      expect(chain.fatal).toEqual([]);
      head = await call('eth_getBlockByNumber', 'latest', false);
    } finally {
      proxy.state.fault = () => undefined;
      await node.close();
    }
    if (record && !method.endsWith('Recording')) {
      const replayed = await replayRecording(record);
      expect(replayed).toEqual({ ...replayed, pass: true, stopped: true, difference: undefined });
      expect(head).toBeDefined();
    }
    return failed;
  } finally {
    rmSync(dir, { recursive: true });
  }
}
