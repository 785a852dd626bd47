import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@ethereumjs/util';
import type { GenesisAlloc } from './genesis.ts';
import { integerWord } from './integers.ts';
import { keccak256 } from './keccak.ts';
import { type OpStackContract, opStackCode } from './op-stack-code.ts';

const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3';

/**
 * The OP Stack's preinstalls: contracts that apps use on every chain, and that OP Stack chains have in their genesis block
 * (specs.optimism.io/protocol/preinstalls.html). Without Multicall3 and the create2 deployer, which all devnet chains have. Existing
 * OP Stack networks got EntryPointV07 (ERC-4337) later. CreateX is devnet's own implementation of its interface.
 */
export const PREINSTALLS = {
  Permit2: PERMIT2,
  Create2Deployer: '0x13b0d85ccb8bf860b6b79af3029fca081ae9bef2',
  CreateX: '0xba5ed099633d3b313e4d5f7bdc1305d3c28ba5ed',
  SafeSingletonFactory: '0x914d7fec6aac8cd542e72bca78b30650d45643d7',
  Safe: '0x69f4d1788e39c87893c980c06edf4b7f686e2938',
  SafeL2: '0xfb1bffc9d739b8d520daf37df666da4c687191ea',
  MultiSend: '0x998739bfdaadde7c933b942a68053933098f9eda',
  MultiSendCallOnly: '0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b',
  SenderCreatorV06: '0x7fc98430eaedbb6070b35b39d798725049088348',
  EntryPointV06: '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
  SenderCreatorV07: '0xefc2c1444ebcc4db75e7613d20c6a62ff67a167c',
  EntryPointV07: '0x0000000071727de22e5e9d8baf0edac6f37da032',
} as const satisfies Partial<Record<OpStackContract, string>>;

/** Offsets in bytes of the immutable chain id and domain separator in Permit2's code. */
const PERMIT2_CHAIN_ID = 6945;
const PERMIT2_DOMAIN_SEPARATOR = 6983;

/** The preinstalled contracts of a chain. */
export function preinstallAlloc(chainId: bigint): GenesisAlloc {
  return new Map(
    Object.entries(PREINSTALLS).map(([name, address]) => {
      const code = opStackCode(name as OpStackContract);
      if (address === PERMIT2) {
        code.set(integerWord(chainId), PERMIT2_CHAIN_ID);
        code.set(permit2Domain(chainId), PERMIT2_DOMAIN_SEPARATOR);
      }
      return [address, { balance: 0n, nonce: 1n, code }];
    }),
  );
}

/** The EIP-712 domain separator of Permit2. */
function permit2Domain(chainId: bigint): Uint8Array {
  const type = 'EIP712Domain(string name,uint256 chainId,address verifyingContract)';
  return keccak256(
    concatBytes(
      keccak256(utf8ToBytes(type)),
      keccak256(utf8ToBytes('Permit2')),
      integerWord(chainId),
      integerWord(BigInt(bytesToHex(hexToBytes(PERMIT2)))),
    ),
  );
}
