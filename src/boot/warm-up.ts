import { createAddressFromString, hexToBytes } from '@ethereumjs/util';
import { withState } from '../chain/block.ts';
import type { Chain } from '../chain/chain.ts';
import type { BlockStore } from '../chain/store/block-store.ts';
import type { Clock } from '../clock.ts';
import type { Engine } from '../engine/engine.ts';
import type { Simulator } from '../execution/simulate/simulator.ts';
import { inIdleTime } from '../process/idle-time.ts';
import { EMPTY_ROOT } from '../state/account.ts';
import { builtinAlloc, genesisWrites } from '../state/genesis.ts';
import { MemorySource } from '../state/node-cache.ts';
import { Overlay } from '../state/overlay.ts';
import { TrieState } from '../state/trie-state.ts';

const SENDER = createAddressFromString('0x00000000000000000000000000000000000000aa');
const CONTRACT = createAddressFromString('0x00000000000000000000000000000000000000cc');
/** Increments slot 0, hashes and logs it: uses storage, memory, keccak and a log, like a token transfer. */
const CODE = hexToBytes('0x60005460010180600055600052602060002060206000a100');
/** Number of simulations; each has few calls, because a node that stops waits for the running simulation. */
const SIMULATIONS = 32;
const CALLS = 10;

/**
 * Compiles the core and prepares memory, so that the first blocks and calls don't have to wait for that.
 * @param stop ends it early
 */
export async function prepare(
  { engine, store, wall }: { engine: Engine; store: BlockStore; wall: Clock },
  stop: AbortSignal,
): Promise<void> {
  engine.prepare();
  await inIdleTime(() => store.prepare(), { wall }, stop);
}

/**
 * Runs the code of a tick on a temporary state until the JavaScript engine has compiled it: the first tick with 40
 * transactions takes 50 ms without this, and 20 ms with it. Lets other work run in between.
 * @param stop ends it early
 */
export async function warmUp(chain: Chain, simulator: Simulator, stop: AbortSignal): Promise<void> {
  const { latest } = chain;
  const calls = Array.from({ length: CALLS }, (_, i) => ({
    from: SENDER,
    to: i % 2 === 0 ? CONTRACT : SENDER,
    gas: 60_000n,
  }));
  // A separate state, because the state of a forked chain would have to be fetched.
  const alloc = builtinAlloc({ accounts: [], balance: 0n, builders: true });
  const state = TrieState.at(new MemorySource(), EMPTY_ROOT).fold(genesisWrites(alloc));
  const view = withState(latest, state);
  const stateOverrides = new Map([[CONTRACT.toString(), { code: CODE }]]);
  for (let i = 0; i < SIMULATIONS; i++) {
    if (stop.aborted) return;
    await simulator.simulate(view, {
      blockStateCalls: [{ calls, stateOverrides }],
      traceTransfers: false,
      validation: false,
      returnFullTransactions: false,
    });
  }
  const writes = new Overlay(state);
  for (let i = 0; i < 200; i++) {
    const address = createAddressFromString(`0x${i.toString(16).padStart(40, '0')}`);
    writes.setAccount(address, { nonce: 1n, balance: BigInt(i), codeHash: new Uint8Array(32) });
  }
  void state.fold(writes.writes()).root;
}
