import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesToHex } from '@ethereumjs/util';
import { afterEach, beforeEach } from 'vitest';
import { createDevnet, type Devnet, type DevnetOptions, ManualClock } from '../../src/index.ts';
import { Counter } from '../engine/ethereumjs/accounts.ts';

/** Of this test alone. */
export let dir: string;
/** where {@link record} records */
export let file: string;
/** Registers the hooks of a test file: each test has a folder of its own. */
export function useFreshFolder(): void {
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'devnet-recording-'));
    file = join(dir, 'chain.jsonl');
  });
  afterEach(() => rmSync(dir, { recursive: true }));
}

export type Ask = (method: string, ...params: unknown[]) => Promise<unknown>;

/** What a developer does: sends of all kinds, dev writes, time, snapshots, mining. */
export async function work(node: Devnet, ask: Ask): Promise<void> {
  const [from, to, third] = node.accounts.map(({ address }) => address.toLowerCase());
  const tick = async (ms = 200) => {
    if (node.clock instanceof ManualClock) await node.clock.advance(ms);
  };
  const send = (request: object) => ask('eth_sendTransaction', { from, ...request }).catch(() => {});
  await send({ to, value: '0x1' });
  await send({ data: bytesToHex(Counter.initCode), gas: '0x100000' });
  await tick(2_500);
  await ask('anvil_setBalance', third, '0x10');
  await send({ to: third, value: '0x5' });
  await tick();
  const snapshot = await ask('evm_snapshot');
  await ask('evm_increaseTime', 3_600);
  await send({ from: third, to, value: '0x5' });
  await tick(4_100);
  await ask('evm_mine');
  await ask('evm_revert', snapshot);
  await ask('anvil_setNextBlockBaseFeePerGas', '0x77359400');
  await ask('anvil_impersonateAccount', '0x00000000000000000000000000000000000000aa');
  await ask('anvil_setBalance', '0x00000000000000000000000000000000000000aa', '0xde0b6b3a7640000');
  await send({ from: '0x00000000000000000000000000000000000000aa', to, value: '0x1' });
  await tick(1_000);
  await ask('anvil_mine', '0x3', '0x5');
  await send({ to, value: '0x2' });
  await send({ to, value: '0x3', nonce: '0x99' });
  await tick();
}

/** A recording of {@link work}, and where its chain ended. */
export async function record(
  options: DevnetOptions,
  more: (node: Devnet, ask: Ask) => Promise<void> = async () => {},
) {
  const node = await createDevnet({ timestamp: 1_700_000_000, manualClock: true, record: file, ...options });
  const ask: Ask = (method, ...params) => node.provider.request({ method, params });
  try {
    await work(node, ask);
    await more(node, ask);
  } finally {
    await node.close();
  }
}

export const lines = () => readFileSync(file, 'utf8').trimEnd().split('\n');
export const headOf = (text: readonly string[]) =>
  JSON.parse(text.findLast((line) => line.startsWith('{"sealed"'))!).hash as string;

export const MODES: [string, DevnetOptions][] = [
  ['interval', {}],
  ['interval without partial blocks', { flashblockInterval: 0 }],
  ['automine', { automine: true }],
  ['manual', { noMining: true }],
  ['mixed', { mixedMining: true }],
];
