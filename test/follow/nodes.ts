import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { type DevnetOptions, type FollowOptions, followDevnet } from '../../src/index.ts';
import { eventually } from '../eventually.ts';
import { liveNode } from '../live-node.ts';
import { callsOf } from '../wire.ts';

const open: { close(): Promise<void> }[] = [];
const dirs: string[] = [];
/** Registers the hook of a test file: nodes are closed and their directories removed after each test. */
export function closeNodesAfterEachTest(): void {
  afterEach(async () => {
    for (const node of open.splice(0).toReversed()) await node.close();
    for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
  });
}

export type Live = Awaited<ReturnType<typeof liveNode>>;

export async function sequencer(options: DevnetOptions = {}): Promise<Live> {
  const live = await liveNode(options);
  open.push(live);
  return live;
}

export async function follower(live: { url: string }, options: FollowOptions = {}) {
  const lines: string[] = [];
  const node = await followDevnet(
    `${live.url}/flashblocks`,
    { port: 0, ...options },
    { onFollow: (line) => lines.push(line) },
  );
  open.push(node);
  return { node, call: callsOf(node), lines, url: node.url!.replace('http', 'ws') };
}

/** What readers see: head and pending, whole, with the receipts. */
async function views({ call }: { call: Live['call'] }) {
  return Promise.all([
    call('eth_getBlockByNumber', 'latest', true),
    call('eth_getBlockByNumber', 'pending', true),
    call('eth_getBlockReceipts', 'latest'),
    call('eth_getBlockReceipts', 'pending'),
  ]);
}

/** Waits until a follower shows what the sequencer shows, whose clock stands still. */
export async function agree(live: { call: Live['call'] }, ...followers: { call: Live['call'] }[]) {
  const expected = await views(live);
  for (const one of followers)
    await eventually(async () => expect(await views(one)).toEqual(expected), { timeout: 10_000 });
}

/** A directory that is deleted after the test. */
export function dir(): string {
  const path = mkdtempSync(join(tmpdir(), 'devnet-follow-'));
  dirs.push(path);
  return path;
}
