import { crc32 } from 'node:zlib';
import { concatBytes } from '@ethereumjs/util';
import type { Block, Header } from '../../chain/block.ts';
import { DEPOSIT_CONTRACT } from '../../protocol/genesis-config.ts';
import type { Hardfork, HardforkSchedule } from '../../protocol/hardfork.ts';
import {
  BEACON_ROOTS,
  BLOCK_HASHES,
  BUILDER_DEPOSITS,
  BUILDER_EXITS,
  CONSOLIDATION_REQUESTS,
  WITHDRAWAL_REQUESTS,
} from '../../state/genesis-code.ts';
import { integerWord } from '../../state/integers.ts';
import { type Hex, hex, quantity } from '../codec/hex.ts';

const always = () => true;
const byzantium = (fork: Hardfork) => fork.atLeast('byzantium');
const bls = (fork: Hardfork) => fork.has(2537);
/** Name and address of each precompile, and whether a hardfork has it. */
const PRECOMPILES: readonly (readonly [string, number, (fork: Hardfork) => boolean])[] = [
  ['ECREC', 0x01, always],
  ['SHA256', 0x02, always],
  ['RIPEMD160', 0x03, always],
  ['ID', 0x04, always],
  ['MODEXP', 0x05, byzantium],
  ['BN254_ADD', 0x06, byzantium],
  ['BN254_MUL', 0x07, byzantium],
  ['BN254_PAIRING', 0x08, byzantium],
  ['BLAKE2F', 0x09, (fork) => fork.atLeast('istanbul')],
  ['KZG_POINT_EVALUATION', 0x0a, (fork) => fork.has(4844)],
  ['BLS12_G1ADD', 0x0b, bls],
  ['BLS12_G1MSM', 0x0c, bls],
  ['BLS12_G2ADD', 0x0d, bls],
  ['BLS12_G2MSM', 0x0e, bls],
  ['BLS12_PAIRING_CHECK', 0x0f, bls],
  ['BLS12_MAP_FP_TO_G1', 0x10, bls],
  ['BLS12_MAP_FP2_TO_G2', 0x11, bls],
  ['P256VERIFY', 0x100, (fork) => fork.has(7951) || fork.rollup !== undefined],
];

/** `eth_config` (EIP-7910): the configurations of the fork active at `head`, of the next one, and of the last scheduled one. */
export function forkConfigs(
  schedule: HardforkSchedule,
  genesis: Pick<Block, 'hash' | 'header'>,
  head: Header,
) {
  const times = schedule.boundaries?.times ?? [];
  const current = times.findLast((time) => time <= head.timestamp) ?? 0n;
  const next = times.find((time) => time > head.timestamp);
  const last = next === undefined ? undefined : times.at(-1);
  const config = (time: bigint) => {
    const fork = schedule.at(head.number, time > head.timestamp ? time : head.timestamp);
    return {
      // seconds; 0 for a fork that is active since the genesis block
      activationTime: Number(time > genesis.header.timestamp ? time : 0n),
      // `max` and `target` in blobs per block
      blobSchedule: fork.blobs
        ? {
            baseFeeUpdateFraction: Number(fork.blobs.updateFraction),
            max: Number(fork.blobs.max / fork.param('blobGasPerBlob')),
            target: Number(fork.blobs.target / fork.param('blobGasPerBlob')),
          }
        : null,
      chainId: quantity(schedule.chainId),
      forkId: forkId(schedule, genesis, time),
      precompiles: Object.fromEntries(
        PRECOMPILES.filter(([, , holds]) => holds(fork)).map(([name, at]) => [name, addressOf(at)]),
      ),
      systemContracts: systemContracts(fork, schedule),
    };
  };
  return {
    current: config(current),
    next: next === undefined ? null : config(next),
    last: last === undefined ? null : config(last),
  };
}

function systemContracts(fork: Hardfork, { depositContract }: HardforkSchedule): Record<string, Hex> {
  return {
    ...(fork.has(4788) && { BEACON_ROOTS_ADDRESS: BEACON_ROOTS.address }),
    ...(fork.has(8282) && {
      BUILDER_DEPOSIT_CONTRACT_ADDRESS: BUILDER_DEPOSITS.address,
      BUILDER_EXIT_CONTRACT_ADDRESS: BUILDER_EXITS.address,
    }),
    ...(fork.has(7251) && { CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS: CONSOLIDATION_REQUESTS.address }),
    ...(fork.has(6110) && {
      DEPOSIT_CONTRACT_ADDRESS: depositContract ? hex(depositContract) : DEPOSIT_CONTRACT,
    }),
    ...(fork.has(2935) && { HISTORY_STORAGE_ADDRESS: BLOCK_HASHES.address }),
    ...(fork.has(7002) && { WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS: WITHDRAWAL_REQUESTS.address }),
  };
}

/** EIP-2124: CRC-32 over the genesis hash, then the block numbers, then the times at which forks started. */
function forkId(schedule: HardforkSchedule, genesis: Pick<Block, 'hash' | 'header'>, until: bigint): Hex {
  const { blocks = [], times = [] } = schedule.boundaries ?? {};
  const passed = [
    ...blocks.filter((block) => block > 0n),
    ...times.filter((time) => time > genesis.header.timestamp && time <= until),
  ];
  const words = passed.map((at) => integerWord(at, 8));
  return hex(integerWord(BigInt(crc32(concatBytes(genesis.hash, ...words))), 4));
}

function addressOf(number: number): Hex {
  return `0x${number.toString(16).padStart(40, '0')}`;
}
