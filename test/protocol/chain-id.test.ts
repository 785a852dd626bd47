import { expect, it } from 'vitest';
import { SettableChainId } from '../../src/protocol/chain-id.ts';
import { chooseCrypto } from '../../src/protocol/crypto.ts';
import { singleHardfork } from '../../src/protocol/hardfork.ts';

const SCHEDULE = {
  ...singleHardfork(1n, 'osaka', await chooseCrypto()),
  boundaries: { blocks: [1n], times: [2n] },
  depositContract: new Uint8Array(20).fill(3),
  optimism: true,
  daoFork: { block: 4n, supported: true },
  mergeBlock: 5n,
};

it('a schedule whose chain id can be changed has all facts of the schedule, the DAO fork among them', () => {
  const { chainId, at, ...facts } = SCHEDULE;
  expect(new SettableChainId(SCHEDULE)).toMatchObject(facts);
});

it('a changed chain id is that of the hardforks, until it is changed back', () => {
  const schedule = new SettableChainId(SCHEDULE);
  const before = schedule.at(0n, 0n);
  schedule.setChainId(7n);
  expect(schedule.chainId).toBe(7n);
  expect(schedule.at(0n, 0n).common.chainId()).toBe(7n);
  expect(schedule.at(0n, 0n)).toBe(schedule.at(1n, 1n));
  schedule.setChainId(1n);
  expect(schedule.at(0n, 0n)).toBe(before);
});
