import { equalsBytes } from '@ethereumjs/util';
import { blobBaseFee } from '../chain/fees.ts';
import type { FrozenChain } from '../chain/frozen-chain.ts';
import { DevnetError } from '../errors.ts';
import type { HardforkSchedule } from '../protocol/hardfork.ts';
import { type Hex, hex, quantity } from '../rpc/codec/hex.ts';
import { hasCode } from '../state/account.ts';
import { walkState } from '../state/walk-state.ts';
import { giveWay, type Pauses, turns } from '../turns.ts';
import { formatAccounts } from './accounts.ts';
import { formatDumpedBlock, formatDumpedReceipts } from './format-block.ts';

/** Format version of devnet's own part of a state file. */
export const FORMAT = 1;

/** Lower limit of the length of each yielded text before accounts or the end, in characters. */
const PIECE = 1 << 16;

export interface DumpOptions {
  readonly chainId: bigint;
  readonly forks: HardforkSchedule;
  /** writes all states that the chain keeps, instead of the first and the newest one */
  readonly history: boolean;
}

/**
 * Writes the chain as a JSON file that anvil can read (`SerializableState`), in pieces: texts, or their UTF-8. Equal chains give equal files.
 * Data that anvil's format has no fields for is in the member `devnet`, which anvil ignores.
 * @param pauses may end the writing; default: the pauses of background work without a caller
 * @throws DevnetError -32000 if a part of the chain is pruned meanwhile
 */
export async function* dumpPieces(
  chain: FrozenChain,
  options: DumpOptions,
  pauses: Pauses = turns,
): AsyncGenerator<string | Uint8Array> {
  let text = '';
  for await (const part of parts(chain, options, pauses)) {
    if (typeof part === 'string') {
      text += part;
      if (text.length < PIECE) continue;
      yield text;
    } else {
      yield text;
      yield part;
    }
    text = '';
  }
  yield text;
}

async function* parts(
  chain: FrozenChain,
  options: DumpOptions,
  pauses: Pauses,
): AsyncGenerator<string | Uint8Array> {
  const { head, first } = chain;
  const { number } = head.header;
  yield `{"block":${JSON.stringify(blockEnv(chain, options))},"accounts":{`;
  yield* formatAccounts(chain, pauses);
  yield `},"best_block_number":${number},"blocks":[`;
  const roots: Record<Hex, Hex> = {};
  let comma = '';
  for (const block of chain.blocks()) {
    const at = block.header.number;
    yield comma + JSON.stringify(formatDumpedBlock(block));
    comma = ',';
    if (at < number && (at === first || (options.history && at >= chain.states))) {
      const root = chain.rootOf(at);
      if (!equalsBytes(root, block.header.stateRoot)) roots[quantity(at)] = hex(root);
    }
    await giveWay(pauses);
  }
  yield `],"transactions":[`;
  comma = '';
  for (const block of chain.blocks()) {
    for (const transaction of formatDumpedReceipts(block)) {
      yield comma + JSON.stringify(transaction);
      comma = ',';
    }
    await giveWay(pauses);
  }
  const own = {
    format: FORMAT,
    chainId: quantity(options.chainId),
    states: quantity(options.history ? chain.states : number),
    beginning: hex(chain.beginning),
    roots,
  };
  yield `],"historical_states":null,"devnet":${JSON.stringify(own).slice(0, -1)},"pieces":[`;
  comma = '';
  for await (const piece of statePieces(chain, options.history, pauses)) {
    yield comma + JSON.stringify(piece);
    comma = ',';
  }
  yield `]}}`;
}

/** The newest block's environment, as anvil's `BlockEnv`. Without it anvil doesn't load the file's blocks. */
function blockEnv({ head: { header } }: FrozenChain, { forks }: DumpOptions): object {
  const hardfork = forks.at(header.number, header.timestamp, header.difficulty);
  return {
    number: quantity(header.number),
    beneficiary: header.coinbase.toString(),
    timestamp: quantity(header.timestamp),
    gas_limit: Number(header.gasLimit),
    basefee: Number(header.baseFeePerGas ?? 0n),
    difficulty: quantity(header.difficulty),
    prevrandao: hex(header.mixHash),
    blob_excess_gas_and_price: {
      excess_blob_gas: Number(header.excessBlobGas ?? 0n),
      blob_gasprice: Number(blobBaseFee(header.excessBlobGas, hardfork) ?? 1n),
    },
    slot_num: 0,
  };
}

/** A trie node, a contract's code, or the preimage (address or slot) of a hashed trie key. */
type StatePiece = { readonly node: Hex } | { readonly code: Hex } | { readonly key: Hex };

/** The pieces of the states before the newest one, each once. */
async function* statePieces(
  chain: FrozenChain,
  history: boolean,
  pauses: Pauses,
): AsyncGenerator<StatePiece> {
  const { number } = chain.head.header;
  const seen = new Set<string>();
  const isNew = (hash: Uint8Array) => {
    const { size } = seen;
    return seen.add(Buffer.from(hash).toString('latin1')).size > size;
  };
  const there = (bytes: Uint8Array | undefined, what: string) => {
    if (!bytes)
      throw new DevnetError('server', { reason: `${what} of a state was pruned while the chain was dumped` });
    return bytes;
  };
  const getNode = (hash: Uint8Array) => there(chain.getNode(hash), 'a node');
  function* roots() {
    yield chain.beginning;
    if (chain.first < number) yield chain.rootOf(chain.first);
    if (history) for (let at = chain.states; at < number; at++) yield chain.rootOf(at);
  }
  for (const root of roots())
    for (const piece of walkState(root, isNew, getNode)) {
      if (piece.kind === 'node') {
        yield { node: hex(piece.bytes) };
        await giveWay(pauses);
        continue;
      }
      if (isNew(piece.key)) yield { key: hex(there(chain.preimageOf(piece.key), 'a key')) };
      if (piece.kind === 'account' && hasCode(piece.account) && isNew(piece.account.codeHash))
        yield { code: hex(there(chain.getCode(piece.account.codeHash), 'code')) };
    }
}
