/**
 * Mainnet's blob schedule by hardfork, in the format of geth's genesis.json (EIP-7840, EIP-7892). BPO3 to BPO5 aren't scheduled on mainnet:
 * they have the values of the test networks in execution-spec-tests.
 */
export const BLOB_SCHEDULE = {
  cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 },
  prague: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
  osaka: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
  bpo1: { target: 10, max: 15, baseFeeUpdateFraction: 8_346_193 },
  bpo2: { target: 14, max: 21, baseFeeUpdateFraction: 11_684_671 },
  bpo3: { target: 21, max: 32, baseFeeUpdateFraction: 20_609_697 },
  bpo4: { target: 14, max: 21, baseFeeUpdateFraction: 13_739_630 },
  bpo5: { target: 14, max: 21, baseFeeUpdateFraction: 13_739_630 },
  // same as BPO2, the preceding hardfork on mainnet
  amsterdam: { target: 14, max: 21, baseFeeUpdateFraction: 11_684_671 },
} as const;
