import { Address, createAddressFromString } from '@ethereumjs/util';
import type { Compat } from '../rpc/compat/shapes.ts';

/** What a node begins with where nothing is said. */
interface Defaults {
  readonly accounts: number;
  /** of a block */
  readonly gasLimit: bigint;
  readonly coinbase: Address;
  /** EIP-7825's, on every transaction */
  readonly transactionGasCap: boolean;
  readonly slotsInAnEpoch: number;
  /** Whether the genesis block has them. */
  readonly create2Deployer: boolean;
  readonly multicall3: boolean;
  /** Refuses a nonce that leaves a gap where each send is mined at once. */
  readonly refusesGaps: boolean;
}

/** `hardhat node` of Hardhat 3.18, and of Hardhat 2.28 too; its `safe` and `finalized` are `latest`. */
const HARDHAT: Defaults = {
  accounts: 20,
  gasLimit: 60_000_000n,
  coinbase: createAddressFromString('0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e'),
  transactionGasCap: true,
  slotsInAnEpoch: 0,
  create2Deployer: false,
  multicall3: false,
  refusesGaps: true,
};

export const DEFAULTS: Readonly<Record<Compat, Defaults>> = {
  anvil: {
    accounts: 10,
    gasLimit: 30_000_000n,
    coinbase: new Address(new Uint8Array(20)),
    transactionGasCap: false,
    slotsInAnEpoch: 32,
    create2Deployer: true,
    multicall3: true,
    refusesGaps: false,
  },
  hardhat: HARDHAT,
  hardhat2: HARDHAT,
};
