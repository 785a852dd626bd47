import { Address, equalsBytes, hexToBytes } from '@ethereumjs/util';
import type { Engine } from '../evm/engine.ts';
import type { BlockEnv } from '../evm/types.ts';
import { integerBytes, integerWord } from '../state/integers.ts';
import type { Overlay } from '../state/overlay.ts';

/** EIP-4788 */
const BEACON_ROOTS = {
  address: new Address(hexToBytes('0x000f3df6d732807ef1319fb7b8bb8522d0beac02')),
  codeHash: hexToBytes('0xf57acd40259872606d76197ef052f3d35588dadf919ee1f0e3cb9b62d3f4b02c'),
};
/** EIP-2935 */
const HISTORY = {
  address: new Address(hexToBytes('0x0000f90827f1c53a10cb7a02335b175320002935')),
  codeHash: hexToBytes('0x6e49e66782037c0555897870e29fa5e552daf4719552131a0abce779daec0a5d'),
};
/** Both contracts keep a ring of this many slots. */
const RING = 8191n;

/**
 * What a block does before its first transaction: the beacon root (EIP-4788) and the parent's hash (EIP-2935) go to
 * their contracts. Where the contract is the one of the EIP the slots are written at once, which is what its code does;
 * any other code at its address is called as the EIPs say.
 */
export async function writeSystemState(
  parent: { hash: Uint8Array; number: bigint },
  parentBeaconBlockRoot: Uint8Array | undefined,
  env: BlockEnv,
  state: Overlay,
  engine: Engine,
): Promise<void> {
  const fork = engine.forkOf(env);
  if (fork.has(4788) && parentBeaconBlockRoot) {
    await callOrWrite(BEACON_ROOTS, parentBeaconBlockRoot, env, state, engine, [
      [env.timestamp % RING, integerBytes(env.timestamp)],
      [(env.timestamp % RING) + RING, parentBeaconBlockRoot],
    ]);
  }
  if (fork.has(2935)) {
    await callOrWrite(HISTORY, parent.hash, env, state, engine, [[parent.number % RING, parent.hash]]);
  }
}

async function callOrWrite(
  contract: { address: Address; codeHash: Uint8Array },
  data: Uint8Array,
  env: BlockEnv,
  state: Overlay,
  engine: Engine,
  slots: readonly (readonly [bigint, Uint8Array])[],
): Promise<void> {
  const account = await state.getAccount(contract.address);
  if (!account) return;
  if (!equalsBytes(account.codeHash, contract.codeHash)) {
    if ((await state.getCode(contract.address)).length > 0)
      await engine.systemCall(contract.address, data, env, state);
    return;
  }
  for (const [slot, value] of slots) {
    state.setStorage(contract.address, integerWord(slot), value);
  }
}
