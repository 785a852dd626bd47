import { RLP } from '@ethereumjs/rlp';
import { Address, bytesToHex, equalsBytes, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import type { Header, TrieBlock } from '../../chain/block.ts';
import { hashHeader, headerFromFields } from '../../chain/header.ts';
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

/** A block of a case. Members that aren't listed only describe it. */
export interface FixtureBlock {
  readonly rlp: string;
  readonly blockHeader?: unknown;
  /** `expectException`, or with a network's name: `expectExceptionALL` */
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

/** The exception for which a block must be refused; `undefined` when it must be accepted. */
export function expectedException(block: FixtureBlock): string | undefined {
  const key = Object.keys(block).find((name) => name.startsWith('expectException'));
  return key === undefined ? undefined : String(block[key as 'expectException']);
}

/** The state of an allocation in the fixtures' format. */
export function stateOf(alloc: unknown): TrieState {
  return TrieState.at(new MemorySource(), EMPTY_ROOT).fold(genesisWrites(parseAlloc(alloc)));
}

/** The genesis block of a case. @throws Error when its state root or hash differs from the fixture's */
export function genesisOf(fixture: ConsensusCase): TrieBlock {
  const header = headerOf(fixture);
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

function headerOf({ genesisRLP, genesisBlockHeader: json }: ConsensusCase): Header {
  if (genesisRLP !== undefined) {
    const block = RLP.decode(hexToBytes(genesisRLP as PrefixedHexString));
    return headerFromFields(block[0] as Uint8Array[]);
  }
  const bytes = (name: string) => hexToBytes((json[name] ?? '0x') as PrefixedHexString);
  const number = (name: string) => BigInt(json[name] ?? '0x0');
  const some = <T>(name: string, read: (name: string) => T) =>
    json[name] === undefined ? {} : { [name]: read(name) };
  return {
    parentHash: bytes('parentHash'),
    unclesHash: bytes('uncleHash'),
    coinbase: new Address(bytes('coinbase')),
    stateRoot: bytes('stateRoot'),
    transactionsRoot: bytes('transactionsTrie'),
    receiptsRoot: bytes('receiptTrie'),
    logsBloom: bytes('bloom'),
    difficulty: number('difficulty'),
    number: number('number'),
    gasLimit: number('gasLimit'),
    gasUsed: number('gasUsed'),
    timestamp: number('timestamp'),
    extraData: bytes('extraData'),
    mixHash: bytes('mixHash'),
    nonce: bytes('nonce'),
    ...some('baseFeePerGas', number),
    ...some('withdrawalsRoot', bytes),
    ...some('blobGasUsed', number),
    ...some('excessBlobGas', number),
    ...some('parentBeaconBlockRoot', bytes),
    ...some('requestsHash', bytes),
    ...some('blockAccessListHash', bytes),
    ...some('slotNumber', number),
  };
}
