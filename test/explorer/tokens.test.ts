import { describe, expect, it } from 'vitest';
import {
  balanceOf,
  type Holding,
  holdingsIn,
  TRANSFER,
  TRANSFER_BATCH,
  TRANSFER_SINGLE,
} from '../../src/explorer/data/tokens.ts';
import type { Hex, Log } from '../../src/explorer/data/types.ts';

const word = (value: bigint | number): string => BigInt(value).toString(16).padStart(64, '0');
const account = (value: number): Hex => `0x${value.toString(16).padStart(40, '0')}`;
const TOKEN = account(0x70);
const log = (topics: (string | number)[], ...data: (bigint | number)[]): Log => ({
  address: TOKEN,
  topics: topics.map((it) => (typeof it === 'number' ? `0x${word(it)}` : it)) as Hex[],
  data: `0x${data.map(word).join('')}`,
});
const brief = (logs: Log[], most = 100) =>
  holdingsIn(logs, most).map(({ standard, id, holder }) => [standard, id, Number(holder)]);

describe('holdings', () => {
  it('are those of both parties of a transfer, the newest first, each once', () => {
    const logs = [log([TRANSFER, 0, 1], 5), log([TRANSFER, 1, 2], 5), log([TRANSFER, 2, 1], 5)];
    expect(brief(logs)).toEqual([
      ['ERC-20', undefined, 1],
      ['ERC-20', undefined, 2],
    ]);
    expect(brief(logs, 1)).toEqual([['ERC-20', undefined, 1]]);
  });

  it('of an ERC-721 have the id of the fourth topic', () => {
    expect(brief([log([TRANSFER, 1, 2, 77])])).toEqual([
      ['ERC-721', 77n, 2],
      ['ERC-721', 77n, 1],
    ]);
  });

  it('of an ERC-1155 have the ids of one transfer or of a batch', () => {
    expect(brief([log([TRANSFER_SINGLE, 9, 0, 2], 77, 5)])).toEqual([['ERC-1155', 77n, 2]]);
    const batch = log([TRANSFER_BATCH, 9, 0, 2], 64, 160, 2, 77, 78, 2, 5, 6);
    expect(brief([batch])).toEqual([
      ['ERC-1155', 77n, 2],
      ['ERC-1155', 78n, 2],
    ]);
  });

  it('are none where data is not what the standard says', () => {
    for (const data of [[], [1n], [2n ** 255n, 1n], [32n, 2n ** 200n]])
      expect(brief([log([TRANSFER_BATCH, 9, 0, 2], ...data)]), String(data)).toEqual([]);
    expect(brief([log([TRANSFER_SINGLE, 9, 0, 2])])).toEqual([]);
    expect(brief([log(['0x1234', 1, 2, 3], 4)])).toEqual([]);
    expect(brief([log([TRANSFER]), log([])])).toEqual([]);
  });
});

describe('a balance', () => {
  const holding: Holding = { standard: 'ERC-20', token: TOKEN, id: undefined, holder: account(5) };

  it('is what the contract answers at both blocks', async () => {
    const asked: string[] = [];
    const balance = await balanceOf(holding, async (data, tag) => {
      asked.push(data);
      return `0x${word(tag === 'latest' ? 3 : 4)}`;
    });
    expect(balance).toEqual({ latest: 3n, pending: 4n });
    expect(asked[0]).toBe(`0x70a08231${word(5)}`);
  });

  it('is none where the contract answers something else, and 0 where it does not exist yet', async () => {
    expect(await balanceOf(holding, async () => '0x')).toBeUndefined();
    expect(await balanceOf(holding, async (_, tag) => (tag === 'latest' ? '0x' : `0x${word(4)}`))).toEqual({
      latest: 0n,
      pending: 4n,
    });
  });

  it('of an ERC-721 is 1 for the owner of the token, 0 once it was burnt', async () => {
    const ask = async (_: string, tag: string): Promise<Hex> => {
      if (tag === 'pending') throw new Error('execution reverted');
      return `0x${word(5)}`;
    };
    expect(await balanceOf({ ...holding, standard: 'ERC-721', id: 7n }, ask)).toEqual({
      latest: 1n,
      pending: 0n,
    });
  });
});
