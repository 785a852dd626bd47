import { equalsBytes } from '@ethereumjs/util';
import type { Header } from '../chain/block.ts';
import { BadBlock, expectSame, refuse } from '../chain/block-fault.ts';
import { hashHeader } from '../chain/header.ts';
import { type EncodedBlock, encodedBlock, type LoadedChain } from '../chain/store/loaded-chain.ts';
import type { JsonSlice } from '../json-slice.ts';
import type { TransactionDecoder } from '../mempool/decode.ts';
import type { OnProgress } from '../progress.ts';
import type { HardforkSchedule } from '../protocol/hardfork.ts';
import { object } from '../rpc/codec/codec.ts';
import { hex } from '../rpc/codec/hex.ts';
import { hash32, uint64 } from '../rpc/codec/values.ts';
import type { GenesisAlloc } from '../state/genesis.ts';
import { stateOfAlloc } from '../state/state-of-alloc.ts';
import { type HeadStateDeps, headStateOf } from './head-state.ts';
import { foreignStates, ownStates } from './old-states.ts';
import { type DumpedReceipt, dumpedBlock, dumpedHeader, dumpedReceipt, restoreBlock } from './read-block.ts';
import type { Dump } from './read-dump.ts';
import { StateParts } from './state-parts.ts';

export interface RestoreDeps {
  readonly forks: HardforkSchedule;
  readonly decoder: TransactionDecoder;
  /** genesis allocation of a new chain */
  readonly alloc: GenesisAlloc;
  /** Called when a part of the file isn't loaded. */
  readonly onWarning?: (message: string) => void;
  readonly onProgress?: OnProgress | undefined;
  readonly computeRoot?: HeadStateDeps['computeRoot'];
}

/** The chain of a state file. */
export interface RestoredChain {
  readonly chain: LoadedChain;
  readonly genesis: { readonly header: Header; readonly hash: Uint8Array };
}

interface Found {
  readonly header: Header;
  readonly hash: Uint8Array;
  readonly json: JsonSlice;
  readonly path: string;
}

const located = object('a transaction with its receipt', {
  block_hash: hash32,
  info: object('what is known of a transaction', { transaction_index: uint64 }),
});
const headed = object('a block', { header: dumpedHeader });

/**
 * Restores the newest block of a file and its ancestors, as far back as they are linked, and checks each against its
 * header. The newest state consists of the file's accounts. If the file's chain began with other accounts than a new
 * chain (anvil's, or another mnemonic), the new chain's accounts are added.
 * @returns `undefined` when the file has no blocks
 * @throws BadBlock, with its number, for a block that doesn't match its header; DevnetError -32602
 */
export async function restoreChain(dump: Dump, deps: RestoreDeps): Promise<RestoredChain | undefined> {
  const { onProgress } = deps;
  const onLeft = (message: string) => {
    if (dump.devnet) throw new Error(message);
    deps.onWarning?.(message);
  };
  const linked = linkedBlocks(dump, { onLeft, onProgress });
  const genesis = linked[0];
  if (!genesis) return undefined;
  const genesisState = stateOfAlloc(deps.alloc);
  const { devnet } = dump;
  const isSame = devnet !== undefined && equalsBytes(genesis.header.stateRoot, genesisState.root);
  const { number: newest } = linked.at(-1)!.header;
  const parts = new StateParts();
  const { computeRoot } = deps;
  const alloc: GenesisAlloc = isSame ? new Map() : deps.alloc;
  const head = await headStateOf(alloc, dump.accounts, { parts, computeRoot, onProgress });
  const old = devnet
    ? ownStates(devnet, parts, onProgress)
    : foreignStates(dump, linked, { ...deps, genesisState, parts });
  const roots = new Map(old.roots).set(newest, head);
  const receipts = receiptsByBlock(dump);
  const total = linked.length;
  const blocks = linked.map(({ header, hash, json, path }, i): EncodedBlock => {
    onProgress?.({ task: 'Loading the blocks of the state file', done: i, total, unit: 'blocks' });
    const dumped = dumpedBlock.decode(json.parse(), path);
    const own = dumped.transactions.map((_, i) => receipts(hash, i));
    const block = inBlock(header.number, () => restoreBlock(dumped, own, deps));
    return encodedBlock(block, roots.get(header.number) ?? header.stateRoot);
  });
  const { nodes, code, preimages, encoded } = parts;
  const { states, genesisRoot } = old;
  return { genesis, chain: { blocks, states, genesisRoot, nodes, code, preimages, encoded } };
}

/** Runs `check`, and adds the block's number to a BadBlock that it throws. */
function inBlock<T>(number: bigint, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof BadBlock) error.number ??= number;
    throw error;
  }
}

/** The newest block and its ancestors, the oldest first. In anvil's files blocks have no particular order. */
function linkedBlocks(
  { blocks: textsOf, block, best_block_number: best }: Dump,
  { onLeft, onProgress }: { onLeft: (message: string) => void; onProgress: OnProgress | undefined },
): Found[] {
  const blocks = textsOf();
  const byHash = new Map<string, Found>();
  let newest: Found | undefined;
  const total = blocks.length;
  for (const [i, json] of blocks.entries()) {
    onProgress?.({ task: 'Reading the blocks of the state file', done: i, total, unit: 'blocks' });
    const path = `state.blocks[${i}]`;
    const { hash: said, ...header } = headed.decode(json.parse(), path).header;
    const found = { header, hash: hashHeader(header), json, path };
    if (said) inBlock(header.number, () => expectSame('hash', said, found.hash));
    byHash.set(hex(found.hash), found);
    if (!newest || header.number > newest.header.number) newest = found;
  }
  const number = best ?? block?.number;
  if (newest && number !== undefined && newest.header.number !== number)
    refuse('best_block_number', `${newest.header.number}, the number of the newest block`, number);
  const linked: Found[] = [];
  for (let next = newest; next; next = byHash.get(hex(next.header.parentHash))) linked.push(next);
  // anvil may keep blocks of an abandoned branch.
  if (linked.length < blocks.length)
    onLeft(`blocks of the state file that don't lead to its newest one: ${blocks.length - linked.length}`);
  return linked.reverse();
}

function receiptsByBlock(dump: Dump) {
  const transactions = dump.transactions();
  const places = new Map<string, number[]>();
  for (const [i, json] of transactions.entries()) {
    const { block_hash, info } = located.decode(json.parse(), `state.transactions[${i}]`);
    const hash = hex(block_hash);
    const indexes = places.get(hash) ?? [];
    indexes[Number(info.transaction_index)] = i;
    places.set(hash, indexes);
  }
  return (hash: Uint8Array, index: number): DumpedReceipt | undefined => {
    const i = places.get(hex(hash))?.[index];
    return i === undefined
      ? undefined
      : dumpedReceipt.decode(transactions[i]!.parse(), `state.transactions[${i}]`);
  };
}
