import {
  type Chain,
  createPublicClient,
  createWalletClient,
  defineChain,
  type HttpTransport,
  http,
  type PublicClient,
  type WalletClient,
} from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { KEYS } from './node.ts';

/** Milliseconds that viem waits for an answer, 10,000 by default: too few where the machine is busy with other things. */
export const PATIENT = { timeout: 120_000 } as const;

export interface ViemClients {
  readonly reader: PublicClient<HttpTransport, Chain>;
  readonly wallet: WalletClient<HttpTransport, Chain, PrivateKeyAccount>;
  /** How many requests were answered so far. */
  readonly answers: () => number;
}

/** viem's clients as an app has them. */
export function createViemClients(url: string, preconfirmationTime?: number): ViemClients {
  let answers = 0;
  const chain = defineChain({
    id: 31337,
    name: 'devnet',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
    // Makes viem read at `pending` by default, as it does on Base.
    ...(preconfirmationTime !== undefined && { experimental_preconfirmationTime: preconfirmationTime }),
  });
  const transport = http(url, {
    ...PATIENT,
    retryCount: 0,
    onFetchResponse: () => {
      answers++;
    },
  });
  const timing = { cacheTime: 0, pollingInterval: 20 };
  return {
    reader: createPublicClient({ chain, transport, ...timing }),
    wallet: createWalletClient({ chain, transport, account: privateKeyToAccount(KEYS[0]), ...timing }),
    answers: () => answers,
  };
}
