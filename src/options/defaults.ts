import { Address, createAddressFromString } from '@ethereumjs/util';

/** What the two nodes begin with where nothing is said. */
export const DEFAULTS = {
  anvil: {
    accounts: 10,
    gasLimit: 30_000_000n,
    coinbase: new Address(new Uint8Array(20)),
    /** EIP-7825's, on every transaction */
    transactionGasCap: false,
    slotsInAnEpoch: 32,
  },
  // `hardhat node` of Hardhat 3.18; its `safe` and `finalized` are `latest`.
  hardhat: {
    accounts: 20,
    gasLimit: 60_000_000n,
    coinbase: createAddressFromString('0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e'),
    transactionGasCap: true,
    slotsInAnEpoch: 0,
  },
} as const;
