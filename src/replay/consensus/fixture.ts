import { RLP } from '@ethereumjs/rlp';
import { Address, bytesToHex, equalsBytes, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import type { Header, TrieBlock } from '../../chain/block.ts';
import { hashHeader, headerFromFields, headerOf } from '../../chain/header.ts';
import { EMPTY_ROOT } from '../../state/account.ts';
import { genesisWrites, parseAlloc } from '../../state/genesis.ts';
import { MemorySource } from '../../state/node-cache.ts';
import { TrieState } from '../../state/trie-state.ts';

/** One case of a BlockchainTests file (ethereum/tests, execution-spec-tests). */
export interface ConsensusCase {
  readonly network: string;
  readonly genesisRLP?: string;
  readonly genesisBlockHeader: Readonly<Record<string, string>>;
  readonly pre: unknown;
  readonly blocks: readonly FixtureBlock[];
  readonly lastblockhash: string;
  readonly postState?: unknown;
  readonly postStateHash?: string;
  readonly config?: {
    readonly chainid?: string;
    readonly blobSchedule?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
}

/** A block of a case. Members that aren't listed are only informative. */
export interface FixtureBlock {
  readonly rlp: string;
  readonly blockHeader?: unknown;
  /** `expectException`, or followed by a network's name: `expectExceptionALL` */
  readonly [expectation: `expectException${string}`]: string | undefined;
}

/** Whether the content of a JSON file has the BlockchainTests format: cases by name, each with blocks. */
export function isConsensusFile(json: unknown): json is Record<string, ConsensusCase> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return false;
  const cases = Object.entries(json).filter(([name]) => name !== '_info');
  return (
    cases.length > 0 &&
    cases.every(([, value]) => typeof value === 'object' && value !== null && Array.isArray(value.blocks))
  );
}

/** The exception for which a block must be rejected; `undefined` if it must be accepted. */
export function expectedException(block: FixtureBlock): string | undefined {
  const key = Object.keys(block).find((name) => name.startsWith('expectException'));
  return key === undefined ? undefined : String(block[key as 'expectException']);
}

/** The state of an allocation in the format of the fixtures. */
export function stateOf(alloc: unknown): TrieState {
  return TrieState.at(new MemorySource(), EMPTY_ROOT).fold(genesisWrites(parseAlloc(alloc)));
}

/** The genesis block of a case. @throws Error when its state root or hash differs from the fixture's */
export function genesisOf(fixture: ConsensusCase): TrieBlock {
  const header = genesisHeader(fixture);
  const hash = hashHeader(header);
  const state = stateOf(fixture.pre);
  if (!equalsBytes(state.root, header.stateRoot))
    throw new Error(
      `pre: expected the state root ${bytesToHex(header.stateRoot)}, got ${bytesToHex(state.root)}`,
    );
  const { hash: named } = fixture.genesisBlockHeader ?? {};
  if (named && named.toLowerCase() !== bytesToHex(hash))
    throw new Error(`genesisBlockHeader.hash: expected ${named}, got ${bytesToHex(hash)}`);
  return {
    header,
    hash,
    transactions: [],
    receipts: [],
    uncles: [],
    ...(header.withdrawalsRoot && { withdrawals: [] }),
    size: 0,
    state,
    sealed: true,
  };
}

/** Header fields with different names in these files. */
const NAMES: Readonly<Record<string, string>> = {
  unclesHash: 'uncleHash',
  transactionsRoot: 'transactionsTrie',
  receiptsRoot: 'receiptTrie',
  logsBloom: 'bloom',
};

function genesisHeader({ genesisRLP, genesisBlockHeader: json }: ConsensusCase): Header {
  if (genesisRLP !== undefined) {
    const block = RLP.decode(hexToBytes(genesisRLP as PrefixedHexString));
    return headerFromFields(block[0] as Uint8Array[]);
  }
  return headerOf(({ name, kind, since }) => {
    const value = json[NAMES[name] ?? name];
    if (value === undefined && since !== undefined) return undefined;
    if (kind === 'quantity') return BigInt(value ?? '0x0');
    const bytes = hexToBytes((value ?? '0x') as PrefixedHexString);
    return kind === 'address' ? new Address(bytes) : bytes;
  });
}
