import type { EVMMockBlockchainInterface } from '@ethereumjs/evm';
import type { BlockEnv } from '../../protocol/types.ts';
import { ZERO_HASH } from '../../state/account.ts';

/** A block environment in the forms that EthereumJS's EVM takes. */
export interface LibraryEnv {
  readonly block: ReturnType<typeof blockOf>;
  readonly blockchain: EVMMockBlockchainInterface;
}

const CACHE = new WeakMap<BlockEnv, LibraryEnv>();

/** Returns the environment in EthereumJS's form, cached for each {@link BlockEnv}: all transactions of a block share one. */
export function libraryEnv(env: BlockEnv): LibraryEnv {
  let cached = CACHE.get(env);
  if (!cached) {
    cached = { block: blockOf(env), blockchain: blockchainOf(env) };
    CACHE.set(env, cached);
  }
  return cached;
}

function blockOf({ baseFeePerGas, blobBaseFee, slotNumber = 0n, blockHash: _, ...header }: BlockEnv) {
  return {
    header: {
      ...header,
      ...(baseFeePerGas !== undefined && { baseFeePerGas }),
      slotNumber,
      getBlobGasPrice: () => blobBaseFee,
    },
  };
}

/** Serves BLOCKHASH. The EVM has checked that the number is one of the 256 before this block. */
function blockchainOf(env: BlockEnv): EVMMockBlockchainInterface {
  return {
    getBlock: async (number: number) => {
      const hash = (await env.blockHash(BigInt(number))) ?? ZERO_HASH;
      return { hash: () => hash };
    },
    putBlock: async () => {},
    shallowCopy() {
      return this;
    },
  };
}
