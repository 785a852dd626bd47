import { rpc, store } from '../app.ts';
import { balanceOf, type Holding, holdingsIn, TRANSFER, TRANSFER_BATCH, TRANSFER_SINGLE } from './tokens.ts';
import type { Hex, Log } from './types.ts';

/** Limit of the tokens whose balances are requested. */
const MAX = 20;
/** Number of blocks whose logs are searched for tokens. */
const SEARCHED = 10_000;

/** The number of the block that is `blocks` before the head. */
export function since(blocks: number): Hex {
  return `0x${Math.max(0, Number(store.sealed.peek().at(-1)?.number ?? 0) - blocks).toString(16)}`;
}

/** The tokens that an address may hold, and, for a token contract, the accounts that may hold its tokens. */
export async function holdingsOf(address: Hex, isContract: boolean): Promise<Holding[]> {
  const word = `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
  const logs = (filter: object) =>
    rpc.call<Log[]>('eth_getLogs', { fromBlock: since(SEARCHED), toBlock: 'pending', ...filter });
  const multi = [TRANSFER_SINGLE, TRANSFER_BATCH];
  const [received, ofMulti, made] = await Promise.all([
    logs({ topics: [TRANSFER, null, word] }),
    logs({ topics: [multi, null, null, word] }),
    isContract ? logs({ address, topics: [[TRANSFER, ...multi]] }) : [],
  ]);
  const place = ({ blockNumber, logIndex }: Log) => 1e6 * Number(blockNumber) + Number(logIndex);
  const inOrder = [...received, ...ofMulti].sort((a, b) => place(a) - place(b));
  const own = holdingsIn(inOrder, Number.POSITIVE_INFINITY).filter(
    ({ holder }) => holder === address.toLowerCase(),
  );
  return [...own.slice(0, MAX), ...holdingsIn(made, MAX)];
}

export interface Held {
  readonly holding: Holding;
  readonly latest: bigint;
  readonly pending: bigint;
}

/** The balances of holdings at `latest` and `pending`, without those that are zero at both. */
export async function balancesOf(holdings: readonly Holding[]): Promise<Held[]> {
  const all = await Promise.all(
    holdings.map(async (holding) => ({
      holding,
      balance: await balanceOf(holding, (data, tag) =>
        rpc.call<Hex>('eth_call', { to: holding.token, data }, tag),
      ),
    })),
  );
  return all.flatMap(({ holding, balance }) =>
    balance && (balance.latest > 0n || balance.pending > 0n) ? [{ holding, ...balance }] : [],
  );
}
