import { bytesToHex } from '@ethereumjs/util';
import type { GenesisAccount, GenesisAlloc } from './genesis.ts';
import { integerBytes, integerWord } from './integers.ts';
import { type OpStackContract, opStackCode } from './op-stack-code.ts';

/** Contracts that OP chains have from their genesis block on (specs.optimism.io/protocol/predeploys.html). */
export const PREDEPLOYS = {
  legacyMessagePasser: '0x4200000000000000000000000000000000000000',
  deployerWhitelist: '0x4200000000000000000000000000000000000002',
  weth9: '0x4200000000000000000000000000000000000006',
  messenger: '0x4200000000000000000000000000000000000007',
  gasPriceOracle: '0x420000000000000000000000000000000000000f',
  standardBridge: '0x4200000000000000000000000000000000000010',
  sequencerFeeVault: '0x4200000000000000000000000000000000000011',
  mintableTokenFactory: '0x4200000000000000000000000000000000000012',
  l1BlockNumber: '0x4200000000000000000000000000000000000013',
  erc721Bridge: '0x4200000000000000000000000000000000000014',
  l1Block: '0x4200000000000000000000000000000000000015',
  messagePasser: '0x4200000000000000000000000000000000000016',
  mintableErc721Factory: '0x4200000000000000000000000000000000000017',
  proxyAdmin: '0x4200000000000000000000000000000000000018',
  baseFeeVault: '0x4200000000000000000000000000000000000019',
  l1FeeVault: '0x420000000000000000000000000000000000001a',
  operatorFeeVault: '0x420000000000000000000000000000000000001b',
  schemaRegistry: '0x4200000000000000000000000000000000000020',
  eas: '0x4200000000000000000000000000000000000021',
} as const;

type Slots = readonly (readonly [slot: number | bigint, value: bigint])[];

interface Predeploy {
  readonly code: OpStackContract;
  /** storage at the address that apps call */
  readonly slots?: Slots;
  /** storage of the implementation behind the proxy: initialized too, so that no other account can initialize it */
  readonly implementationSlots?: Slots;
}

/** L1 counterparts of the contracts here. These are Base's addresses; there is no L1. */
const L1_MESSENGER = 0x866e82a600a1414e583f7f13623f1ac5d58b0afan;
const L1_BRIDGE = 0x3154cf16ccdb4c6d922629664174b904d80f2c35n;
const L1_ERC721_BRIDGE = 0x608d94945a64503e642e6370ec598e519a2c1e53n;
/** `xDomainMsgSender` while no message from L1 is relayed */
const NO_SENDER = 0xdeadn;
/** Owner of ProxyAdmin, which may replace the implementations: the first account of devnet's default mnemonic. */
const OWNER = 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266n;
/** EIP-1967. */
const IMPLEMENTATION_SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbcn;
const ADMIN_SLOT = 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103n;
/** The implementation behind 0x4200...abcd is at 0xc0d3...abcd. */
const IMPLEMENTATIONS = 0xc0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d30000n;

const MESSENGER = BigInt(PREDEPLOYS.messenger);

/**
 * L1 fee parameters, by slot of the L1Block contract: base fee 1 gwei per gas, blob base fee 1 wei per blob gas, Base's scalars for
 * both, no operator fee, and a data footprint of 400 gas per byte, Jovian's default.
 */
const L1_VALUES: Slots = [
  [1, 10n ** 9n],
  [3, (2_269n << 96n) | (1_055_762n << 64n)],
  [7, 1n],
  [8, 400n << 96n],
];

/** For contracts with an `initialize` function, the storage after that call: the flag and the values that it sets. */
const CONTRACTS: Readonly<Record<keyof typeof PREDEPLOYS, Predeploy>> = {
  legacyMessagePasser: { code: 'LegacyMessagePasser' },
  deployerWhitelist: { code: 'DeployerWhitelist' },
  weth9: { code: 'WETH9' },
  messenger: {
    code: 'L2CrossDomainMessenger',
    slots: [
      [0, 1n << 160n],
      [204, NO_SENDER],
      [207, L1_MESSENGER],
    ],
    implementationSlots: [
      [0, 1n << 160n],
      [204, NO_SENDER],
    ],
  },
  gasPriceOracle: { code: 'GasPriceOracle' },
  standardBridge: {
    code: 'L2StandardBridge',
    slots: [
      [0, 1n],
      [3, MESSENGER],
      [4, L1_BRIDGE],
    ],
    implementationSlots: [
      [0, 1n],
      [3, MESSENGER],
    ],
  },
  sequencerFeeVault: { code: 'FeeVault' },
  mintableTokenFactory: {
    code: 'OptimismMintableERC20Factory',
    slots: [
      [0, 1n],
      [1, BigInt(PREDEPLOYS.standardBridge)],
    ],
    implementationSlots: [[0, 1n]],
  },
  l1BlockNumber: { code: 'L1BlockNumber' },
  erc721Bridge: {
    code: 'L2ERC721Bridge',
    slots: [
      [0, 1n],
      [1, MESSENGER],
      [2, L1_ERC721_BRIDGE],
    ],
    implementationSlots: [
      [0, 1n],
      [1, MESSENGER],
    ],
  },
  l1Block: { code: 'L1Block', slots: L1_VALUES },
  messagePasser: { code: 'L2ToL1MessagePasser' },
  mintableErc721Factory: { code: 'OptimismMintableERC721Factory' },
  proxyAdmin: { code: 'ProxyAdmin', slots: [[0, OWNER]], implementationSlots: [[0, OWNER]] },
  baseFeeVault: { code: 'FeeVault' },
  l1FeeVault: { code: 'FeeVault' },
  operatorFeeVault: { code: 'FeeVault' },
  schemaRegistry: { code: 'SchemaRegistry' },
  eas: { code: 'EAS' },
};

/** The contracts of the `bare` option, which are deployed without proxies. */
const BARE = [
  'weth9',
  'messenger',
  'gasPriceOracle',
  'standardBridge',
  'sequencerFeeVault',
  'mintableTokenFactory',
  'l1BlockNumber',
  'l1Block',
  'messagePasser',
  'baseFeeVault',
  'l1FeeVault',
  'operatorFeeVault',
] as const;

/** Address of the implementation of a predeployed contract. @param address `0x4200...` */
export function implementationOf(address: string): string {
  return bytesToHex(integerWord(IMPLEMENTATIONS | (BigInt(address) & 0xffffn), 20));
}

/**
 * The predeployed contracts as in the OP Stack's own genesis (L2Genesis.s.sol): all except WETH9 behind proxies, with account
 * nonces 0.
 */
export function predeployAlloc(): GenesisAlloc {
  const alloc = new Map<string, GenesisAccount>();
  for (const [name, { code, slots = [], implementationSlots = [] }] of Object.entries(CONTRACTS)) {
    const address = PREDEPLOYS[name as keyof typeof PREDEPLOYS];
    if (name === 'weth9') {
      alloc.set(address, contract(code, slots));
      continue;
    }
    const implementation = implementationOf(address);
    const pointers: Slots = [
      [IMPLEMENTATION_SLOT, BigInt(implementation)],
      [ADMIN_SLOT, BigInt(PREDEPLOYS.proxyAdmin)],
    ];
    alloc.set(address, contract('Proxy', [...slots, ...pointers]));
    alloc.set(implementation, contract(code, implementationSlots));
  }
  return alloc;
}

/** The predeployed contracts without proxies: their code is at the address that apps call. */
export function barePredeployAlloc(): GenesisAlloc {
  return new Map(
    BARE.map((name) => {
      const { code, slots = [] } = CONTRACTS[name];
      return [PREDEPLOYS[name], { ...contract(code, slots), nonce: 1n }];
    }),
  );
}

function contract(code: OpStackContract, slots: Slots): GenesisAccount {
  return {
    balance: 0n,
    code: opStackCode(code),
    storage: new Map(
      slots.map(([slot, value]) => [bytesToHex(integerWord(BigInt(slot))), integerBytes(value)]),
    ),
  };
}
