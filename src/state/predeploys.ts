import { bytesToHex, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import type { GenesisAlloc } from './genesis.ts';
import { integerBytes, integerWord } from './integers.ts';
import { OPTIMISM_CODE, OWN_CODE } from './predeploy-code.ts';

/** Contracts that OP chains have from their genesis block on (specs.optimism.io/protocol/predeploys.html). */
export const PREDEPLOYS = {
  weth9: '0x4200000000000000000000000000000000000006',
  messenger: '0x4200000000000000000000000000000000000007',
  gasPriceOracle: '0x420000000000000000000000000000000000000f',
  standardBridge: '0x4200000000000000000000000000000000000010',
  sequencerFeeVault: '0x4200000000000000000000000000000000000011',
  mintableTokenFactory: '0x4200000000000000000000000000000000000012',
  l1BlockNumber: '0x4200000000000000000000000000000000000013',
  l1Block: '0x4200000000000000000000000000000000000015',
  messagePasser: '0x4200000000000000000000000000000000000016',
  baseFeeVault: '0x4200000000000000000000000000000000000019',
  l1FeeVault: '0x420000000000000000000000000000000000001a',
  operatorFeeVault: '0x420000000000000000000000000000000000001b',
} as const;

type Slots = readonly (readonly [slot: number, value: bigint])[];

/** Messenger and bridge on L1, which the ones here name as their counterparts: Base's. There is no L1 behind them. */
const L1_MESSENGER = '0x866e82a600a1414e583f7f13623f1ac5d58b0afa';
const L1_BRIDGE = '0x3154cf16ccdb4c6d922629664174b904d80f2c35';
/** `xDomainMsgSender` while no message from L1 is relayed */
const NO_SENDER = '0x000000000000000000000000000000000000dead';

/**
 * What L1 is said to cost: 1 gwei per gas, 1 wei per blob gas, Base's scalars of both, no operator fee, and 400 gas per
 * byte for the data footprint, which is Jovian's default. By slot of the L1Block contract.
 */
const L1_VALUES: Slots = [
  [1, 10n ** 9n],
  [3, (2_269n << 96n) | (1_055_762n << 64n)],
  [7, 1n],
  [8, 400n << 96n],
];

/** The predeployed contracts, without proxies: the code stands at the address that apps call. */
export function predeployAlloc(): GenesisAlloc {
  const { L1Block, GasPriceOracle, FeeVault, WETH9 } = OWN_CODE;
  const contracts: [address: string, code: PrefixedHexString, storage?: Slots][] = [
    [PREDEPLOYS.weth9, WETH9],
    [
      PREDEPLOYS.messenger,
      OPTIMISM_CODE.L2CrossDomainMessenger,
      // As after `initialize`: a flag, and what that sets.
      [
        [0, 1n << 160n],
        [204, BigInt(NO_SENDER)],
        [207, BigInt(L1_MESSENGER)],
      ],
    ],
    [PREDEPLOYS.gasPriceOracle, GasPriceOracle],
    [
      PREDEPLOYS.standardBridge,
      OPTIMISM_CODE.L2StandardBridge,
      [
        [0, 1n],
        [3, BigInt(PREDEPLOYS.messenger)],
        [4, BigInt(L1_BRIDGE)],
      ],
    ],
    [PREDEPLOYS.sequencerFeeVault, FeeVault],
    [
      PREDEPLOYS.mintableTokenFactory,
      OPTIMISM_CODE.OptimismMintableERC20Factory,
      [
        [0, 1n],
        [1, BigInt(PREDEPLOYS.standardBridge)],
      ],
    ],
    [PREDEPLOYS.l1BlockNumber, OPTIMISM_CODE.L1BlockNumber],
    [PREDEPLOYS.l1Block, L1Block, L1_VALUES],
    [PREDEPLOYS.messagePasser, OPTIMISM_CODE.L2ToL1MessagePasser],
    [PREDEPLOYS.baseFeeVault, FeeVault],
    [PREDEPLOYS.l1FeeVault, FeeVault],
    [PREDEPLOYS.operatorFeeVault, FeeVault],
  ];
  return new Map(
    contracts.map(([address, code, slots = []]) => [
      address,
      {
        balance: 0n,
        nonce: 1n,
        code: hexToBytes(code),
        storage: new Map(
          slots.map(([slot, value]) => [bytesToHex(integerWord(BigInt(slot))), integerBytes(value)]),
        ),
      },
    ]),
  );
}
