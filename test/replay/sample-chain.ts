import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCustomCommon, Mainnet } from '@ethereumjs/common';
import { createTx, type TypedTxData } from '@ethereumjs/tx';
import { concatBytes } from '@ethereumjs/util';
import { createNode, type Node } from '../../src/boot/node.ts';
import type { Block } from '../../src/chain/block.ts';
import { encodeBlock } from '../../src/chain/store/block-codec.ts';
import { type DevnetOptions, resolveOptions } from '../../src/options/options.ts';

/** Cancun at 0 s, Prague at 20, Osaka at 40, BPO1 at 60; two dev accounts. */
export const GENESIS: object = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/genesis/cancun-to-bpo1.json'), 'utf8'),
);

export const hooks = {
  version: 'test',
  onFatal: (error: unknown) => {
    throw error;
  },
};

/** Init code: PUSH1 1, PUSH1 0, PUSH1 0, LOG1. Makes a contract without code, and a log. */
const LOGS = '0x600160006000a1';

/** Rules that let a transaction of any gas limit be signed. */
const COMMON = createCustomCommon({ chainId: 4242 }, Mainnet, { hardfork: 'cancun' });

function signer({ accounts }: Node) {
  return (data: TypedTxData) =>
    createTx({ maxFeePerGas: 10n ** 10n, ...data } as TypedTxData, { common: COMMON })
      .sign(accounts[0]!.privateKey)
      .serialize();
}

/**
 * Mines a chain on {@link GENESIS}: a block in each fork, the last one at 64 s.
 * @param gasLimit of the first transaction of each block
 */
export async function sampleChain(options: DevnetOptions = {}, gasLimit = 100_000n): Promise<Block[]> {
  const config = resolveOptions({ init: GENESIS, noMining: true, manualClock: true, ...options });
  const node = await createNode(config, hooks);
  try {
    const sign = signer(node);
    const to = node.accounts[1]!.address;
    const send = (raw: Uint8Array) =>
      node.dispatcher.request('eth_sendRawTransaction', [`0x${Buffer.from(raw).toString('hex')}`]);
    const blocks: Block[] = [];
    for (const [i, time] of [12n, 24n, 44n, 64n].entries()) {
      const nonce = BigInt(2 * i);
      await send(sign({ type: 2, nonce, to, value: 1n, gasLimit }));
      await send(sign({ type: 2, nonce: nonce + 1n, data: LOGS, gasLimit: 100_000n }));
      blocks.push(await node.sequencer.mine('outside', time));
    }
    return blocks;
  } finally {
    await node.close();
  }
}

/** Writes blocks, or bytes as they are, into a file of its own. */
export function chainFile(items: readonly (Block | Uint8Array)[]): { path: string } & Disposable {
  const dir = mkdtempSync(join(tmpdir(), 'devnet-import-'));
  const path = join(dir, 'chain.rlp');
  writeFileSync(
    path,
    concatBytes(...items.map((item) => (item instanceof Uint8Array ? item : encodeBlock(item)))),
  );
  return { path, [Symbol.dispose]: () => rmSync(dir, { recursive: true }) };
}
