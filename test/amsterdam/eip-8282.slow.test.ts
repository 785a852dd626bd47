import { createHash } from 'node:crypto';
import { bytesToHex, hexToBytes } from '@ethereumjs/util';
import { expect, it } from 'vitest';
import { keccak256 } from '../../src/state/keccak.ts';
import { hex, onEachEngine, word } from './chain.ts';

const DEPOSITS = '0x0000bff46984e3725691fa540a8c7589300d8282';
const EXITS = '0x000064d678505ad48f8ccb093bc65613800e8282';
/** of the official genesis block */
const CODE_HASHES = [
  '0x1dd29c1e0dbc3ab670d229dbd3438003ec9015c1df9058beeb64ff301b60b98d',
  '0x90a0b24eb190d6c50f00f6f751dc4c2778658abf3631aceb80586c43f8bd9f2f',
];
const GWEI = 10n ** 9n;
const ETHER = 10n ** 18n;

const sha256 = (...parts: Uint8Array[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
/** EIP-7685: the hash of a block's requests. @param requests with their types, as hex without 0x */
const requestsHash = (...requests: string[]) =>
  `0x${sha256(...requests.map((request) => sha256(hexToBytes(`0x${request}`)))).toString('hex')}`;
const big = (value: bigint) => value.toString(16).padStart(16, '0');
const little = (value: bigint) => Buffer.from(big(value), 'hex').reverse().toString('hex');

onEachEngine('EIP-8282, requests of builders', (chain) => {
  const key = (n: number) => n.toString(16).padStart(2, '0').repeat(48);
  const credentials = () => `03${'00'.repeat(11)}${chain.from.slice(2).toLowerCase()}`;
  const signature = 'cd'.repeat(96);
  /** @param amount in gwei */
  const deposit = (n: number, amount: bigint) => `${key(n)}${credentials()}${big(amount)}${signature}`;
  const record = (n: number, amount: bigint) => `03${key(n)}${credentials()}${little(amount)}${signature}`;

  it('a deposit: 184 bytes with the amount little-endian, of type 0x03', async () => {
    const { status, block } = await chain.send({ to: DEPOSITS, data: deposit(1, GWEI), value: ETHER + 1n });
    expect(status).toBe(1);
    expect(block.requestsHash).toBe(requestsHash(record(1, GWEI)));
  });

  it.each<[string, bigint, bigint]>([
    ['less than an ether', GWEI - 1n, 2n * ETHER],
    ['less value than the amount and the fee', GWEI, ETHER],
    ['less value than the amount', 2n * GWEI, ETHER + 1n],
  ])('a deposit of %s reverts, and is no request', async (_, amount, value) => {
    const { status, block } = await chain.send({ to: DEPOSITS, data: deposit(1, amount), value });
    expect([status, block.requestsHash]).toEqual([0, requestsHash()]);
  });

  it('a deposit of another length reverts', async () => {
    for (const data of [deposit(1, GWEI).slice(2), `${deposit(1, GWEI)}00`])
      expect(await chain.send({ to: DEPOSITS, data, value: 2n * ETHER })).toMatchObject({ status: 0 });
  });

  it('an exit: the caller and 48 bytes, of type 0x04', async () => {
    const { status, block } = await chain.send({ to: EXITS, data: key(2), value: 1n });
    expect(status).toBe(1);
    expect(block.requestsHash).toBe(requestsHash(`04${chain.from.slice(2).toLowerCase()}${key(2)}`));
    expect(await chain.send({ to: EXITS, data: key(2), value: 0n })).toMatchObject({ status: 0 });
    expect(await chain.send({ to: EXITS, data: key(2).slice(2), value: 1n })).toMatchObject({ status: 0 });
  });

  it('both in one block: 0x03 before 0x04, and the next block has none', async () => {
    await chain.call('evm_setAutomine', false);
    for (const transaction of [
      { to: EXITS, data: `0x${key(2)}`, value: '0x1' },
      { to: DEPOSITS, data: `0x${deposit(1, GWEI)}`, value: hex(ETHER + 1n) },
    ])
      await chain.call('eth_sendTransaction', { from: chain.from, gas: hex(3_000_000), ...transaction });
    await chain.call('evm_mine');
    const { requestsHash: both } = await chain.call('eth_getBlockByNumber', 'latest', false);
    expect(both).toBe(requestsHash(record(1, GWEI), `04${chain.from.slice(2).toLowerCase()}${key(2)}`));
    await chain.call('evm_mine');
    const { requestsHash: none } = await chain.call('eth_getBlockByNumber', 'latest', false);
    expect(none).toBe(requestsHash());
    await chain.call('evm_setAutomine', true);
  });

  it('at most 16 exits a block: the others wait for the next ones', async () => {
    await chain.call('evm_setAutomine', false);
    for (let n = 0; n < 18; n++)
      await chain.call('eth_sendTransaction', {
        ...{ from: chain.from, to: EXITS, data: `0x${key(n)}`, value: '0x10', gas: hex(1_000_000) },
      });
    const exits = (from: number, to: number) =>
      Array.from(
        { length: to - from },
        (_, i) => `${chain.from.slice(2).toLowerCase()}${key(from + i)}`,
      ).join('');
    for (const wanted of [exits(0, 16), exits(16, 18)]) {
      await chain.call('evm_mine');
      const { requestsHash: got } = await chain.call('eth_getBlockByNumber', 'latest', false);
      expect(got).toBe(requestsHash(`04${wanted}`));
    }
    await chain.call('evm_setAutomine', true);
    // 18 less the target of 2 were too many: the fee is above 1 wei. Without data the contract tells it.
    const fee = BigInt(await chain.call('eth_call', { to: EXITS }, 'latest'));
    expect(fee).toBe(feeAfter(18n - 2n - 2n));
  });

  it('the code of both is in the genesis block, with nonce 1', async () => {
    const codeHash = async (address: string) =>
      bytesToHex(keccak256(hexToBytes(await chain.call('eth_getCode', address, '0x0'))));
    expect([await codeHash(DEPOSITS), await codeHash(EXITS)]).toEqual(CODE_HASHES);
    for (const address of [DEPOSITS, EXITS])
      expect(await chain.call('eth_getTransactionCount', address, '0x0')).toBe('0x1');
  });

  it('slots 0 to 3 of both are in the access list of each block', async () => {
    await chain.call('evm_mine');
    for (const address of [DEPOSITS, EXITS]) {
      const { storageReads, storageChanges } = await chain.listed(address);
      const slots = [...storageReads, ...storageChanges.map(({ key }: { key: string }) => key)];
      expect(slots.sort()).toEqual([0, 1, 2, 3].map(word));
    }
  });

  it('where their code is missing, blocks are made all the same, without their requests', async () => {
    // Those of other nodes are refused: cases of replays show it.
    for (const address of [DEPOSITS, EXITS]) await chain.call('anvil_setCode', address, '0x');
    await chain.call('evm_mine');
    const { requestsHash: none } = await chain.call('eth_getBlockByNumber', 'latest', false);
    expect(none).toBe(requestsHash());
  });
});

/** EIP-8282: fake_exponential(1, excess, 17) */
function feeAfter(excess: bigint): bigint {
  let [output, term] = [0n, 17n];
  for (let i = 1n; term > 0n; i++) {
    output += term;
    term = (term * excess) / (17n * i);
  }
  return output / 17n;
}
