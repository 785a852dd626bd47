import { Address, equalsBytes, hexToBytes } from '@ethereumjs/util';
import type { Engine } from '../evm/engine.ts';
import type { Hardfork } from '../evm/hardfork.ts';
import type { BlockEnv } from '../evm/types.ts';
import { integerBytes, integerWord } from '../state/integers.ts';
import type { Overlay } from '../state/overlay.ts';
import type { SlotWrite } from '../state/storage-run.ts';
import type { StateView } from '../state/view.ts';

/** Slots in the ring buffer of each contract. */
const RING = 8191n;

/** Input of the system calls at the start of a block. */
interface BlockStart {
  readonly parent: { readonly hash: Uint8Array; readonly number: bigint };
  /** absent = EIP-4788's contract isn't called */
  readonly beaconRoot: Uint8Array | undefined;
  /** seconds */
  readonly timestamp: bigint;
}

/** A contract that is called at a block's start. */
interface SystemContract {
  readonly eip: number;
  readonly address: Address;
  /** keccak256 of the code given in the EIP */
  readonly codeHash: Uint8Array;
  /** call data; absent = the contract isn't called */
  data(start: BlockStart): Uint8Array | undefined;
  /** the slots that the EIP's code then writes */
  slots(start: BlockStart): readonly (readonly [slot: bigint, value: Uint8Array])[];
}

const CONTRACTS: readonly SystemContract[] = [
  {
    eip: 4788,
    address: new Address(hexToBytes('0x000f3df6d732807ef1319fb7b8bb8522d0beac02')),
    codeHash: hexToBytes('0xf57acd40259872606d76197ef052f3d35588dadf919ee1f0e3cb9b62d3f4b02c'),
    data: ({ beaconRoot }) => beaconRoot,
    slots: ({ timestamp, beaconRoot }) => [
      [timestamp % RING, integerBytes(timestamp)],
      [(timestamp % RING) + RING, beaconRoot!],
    ],
  },
  {
    eip: 2935,
    address: new Address(hexToBytes('0x0000f90827f1c53a10cb7a02335b175320002935')),
    codeHash: hexToBytes('0x6e49e66782037c0555897870e29fa5e552daf4719552131a0abce779daec0a5d'),
    data: ({ parent }) => parent.hash,
    slots: ({ parent }) => [[parent.number % RING, parent.hash]],
  },
];

/**
 * Writes the beacon root (EIP-4788) and the parent's hash (EIP-2935) to their contracts, before the first transaction
 * of a block. When a contract has the code of the EIP, the slots are written directly, with the same result as
 * running it; any other code at the address is called as the EIP says.
 */
export async function writeSystemState(
  parent: { hash: Uint8Array; number: bigint },
  parentBeaconBlockRoot: Uint8Array | undefined,
  env: BlockEnv,
  state: Overlay,
  engine: Engine,
): Promise<void> {
  const hardfork = engine.hardforkOf(env);
  const start = { parent, beaconRoot: parentBeaconBlockRoot, timestamp: env.timestamp };
  for (const contract of CONTRACTS) {
    const data = hardfork.has(contract.eip) ? contract.data(start) : undefined;
    if (!data) continue;
    const { address } = contract;
    const account = await state.getAccount(address);
    if (!account) continue;
    if (equalsBytes(account.codeHash, contract.codeHash)) {
      for (const [slot, value] of contract.slots(start)) state.setStorage(address, integerWord(slot), value);
    } else if ((await state.getCode(address)).length > 0) {
      await engine.systemCall(address, data, env, state);
    }
  }
}

/**
 * The slots that {@link writeSystemState} writes on a state as long as no contract's code changes; `undefined` when a
 * contract has other code than the EIP's.
 */
export async function systemSlots(
  hardfork: Hardfork,
  state: StateView,
): Promise<((start: BlockStart & { beaconRoot: Uint8Array }) => SlotWrite[]) | undefined> {
  const contracts: SystemContract[] = [];
  for (const contract of CONTRACTS) {
    const account = hardfork.has(contract.eip) ? await state.getAccount(contract.address) : undefined;
    if (!account) continue;
    if (!equalsBytes(account.codeHash, contract.codeHash)) return undefined;
    contracts.push(contract);
  }
  return (start) =>
    contracts.flatMap((contract) =>
      contract
        .slots(start)
        .map(([slot, value]) => ({ address: contract.address, slot: integerWord(slot), value })),
    );
}
