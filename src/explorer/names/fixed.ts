/** Addresses with the same meaning on every chain, in lower case. */
export const FIXED: Readonly<Record<string, string>> = {
  [`0x${'0'.repeat(40)}`]: 'zero address',
  '0xca11bde05977b3631167028862be2a173976ca11': 'Multicall3',
  '0x4e59b44847b379578588920ca78fbf26c0b4956c': 'create2 deployer',
  '0x0000f90827f1c53a10cb7a02335b175320002935': 'block hashes (EIP-2935)',
  '0x000f3df6d732807ef1319fb7b8bb8522d0beac02': 'beacon roots (EIP-4788)',
  '0x00000961ef480eb55e80d19ad83579a64c007002': 'withdrawal requests (EIP-7002)',
  '0x0000bbddc7ce488642fb579f8b00f3a590007251': 'consolidation requests (EIP-7251)',
  '0x000000000000000000636f6e736f6c652e6c6f67': 'console.log',
  '0x4200000000000000000000000000000000000006': 'WETH (OP Stack)',
  '0x4200000000000000000000000000000000000007': 'L2CrossDomainMessenger',
  '0x4200000000000000000000000000000000000010': 'L2StandardBridge',
  '0x4200000000000000000000000000000000000011': 'SequencerFeeVault',
  '0x4200000000000000000000000000000000000015': 'L1Block',
  '0x4200000000000000000000000000000000000019': 'BaseFeeVault',
  '0x420000000000000000000000000000000000001a': 'L1FeeVault',
  '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001': 'L1 attributes depositor',
};

const PRECOMPILES = [
  'ecrecover',
  'sha256',
  'ripemd160',
  'identity',
  'modexp',
  'bn254 add',
  'bn254 mul',
  'bn254 pairing',
  'blake2f',
  'KZG point evaluation',
  'BLS12 G1 add',
  'BLS12 G1 MSM',
  'BLS12 G2 add',
  'BLS12 G2 MSM',
  'BLS12 pairing',
  'BLS12 map to G1',
  'BLS12 map to G2',
];
PRECOMPILES.forEach((name, i) => {
  (FIXED as Record<string, string>)[`0x${(i + 1).toString(16).padStart(40, '0')}`] = name;
});
(FIXED as Record<string, string>)[`0x${(256).toString(16).padStart(40, '0')}`] = 'P-256 verify';
