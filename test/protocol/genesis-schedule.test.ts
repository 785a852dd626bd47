import { beforeAll, describe, expect, it } from 'vitest';
import { type Crypto, chooseCrypto } from '../../src/protocol/crypto.ts';
import { scheduleOf } from '../../src/protocol/genesis-schedule.ts';

let crypto: Crypto;
beforeAll(async () => {
  crypto = await chooseCrypto();
});

const BLOCKS = {
  homesteadBlock: 0,
  eip150Block: 3,
  eip155Block: 6,
  eip158Block: 6,
  byzantiumBlock: 9,
  constantinopleBlock: 12,
  petersburgBlock: 15,
  istanbulBlock: 18,
  muirGlacierBlock: 21,
  berlinBlock: 24,
  londonBlock: 27,
  arrowGlacierBlock: 30,
  grayGlacierBlock: 33,
};
const TIMES = {
  shanghaiTime: 390,
  cancunTime: 420,
  pragueTime: 450,
  osakaTime: 480,
  bpo1Time: 510,
  bpo2Time: 540,
  bpo3Time: 570,
  bpo4Time: 600,
  bpo5Time: 630,
};
const schedule = (config: Record<string, unknown> = {}) =>
  scheduleOf(
    {
      chainId: 7,
      ...BLOCKS,
      ...TIMES,
      mergeNetsplitBlock: 36,
      terminalTotalDifficulty: 4_732_352,
      ...config,
    },
    crypto,
  );
const name = (config: Record<string, unknown>, ...at: [bigint, bigint, bigint?]) =>
  schedule(config).at(...at).name;

describe('forks of a genesis file', () => {
  it.each([
    [0n, 0n, 'homestead'],
    [3n, 30n, 'tangerineWhistle'],
    [6n, 60n, 'spuriousDragon'],
    [9n, 90n, 'byzantium'],
    [14n, 140n, 'constantinople'],
    [15n, 150n, 'petersburg'],
    [20n, 200n, 'istanbul'],
    [23n, 230n, 'muirGlacier'],
    [24n, 240n, 'berlin'],
    [27n, 270n, 'london'],
    [35n, 350n, 'grayGlacier'],
    [36n, 360n, 'paris'],
    [39n, 389n, 'paris'],
    [39n, 390n, 'shanghai'],
    [54n, 425n, 'cancun'],
    [54n, 479n, 'prague'],
    [54n, 480n, 'osaka'],
    [54n, 510n, 'bpo1'],
    [54n, 540n, 'bpo2'],
    [54n, 570n, 'bpo3'],
    [54n, 600n, 'bpo4'],
    [54n, 10_000n, 'bpo5'],
  ])('block %s at %s s is %s', (number, time, fork) => {
    expect(name({}, number, time)).toBe(fork);
  });

  it('the merge goes by difficulty where its block is not named', () => {
    const config = { mergeNetsplitBlock: undefined };
    expect(name(config, 40n, 400n, 1n)).toBe('grayGlacier');
    expect(name(config, 40n, 380n, 0n)).toBe('paris');
    expect(name(config, 40n, 400n, 0n)).toBe('shanghai');
    expect(name(config, 40n, 400n)).toBe('shanghai');
    expect(schedule(config).mergeBlock).toBeUndefined();
    expect(schedule({ ...config, terminalTotalDifficulty: 0 }).mergeBlock).toBe(0n);
  });

  it('a chain without a merge stays at proof of work', () => {
    const config = { chainId: 7, ...BLOCKS };
    expect(scheduleOf(config, crypto).at(100n, 10_000n, 0n).name).toBe('grayGlacier');
  });

  it('Petersburg comes with Constantinople unless it says otherwise', () => {
    expect(name({ petersburgBlock: null }, 12n, 0n)).toBe('petersburg');
  });

  it('one fork is one object, so that engines are reused', () => {
    const forks = schedule();
    expect(forks.at(54n, 480n)).toBe(forks.at(55n, 481n));
  });

  it('a hardfork without a blob schedule takes over that of the one before it which the chain has', () => {
    const of = (blobs: number) => ({ target: blobs, max: blobs, baseFeeUpdateFraction: 3 });
    const blobSchedule = { bpo2: of(5), bpo3: of(7) };
    const times = { bpo2Time: 600, bpo3Time: null, bpo4Time: null, bpo5Time: null, amsterdamTime: 700 };
    const at = (more: object) => schedule({ blobSchedule, ...times, ...more }).at(54n, 700n);
    expect(at({}).name).toBe('amsterdam');
    expect(at({}).blobs?.max).toBe(5n << 17n);
    expect(at({ bpo3Time: 650 }).blobs?.max).toBe(7n << 17n);
    expect(at({ bpo5Time: 700, amsterdamTime: null }).blobs?.max).toBe(5n << 17n);
  });

  it('blob schedules are those of the file, else those of the fork before, else the mainnet’s', () => {
    const blobSchedule = { prague: { target: 1, max: 2, baseFeeUpdateFraction: 3 } };
    const { blobs } = schedule({ blobSchedule }).at(54n, 450n);
    expect(blobs).toEqual({ target: 1n << 17n, max: 2n << 17n, updateFraction: 3n });
    expect(schedule({ blobSchedule }).at(54n, 480n).blobs).toEqual(blobs);
    expect(schedule({ blobSchedule }).at(54n, 420n).blobs?.max).toBe(6n << 17n);
    expect(schedule().at(54n, 540n).blobs).toEqual({
      target: 14n << 17n,
      max: 21n << 17n,
      updateFraction: 11_684_671n,
    });
  });

  it('blob forks after those of mainnet have a schedule of their own, or that of the fork before', () => {
    const bpo3 = { target: 24, max: 36, baseFeeUpdateFraction: 7 };
    const forks = schedule({ blobSchedule: { bpo3 } });
    const blobs = { target: 24n << 17n, max: 36n << 17n, updateFraction: 7n };
    for (const time of [570n, 600n, 630n]) expect(forks.at(54n, time).blobs).toEqual(blobs);
    expect(forks.at(54n, 569n).blobs?.max).toBe(21n << 17n);
    expect(schedule().at(54n, 570n).blobs).toEqual({
      target: 21n << 17n,
      max: 32n << 17n,
      updateFraction: 20_609_697n,
    });
    expect(schedule().at(54n, 630n).blobs?.updateFraction).toBe(13_739_630n);
    // Their EVM is Osaka's.
    expect(schedule().at(54n, 630n).has(7939)).toBe(true);
    expect(schedule().at(54n, 630n).has(7928)).toBe(false);
  });

  it('takes numbers as geth writes them', () => {
    expect(name({ pragueTime: '0x1c2', osakaTime: '480' }, 54n, 450n)).toBe('prague');
    expect(schedule({ terminalTotalDifficulty: 58_750_000_000_000_000_000_000 }).chainId).toBe(7n);
  });

  it.each([
    [{ chainId: undefined }, /config\.chainId/],
    [{ londonBlock: 1 }, /config\.londonBlock/],
    [{ pragueTime: 1 }, /config\.pragueTime/],
    [{ pragueTime: 'soon' }, /config\.pragueTime/],
    [{ bogotaTime: 600 }, /config\.bogotaTime/],
    [{ daoForkBlock: 'soon', daoForkSupport: true }, /config\.daoForkBlock/],
    [{ blobSchedule: { cancun: { target: 3 } } }, /config\.blobSchedule\.cancun\.max/],
    [{ depositContractAddress: '0x12' }, /config\.depositContractAddress/],
  ])('%o is refused by name', (config, field) => {
    expect(() => schedule(config)).toThrow(field);
  });
});
