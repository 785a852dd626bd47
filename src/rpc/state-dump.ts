import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import type { Address } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import type { DevWrite } from '../sequencer/dev-write.ts';
import type { Settings } from '../sequencer/settings.ts';
import { NEW_ACCOUNT } from '../state/account.ts';
import { allocOfState } from '../state/alloc-of-state.ts';
import type { GenesisAlloc } from '../state/genesis.ts';
import { TrieState } from '../state/trie-state.ts';
import { type Codec, object, optional, record, withDefault } from './codec.ts';
import { address, data, quantity, slot, uint64 } from './codecs.ts';
import type { RpcContext } from './context.ts';
import { type Hex, hex, quantity as toHex, word } from './hex.ts';

/** anvil's file of a state (`SerializableState`). Blocks and transactions aren't in it, so `block` is null. */
export interface StateDump {
  readonly block: null;
  readonly accounts: Readonly<Record<string, DumpedAccount>>;
  readonly best_block_number: null;
  readonly blocks: readonly [];
  readonly transactions: readonly [];
  readonly historical_states: null;
}

interface DumpedAccount {
  readonly nonce: number;
  readonly balance: Hex;
  readonly code: Hex;
  readonly storage: Readonly<Record<Hex, Hex>>;
}

/**
 * All accounts of the newest block by address, sorted, so that equal states give equal dumps.
 * @throws DevnetError -32000 when the state is a forked one, or older than the index of addresses
 */
export function dumpState({ chain, preimageOf }: Pick<RpcContext, 'chain' | 'preimageOf'>): StateDump {
  const { state } = chain.latest;
  if (!(state instanceof TrieState))
    throw new DevnetError('server', { reason: 'a forked state is not dumped' });
  let alloc: GenesisAlloc;
  try {
    alloc = allocOfState(state, preimageOf);
  } catch (error) {
    throw new DevnetError('server', { reason: (error as Error).message });
  }
  const accounts = [...alloc].map(([at, { nonce = 0n, balance, code, storage = new Map() }]) => {
    const slots = [...storage].map(([slot, value]) => [slot, word(value)] as const).sort(byKey);
    const account: DumpedAccount = {
      nonce: Number(nonce),
      balance: toHex(balance),
      code: hex(code ?? new Uint8Array()),
      storage: Object.fromEntries(slots),
    };
    return [at, account] as const;
  });
  return {
    block: null,
    accounts: Object.fromEntries(accounts.sort(byKey)),
    best_block_number: null,
    blocks: [],
    transactions: [],
    historical_states: null,
  };
}

function byKey(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1;
}

/** The file as `anvil_dumpState` answers it: gzip over JSON. */
export function compressDump(dump: StateDump): Promise<Uint8Array> {
  return promisify(gzip)(JSON.stringify(dump));
}

/** A dump, as much of it as is loaded. */
interface LoadedState {
  readonly accounts: readonly (readonly [
    Address,
    {
      readonly nonce: bigint;
      readonly balance: bigint;
      readonly code: Uint8Array;
      readonly storage: readonly (readonly [Uint8Array, Uint8Array])[];
    },
  ])[];
  readonly block?: { readonly timestamp: bigint };
}

const accountRecord = object('an account', {
  nonce: withDefault(uint64, 0n),
  balance: withDefault(quantity, 0n),
  code: withDefault(data, new Uint8Array()),
  storage: withDefault(record('an object of slots and values', slot, slot), []),
});

const stateFile: Codec<LoadedState> = object("a state in anvil's format", {
  accounts: record('an object of accounts', address, accountRecord),
  block: optional(object('a block', { timestamp: uint64 })),
});

/**
 * Puts the accounts of a dump into the chain's state, as a dev write. Chain time goes on from the dump's where that is
 * later; blocks and transactions of the dump are not taken over.
 * @param bytes JSON, gzipped or not
 * @throws DevnetError -32602
 */
export async function loadState(
  { controls }: Pick<RpcContext, 'controls'>,
  bytes: Uint8Array,
): Promise<void> {
  const state = parseDump(bytes);
  const { block } = state;
  const moveTime = (settings: Settings) =>
    settings.moveTime((time) => {
      const ms = Number(block!.timestamp) * 1000;
      if (ms > time.now()) time.setAt(ms);
    });
  await controls.patch(loadedAccounts(state), block && moveTime);
}

function parseDump(bytes: Uint8Array): LoadedState {
  let json: unknown;
  try {
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    json = JSON.parse(new TextDecoder().decode(isGzip ? gunzipSync(bytes) : bytes));
  } catch {
    throw new DevnetError('invalidParams', { reason: 'the state is neither JSON nor gzipped JSON' });
  }
  return stateFile.decode(json, 'state');
}

/** Puts the accounts into the state; others stay, and so do slots that the dump doesn't name. */
function loadedAccounts({ accounts }: LoadedState): DevWrite {
  return async (state) => {
    for (const [at, { nonce, balance, code, storage }] of accounts) {
      const before = (await state.getAccount(at)) ?? NEW_ACCOUNT;
      state.setAccount(at, { ...before, nonce, balance });
      await state.setCode(at, code);
      for (const [key, value] of storage) state.setStorage(at, key, value);
    }
  };
}
