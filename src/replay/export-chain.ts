import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesToHex, equalsBytes } from '@ethereumjs/util';
import { deriveAccounts } from '../accounts.ts';
import { openChainStore } from '../boot/chain-store.ts';
import { allocOf } from '../boot/genesis.ts';
import type { TrieBlock } from '../chain/block.ts';
import { BadBlock } from '../chain/block-fault.ts';
import { decodeBlock } from '../chain/block-rlp.ts';
import { Chain } from '../chain/chain.ts';
import { genesisBlock } from '../chain/genesis-block.ts';
import { importBlock } from '../chain/import-block.ts';
import { encodeBlock } from '../chain/store/block-codec.ts';
import type { BlockStore } from '../chain/store/block-store.ts';
import { readMarker } from '../chain/store/data-dir.ts';
import { SystemClock } from '../clock.ts';
import type { Engine } from '../engine/engine.ts';
import { newEngine } from '../engine/new-engine.ts';
import { TransactionDecoder } from '../mempool/decode.ts';
import { readGenesis } from '../options/genesis-file.ts';
import type { Config } from '../options/options.ts';
import type { OnProgress } from '../progress.ts';
import { chooseCrypto } from '../protocol/crypto.ts';
import { configOf } from '../protocol/genesis-config.ts';
import { scheduleOf } from '../protocol/genesis-schedule.ts';
import { withChainRules } from '../protocol/hardfork.ts';
import { DEPOSIT_TYPE } from '../protocol/op-stack/deposit-transaction.ts';
import { transactionGasCap } from '../protocol/validity.ts';
import { genesisAllocOf } from '../state/accounts-of-state.ts';
import type { TrieState } from '../state/trie-state.ts';
import { genesisJson } from './genesis-json.ts';

/** A block that other Ethereum clients would reject. The blocks before it have been written. */
export class ExportError extends Error {
  override readonly name = 'ExportError';
  readonly number: bigint;
  readonly reason: string;

  constructor(number: bigint, reason: string) {
    super(`block ${number} can't be exported: ${reason}`);
    this.number = number;
    this.reason = reason;
  }
}

interface Deps {
  readonly version: string;
  /** exports the state at this block as a genesis block, and no other blocks */
  readonly from?: bigint;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Writes genesis.json (geth's format) and chain.rlp into `dir`, from the chain in `config.dataDir`. Each block is first checked by
 * importing it, so that other clients can import the files.
 * @returns number and hash of the last block
 * @throws ExportError at the first block that other Ethereum clients would reject; DataDirError; Error when there is no chain in the
 * directory
 */
export async function exportChain(
  config: Config,
  dir: string,
  { version, from, onProgress }: Deps,
): Promise<{ number: bigint; hash: string }> {
  const marker = config.dataDir === undefined ? undefined : readMarker(config.dataDir);
  if (!marker) throw new Error(`there is no chain in ${config.dataDir ?? 'memory'}`);
  if (marker.fork)
    throw new Error(
      `it was forked at block ${marker.fork.number} of chain ${marker.fork.chainId}, and holds only what differs from that block: ` +
        'neither genesis.json nor chain.rlp can have the rest. What can leave is a recording (--record), and what was fetched (devnet fork-cache export)',
    );
  if (marker.fromStateFile && from === undefined)
    throw new Error('it began with a state file, and no genesis file makes its first block: see --from');
  const crypto = await chooseCrypto();
  const forks = scheduleOf(config.genesis?.config ?? configOf(config.chainId, config.hardfork), crypto);
  // Without the other chain rules, which no other client has.
  const schedule = withChainRules(forks, { rollup: config.rollup });
  const { accounts: count, mnemonic, derivationPath: path } = config;
  const accounts = deriveAccounts({ mnemonic, path, count }).map(({ address }) => address);
  // No gas cap here: a transaction above it must be decoded before it can be reported.
  const decoder = new TransactionDecoder({ transactionGasCap: false, optimism: config.optimism });
  const wall = new SystemClock();
  const { store } = await openChainStore(config, {
    schedule,
    accounts,
    decoder,
    now: () => wall.now(),
    version,
    onProgress,
  });
  const engine = newEngine(config.engine, {
    schedule,
    crypto,
    onDifference: (error) => {
      throw error;
    },
  });
  try {
    const chain = new Chain({ slotsInAnEpoch: 32n }, { store });
    // geth, Erigon and Nimbus reject a genesis.json whose number isn't 0.
    if (from === undefined && store.genesis > 0n)
      throw new ExportError(
        store.genesis,
        'it is the first one, and for other clients that is block 0: --from exports a state as such a one',
      );
    const genesis =
      from === undefined
        ? genesisJson(config, store.header(0n)!, allocOf(config, accounts))
        : await genesisFrom(config, from, chain, onProgress);
    await mkdir(dir, { recursive: true });
    await writeFile(join(dir, 'genesis.json'), `${JSON.stringify(genesis, null, 2)}\n`);
    if (from !== undefined) {
      await writeFile(join(dir, 'chain.rlp'), '');
      const { fields, alloc } = readGenesis(genesis);
      const { hash } = genesisBlock(fields, alloc, schedule.at(from, fields.timestamp, fields.difficulty));
      return { number: 0n, hash: bytesToHex(hash) };
    }
    const file = await open(join(dir, 'chain.rlp'), 'w');
    try {
      const { number: total } = chain.latest.header;
      for (let number = 1n; number <= total; number++) {
        const encoded = await checked(number, { chain, store, engine, decoder, optimism: config.optimism });
        await file.write(encoded);
        onProgress?.({
          task: `Exporting to ${dir}`,
          done: Number(number),
          total: Number(total),
          unit: 'blocks',
        });
      }
      refusePatched(store, total, total);
    } finally {
      await file.close();
    }
    const { header, hash } = chain.latest;
    return { number: header.number, hash: bytesToHex(hash) };
  } finally {
    engine.close();
    await store.close();
  }
}

/** Makes a genesis.json with the block's time, fees and state, including dev writes. */
async function genesisFrom(config: Config, from: bigint, chain: Chain, onProgress: OnProgress | undefined) {
  const block = (await chain.resolve({ number: from })) as TrieBlock | undefined;
  if (!block) throw new Error(`there is no block ${from}`);
  const header = {
    ...block.header,
    number: 0n,
    gasUsed: 0n,
    parentHash: new Uint8Array(32),
    ...(block.header.blobGasUsed !== undefined && { blobGasUsed: 0n }),
  };
  const alloc = await genesisAllocOf(block.state as TrieState, (hash) => chain.preimageOf(hash), onProgress);
  const json = genesisJson(config, header, alloc);
  // Block 0 replaces block `from`, so hardforks that activate by block number activate `from` blocks earlier.
  const forks = Object.entries(json.config as Record<string, unknown>).map(([name, value]) =>
    name.endsWith('Block') && typeof value === 'number'
      ? [name, Math.max(0, value - Number(from))]
      : [name, value],
  );
  return { ...json, config: Object.fromEntries(forks) as unknown };
}

/** Checks that a block can be imported. @returns its RLP */
async function checked(
  number: bigint,
  {
    chain,
    store,
    engine,
    decoder,
    optimism,
  }: {
    chain: Chain;
    store: BlockStore;
    engine: Engine;
    decoder: TransactionDecoder;
    optimism: boolean;
  },
): Promise<Uint8Array> {
  const block = (await chain.resolve({ number })) as TrieBlock;
  const parent = (await chain.resolve({ number: number - 1n })) as TrieBlock;
  const hardfork = engine.hardforkOf(block.header);
  if (store.reservations.at(number))
    throw new ExportError(
      number,
      'it is one of more than 1,000 empty blocks that one call mined: these were not executed (EIP-2935)',
    );
  refusePatched(store, number - 1n, number);
  if (optimism) refuseOptimism(block);
  if (block.header.timestamp <= parent.header.timestamp)
    throw new ExportError(number, `its timestamp ${block.header.timestamp} is not after its parent's`);
  for (const [i, { impersonated, from, tx }] of block.transactions.entries()) {
    if (impersonated)
      throw new ExportError(number, `transaction ${i} has no signature: ${from.toString()} was impersonated`);
    const cap = transactionGasCap(hardfork);
    if (cap !== undefined && tx.gasLimit > cap)
      throw new ExportError(
        number,
        `transaction ${i} asks for ${tx.gasLimit} gas, over the cap of ${cap} (EIP-7825)`,
      );
  }
  const encoded = encodeBlock(block);
  try {
    const raw = decodeBlock(encoded, engine.schedule, (bytes, { common }) => decoder.decode(bytes, common));
    await importBlock(raw, parent, engine, (n) => chain.hashOf(n));
  } catch (error) {
    if (error instanceof BadBlock) throw new ExportError(number, error.message);
    throw error;
  }
  return encoded;
}

/** Rejects blocks that would differ on Ethereum, which has no deposits and burns the base fee. */
function refuseOptimism({ header, transactions }: TrieBlock): void {
  const deposit = transactions.findIndex(({ tx }) => tx.type === DEPOSIT_TYPE);
  if (deposit >= 0)
    throw new ExportError(
      header.number,
      `transaction ${deposit} is a deposit (type 0x7e), which only clients of the OP Stack know`,
    );
  if (transactions.length > 0 && header.baseFeePerGas)
    throw new ExportError(header.number, 'its base fees were not burnt: they went to a vault (--optimism)');
}

/**
 * Rejects a block whose state was changed by a dev write.
 * @param number the block to check
 * @param block block number for the error: the first block that builds on the changed state
 */
function refusePatched(store: BlockStore, number: bigint, block: bigint): void {
  const { stateRoot } = store.header(number)!;
  if (equalsBytes(store.stateRootOf(number) ?? stateRoot, stateRoot)) return;
  throw new ExportError(block, `the state after block ${number} was changed by a dev write`);
}
