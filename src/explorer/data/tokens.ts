import type { Hex, Log } from './types.ts';

export type Standard = 'ERC-20' | 'ERC-721' | 'ERC-1155';

/** A token balance that an address may have: an amount of an ERC-20 or of a token of an ERC-1155, or one token of an ERC-721. */
export interface Holding {
  readonly standard: Standard;
  /** address of the token's contract */
  readonly token: Hex;
  /** token id; `undefined` for an ERC-20 */
  readonly id: bigint | undefined;
  readonly holder: Hex;
}

/** Transfer(address,address,uint256) of ERC-20 and ERC-721, whose third argument is indexed in the latter */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** TransferSingle(address,address,address,uint256,uint256) of ERC-1155 */
export const TRANSFER_SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62';
/** TransferBatch(address,address,address,uint256[],uint256[]) of ERC-1155 */
export const TRANSFER_BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb';

const NOBODY = `0x${'0'.repeat(40)}`;

/**
 * The holdings that the parties of transfers may have, the newest first, without duplicates. Logs of other events are ignored.
 * @param logs the oldest first
 * @param most limit of the number of holdings
 */
export function holdingsIn(logs: readonly Log[], most: number): Holding[] {
  const found = new Map<string, Holding>();
  for (const log of [...logs].reverse())
    for (const holding of holdingsOf(log)) {
      if (holding.holder === NOBODY) continue;
      const key = keyOf(holding);
      if (!found.has(key)) found.set(key, holding);
      if (found.size === most) return [...found.values()];
    }
  return [...found.values()];
}

/** A key that is equal for equal holdings. */
export function keyOf({ token, id, holder }: Holding): string {
  return `${token} ${id} ${holder}`;
}

function holdingsOf({ address: token, topics, data }: Log): Holding[] {
  const [kind, first, second, third] = topics;
  const of = (standard: Standard, ids: readonly (bigint | undefined)[], parties: readonly Hex[]): Holding[] =>
    parties.flatMap((party) =>
      ids.map((id) => ({ standard, token, id, holder: `0x${party.slice(26)}` as Hex })),
    );
  if (kind === TRANSFER && topics.length === 3) return of('ERC-20', [undefined], [second!, first!]);
  if (kind === TRANSFER && topics.length === 4) return of('ERC-721', [BigInt(third!)], [second!, first!]);
  if (topics.length !== 4) return [];
  const words = data.slice(2).match(/.{64}/g) ?? [];
  const single = kind === TRANSFER_SINGLE ? words.slice(0, 1) : [];
  const ids = kind === TRANSFER_BATCH ? firstList(words) : single;
  return of(
    'ERC-1155',
    ids.map((word) => BigInt(`0x${word}`)),
    [third!, second!],
  );
}

/** The list to which the first word of ABI-encoded data points; empty if the data is invalid. */
function firstList(words: readonly string[]): readonly string[] {
  const number = (word: string | undefined) => Number(`0x${word ?? '0'}`);
  const at = number(words[0]) / 32;
  return words.slice(at + 1, at + 1 + number(words[at]));
}

type Ask = (data: string, tag: 'latest' | 'pending') => Promise<Hex>;

/**
 * Reads a balance. The balance of an ERC-721's token is 1 for its owner. If the call fails at `latest`, where the contract
 * may not exist yet, the balance there is 0.
 * @param ask calls the token's contract
 * @returns `undefined` if the contract doesn't answer at `pending` as the standard says
 */
export async function balanceOf(
  { standard, id, holder }: Holding,
  ask: Ask,
): Promise<{ latest: bigint; pending: bigint } | undefined> {
  const account = holder.slice(2).toLowerCase().padStart(64, '0');
  const token = (id ?? 0n).toString(16).padStart(64, '0');
  const read = async (tag: 'latest' | 'pending') => {
    if (standard === 'ERC-721') {
      // ownerOf(uint256) fails for a token that was burnt.
      const owner = await ask(`0x6352211e${token}`, tag).catch(() => '');
      return owner.toLowerCase() === `0x${account}` ? 1n : 0n;
    }
    const data = standard === 'ERC-20' ? `0x70a08231${account}` : `0x00fdd58e${account}${token}`;
    const answer = await ask(data, tag).catch(() => '');
    return answer.length === 66 ? BigInt(answer) : undefined;
  };
  const [latest, pending] = await Promise.all([read('latest'), read('pending')]);
  return pending === undefined ? undefined : { latest: latest ?? 0n, pending };
}
