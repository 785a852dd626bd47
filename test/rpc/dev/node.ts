import { createDevnet, type DevnetOptions } from '../../../src/index.ts';
import { callsOf, codeOf } from '../../wire.ts';

export const ALICE = '0x00000000000000000000000000000000000a11ce';
export const TOKEN_HOLDER = '0x0000000000000000000000000000000000000b0b';

/** The modes that dev methods must work in. Time stands still between the calls. */
export const MODES = {
  automine: { automine: true },
  manual: { noMining: true },
  interval: { blockTime: 2, flashblockInterval: 200 },
} as const satisfies Record<string, DevnetOptions>;

export const GENESIS_TIME = 1_700_000_000;

export async function startNode(options: DevnetOptions = MODES.automine) {
  const node = await createDevnet({
    manualClock: true,
    timestamp: GENESIS_TIME,
    ...options,
  } as DevnetOptions & {
    manualClock: true;
  });
  const rpc = callsOf(node);
  const accounts = node.accounts.map(({ address }) => address.toLowerCase());
  return {
    ...node,
    accounts,
    /** the same with their keys */
    keys: node.accounts,
    rpc,
    /** An answer's error code; undefined when there is none. */
    codeOf: (method: string, ...params: unknown[]): Promise<number | undefined> =>
      codeOf(rpc(method, ...params)),
    transfer: (value = '0x1', fields: object = {}): Promise<string> =>
      rpc('eth_sendTransaction', { from: accounts[0], to: ALICE, value, gas: '0x5208', ...fields }),
    /** One partial block, where there are such. */
    tick: () => node.clock.advance(200),
    number: async () => Number(await rpc('eth_blockNumber')),
    block: (tag = 'latest') => rpc('eth_getBlockByNumber', tag, false),
    balance: async (address: string, tag = 'latest') => BigInt(await rpc('eth_getBalance', address, tag)),
  };
}

export type TestNode = Awaited<ReturnType<typeof startNode>>;
