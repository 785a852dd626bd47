import { expect, it } from 'vitest';
import { keysIn } from '../../src/explorer/data/account-file.ts';

const [address, key] = [`0x${'Ab'.repeat(20)}`, `0x${'12'.repeat(32)}`];

it('keys are found in a file of accounts, and in no other', () => {
  expect(keysIn(JSON.stringify({ available_accounts: [address], private_keys: [key] }))).toEqual({
    [address.toLowerCase()]: key,
  });
  for (const other of [
    'no JSON',
    'null',
    '{"abi":[]}',
    JSON.stringify({ available_accounts: [address], private_keys: [] }),
    JSON.stringify({ available_accounts: [address], private_keys: ['0x12'] }),
    JSON.stringify({ available_accounts: [7], private_keys: [key] }),
  ])
    expect(keysIn(other), other).toBeUndefined();
});
