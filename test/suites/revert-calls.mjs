// What anvil.suite.mjs asks of reverts, whose words are the same, and of senders without funds.
import { ALICE, BOB, DEAD } from './parameters.mjs';

const word = (digits) => digits.padStart(64, '0');
const text = `${word('20')}${word('3')}${'776879'.padEnd(64, '0')}`;
/** Reverts with its call data. */
const ECHO = '0x6007' + '8060095f395ff3' + '365f5f37365ffd';
/** With and without arguments, of all lengths, text and none. */
const DATA = [
  ...['0x', '0x01', '0xff', '0xff80ff', '0xff112233', '0x11223344', '0xff112233ff', '0x220266b6'],
  ...[`0xff112233${word('2a')}`, `0x220266b6${word('2a')}${word('ff')}`, '0xff11223368656c6c6f'],
  ...['0x68656c6c6f', `0x${text}`, `0x${word('20')}${word('0')}`, `0x${word('2a')}`],
  ...[
    `0x08c379a0${text}`,
    `0x08c379a0${word('20')}${word('0')}`,
    '0x08c379a0',
    `0x08c379a0${word('20')}${word('60')}`,
  ],
  ...['0', '1', '11', '12', '21', '22', '31', '32', '41', '51', '99'].map(
    (code) => `0x4e487b71${word(code)}`,
  ),
  ...['0x4e487b7111', `0x4e487b71${'ff'.repeat(32)}`],
];

export const REVERT_CALLS = {
  'the words of reverts': async ({ ask, sameError, send }) => {
    const hashes = await send({ from: ALICE, data: ECHO });
    const [, { contractAddress: to }] = await ask('eth_getTransactionReceipt', (node) => hashes[node]);
    for (const data of DATA) {
      await sameError('eth_call', { from: ALICE, to, data }, 'latest');
      await sameError('eth_estimateGas', { from: ALICE, to, data });
    }
    // It is mined, and its hash is the answer.
    await send({ from: ALICE, to, data: '0xff112233' });
  },

  'transfers of senders without funds': async ({ ask, same }) => {
    for (const fields of [{}, { gasPrice: '0x77359400' }])
      await same('eth_estimateGas', { from: DEAD, to: BOB, value: '0xffffffffffffffffffffffff', ...fields });
    await ask('eth_call', { from: DEAD, to: BOB, value: '0xffffffffffffffffffffffff' }, 'latest');
  },
};
