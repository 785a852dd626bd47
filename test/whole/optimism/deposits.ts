import { serializeTransaction } from 'viem/op-stack';
import type { DevnetOptions } from '../../../src/index.ts';
import { liveNode } from '../../live-node.ts';

/** Accounts that have nothing in the genesis block. */
export const POOR = '0x00000000000000000000000000000000000000aa';
export const BOB = '0x0000000000000000000000000000000000000b0b';
/** reverts with a word of zeros */
export const REVERTING = '0x00000000000000000000000000000000000000cc';
export const VAULTS = {
  baseFee: '0x4200000000000000000000000000000000000019',
  l1Fee: '0x420000000000000000000000000000000000001a',
  operatorFee: '0x420000000000000000000000000000000000001b',
} as const;

type Hex = `0x${string}`;
export interface DepositRequest {
  readonly from?: Hex;
  /** null = create */
  readonly to?: Hex | null;
  readonly mint?: bigint;
  readonly value?: bigint;
  readonly gas?: bigint;
  readonly isSystemTx?: boolean;
  readonly data?: Hex;
  readonly source?: number;
}

let sources = 0;

/** A deposit's bytes as viem makes them, each with a source of its own. */
export function rawDeposit({ to = BOB, source = ++sources, ...fields }: DepositRequest = {}): Hex {
  return serializeTransaction({
    type: 'deposit',
    from: POOR,
    gas: 100_000n,
    isSystemTx: false,
    ...fields,
    sourceHash: `0x${source.toString(16).padStart(64, '0')}`,
    ...(to && { to }),
  });
}

/** A chain with deposits and nothing else of the OP Stack, on a clock that stands still. */
export async function optimismNode(options: DevnetOptions = {}) {
  const live = await liveNode({ optimism: true, depositsOnly: options.optimism ?? true, ...options });
  const { call } = live;
  return {
    ...live,
    deposit: (request?: DepositRequest): Promise<Hex> => call('eth_sendRawTransaction', rawDeposit(request)),
    receipt: (hash: string) => call('eth_getTransactionReceipt', hash),
    balance: async (of: string, at = 'latest') => BigInt(await call('eth_getBalance', of, at)),
    nonce: async (of: string, at = 'latest') => Number(await call('eth_getTransactionCount', of, at)),
  };
}
