import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FUZZ } from '../../fuzz.ts';
import { rpc, UseUntilDead, useCommand } from './devnet-process.ts';

const ROUNDS = 3 * Math.ceil(FUZZ);
const BOB = '0x0000000000000000000000000000000000000b0b';

const command = useCommand();

interface Announced {
  readonly number: string;
  readonly hash: string;
  readonly stateRoot: string;
  readonly parentHash: string;
  readonly transactions: readonly string[];
}

/** Sends transfers and notes every block that is announced, until the process dies. */
async function useUntilDead(url: string, announced: Map<bigint, Announced>): Promise<UseUntilDead> {
  const [from] = await rpc(url, 'eth_accounts');
  return new UseUntilDead([
    () => rpc(url, 'eth_sendTransaction', { from, to: BOB, value: '0x1', gas: '0x5208' }),
    async () => {
      const block: Announced = await rpc(url, 'eth_getBlockByNumber', 'latest', false);
      announced.set(BigInt(block.number), block);
    },
  ]);
}

/** Walks the whole chain: parents, transactions with receipts, and BOB's balance in each block's state. */
async function verifyChain(url: string): Promise<bigint> {
  const head = BigInt(await rpc(url, 'eth_blockNumber'));
  let parent: Announced | undefined;
  let received = 0n;
  for (let number = 0n; number <= head; number++) {
    const tag = `0x${number.toString(16)}`;
    const block: Announced = await rpc(url, 'eth_getBlockByNumber', tag, false);
    if (parent) expect(block.parentHash).toBe(parent.hash);
    expect((await rpc(url, 'eth_getBlockByHash', block.hash, false)).number).toBe(block.number);
    received += BigInt(block.transactions.length);
    const receipts = await rpc(url, 'eth_getBlockReceipts', tag);
    expect(receipts.map((receipt: { transactionHash: string }) => receipt.transactionHash)).toEqual(
      block.transactions,
    );
    // The proof is read from the trie under the header's root.
    const proof = await rpc(url, 'eth_getProof', BOB, [], tag);
    expect(BigInt(proof.balance)).toBe(received);
    parent = block;
  }
  return head;
}

it('what was announced as sealed survives kill -9 at any moment, and the chain goes on from it', async () => {
  const announced = new Map<bigint, Announced>();
  const args = [
    '--data-dir',
    join(command.dir, 'data'),
    '--block-time',
    '0.4',
    '--flashblock-interval',
    '100',
    '--port',
    '0',
  ];
  let head = 0n;
  for (let round = 0; round <= ROUNDS; round++) {
    const running = command.run(args);
    const url = await running.listening();
    // Whole at once: what the last process announced is there, with the same hashes.
    const restored = BigInt(await rpc(url, 'eth_blockNumber'));
    for (const [number, block] of announced) {
      expect(number <= restored).toBe(true);
      expect(await rpc(url, 'eth_getBlockByNumber', block.number, false)).toEqual(block);
    }
    await verifyChain(url);
    if (round === ROUNDS) {
      expect(await running.kill('SIGTERM')).toBe(0);
      expect(running.stderr).toBe('');
      break;
    }
    const using = await useUntilDead(url, announced);
    const newest = () => [...announced.keys()].reduce((one, other) => (other > one ? other : one), 0n);
    while (newest() <= head) await using.more(1);
    await using.more(Math.floor(Math.random() * 400));
    await running.kill('SIGKILL');
    await using.over;
    head = newest();
  }
});
