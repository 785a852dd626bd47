import { Address, equalsBytes, hexToBytes } from '@ethereumjs/util';
import { BEACON_ROOTS, BLOCK_HASHES, type GenesisContract } from '../state/genesis-code.ts';
import { integerBytes, integerWord } from '../state/integers.ts';
import { keccak256 } from '../state/keccak.ts';
import type { Overlay } from '../state/overlay.ts';
import { type Awaitable, andThen } from '../state/view.ts';
import type { Engine } from './engine.ts';
import type { BlockEnv } from './types.ts';

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

/** A contract of an EIP, with keccak256 of the code given there. */
export interface SystemContract {
  readonly address: Address;
  readonly codeHash: Uint8Array;
}

export function systemContract({ address, code }: GenesisContract): SystemContract {
  return { address: new Address(hexToBytes(address)), codeHash: keccak256(hexToBytes(code)) };
}

/** A contract that is called at a block's start. */
interface StartContract extends SystemContract {
  readonly eip: number;
  /** call data; absent = the contract isn't called */
  data(start: BlockStart): Uint8Array | undefined;
  /** the slots that the EIP's code then writes */
  slots(start: BlockStart): readonly (readonly [slot: bigint, value: Uint8Array])[];
}

const CONTRACTS: readonly StartContract[] = [
  {
    eip: 4788,
    ...systemContract(BEACON_ROOTS),
    data: ({ beaconRoot }) => beaconRoot,
    slots: ({ timestamp, beaconRoot }) => [
      [timestamp % RING, integerBytes(timestamp)],
      [(timestamp % RING) + RING, beaconRoot!],
    ],
  },
  {
    eip: 2935,
    ...systemContract(BLOCK_HASHES),
    data: ({ parent }) => parent.hash,
    slots: ({ parent }) => [[parent.number % RING, parent.hash]],
  },
];

/**
 * Writes the beacon root (EIP-4788) and the parent's hash (EIP-2935) to their contracts, before the first transaction
 * of a block. When a contract has the code of the EIP, the slots are written directly, with the same result as
 * running it; any other code at the address is called as the EIP says.
 */
export function writeSystemState(
  parent: { hash: Uint8Array; number: bigint },
  parentBeaconBlockRoot: Uint8Array | undefined,
  env: BlockEnv,
  state: Overlay,
  engine: Pick<Engine, 'hardforkOf' | 'systemCall'>,
): Awaitable<void> {
  const hardfork = engine.hardforkOf(env);
  const start = { parent, beaconRoot: parentBeaconBlockRoot, timestamp: env.timestamp };
  const write = (contract: StartContract): Awaitable<void> => {
    const data = hardfork.has(contract.eip) ? contract.data(start) : undefined;
    if (!data) return;
    const { address } = contract;
    return andThen(state.getAccount(address), (account): Awaitable<void> => {
      if (!account) return;
      if (!equalsBytes(account.codeHash, contract.codeHash))
        return andThen(state.getCode(address), (code) =>
          code.length > 0 ? engine.systemCall(address, data, env, state).then(() => {}) : undefined,
        );
      for (const [slot, value] of contract.slots(start)) state.setStorage(address, integerWord(slot), value);
    });
  };
  return CONTRACTS.reduce<Awaitable<void>>(
    (written, contract) => andThen(written, () => write(contract)),
    undefined,
  );
}
