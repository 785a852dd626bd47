import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replayFixture } from '../../../src/index.ts';
import { stateOf } from '../../../src/replay/consensus/fixture.ts';
import { CaseRunner } from '../../../src/replay/consensus/run-case.ts';
import type { StateTest } from '../../../src/replay/consensus/state-test.ts';
import { COINBASE, CONTRACT, SENDER, StateTestBuilder } from './state-test-builder.ts';

/** Writes what the block opcodes answer, and a log of the call data's size. */
const BLOCK_CODE = `0x${[
  '43600155', // NUMBER -> slot 1
  '42600255', // TIMESTAMP -> slot 2
  '44600355', // DIFFICULTY or PREVRANDAO -> slot 3
  '600940600455', // BLOCKHASH(9) -> slot 4
  '41600555', // COINBASE -> slot 5
  '6000600055', // SSTORE(0, 0): a refund
  '3660005260206000a0', // LOG0 of CALLDATASIZE
  '00',
].join('')}`;

const NETWORKS = [
  ['Frontier', 'chainstart'],
  ['EIP158', 'spuriousDragon'],
  ['Istanbul', 'istanbul'],
  ['London', 'london'],
  ['Merge', 'paris'],
  ['Cancun', 'cancun'],
  ['Osaka', 'osaka'],
] as const;

const runner = await CaseRunner.create();

/** The results of all posts, by fork. */
async function runAll(one: StateTest) {
  const results: Record<string, Awaited<ReturnType<CaseRunner['runState']>>[]> = {};
  for (const [fork, posts] of Object.entries(one.post)) {
    results[fork] = [];
    for (const post of posts) results[fork].push(await runner.runState({ test: one, fork, post }));
  }
  return results;
}

test.each(NETWORKS)(
  'a transaction at %s comes to the state and the logs of EthereumJS',
  async (fork, hardfork) => {
    const builder = new StateTestBuilder({ code: BLOCK_CODE, env: { currentGasLimit: '0x055d4a80' } });
    await builder.post(fork, hardfork);
    await builder.post(fork, hardfork, { data: 1, gas: 0, value: 1 });
    // The gas limit of a plain transfer isn't enough.
    await builder.post(fork, hardfork, { data: 0, gas: 1, value: 1 });
    const built = builder.build();
    const hashes = built.post[fork]!.map(({ hash }) => hash);
    expect(new Set(hashes).size).toBe(3);
    expect((await runAll(built))[fork]).toEqual(hashes.map((stateRoot) => ({ pass: true, stateRoot })));
  },
);

test('a transaction without txbytes is made of its indexes and signed', async () => {
  const accessLists = [null, [{ address: CONTRACT, storageKeys: [`0x${'00'.repeat(32)}`] }]];
  const builder = new StateTestBuilder({ code: BLOCK_CODE, transaction: { accessLists } });
  for (const data of [0, 1])
    await builder.post('Berlin', 'berlin', { data, gas: 0, value: data }, { txbytes: undefined as never });
  const built = builder.build();
  const unsigned = JSON.parse(JSON.stringify(built)) as StateTest;
  expect(unsigned.post.Berlin![0]).not.toHaveProperty('txbytes');
  expect((await runAll(unsigned)).Berlin).toEqual(
    built.post.Berlin!.map(({ hash }) => ({ pass: true, stateRoot: hash })),
  );
});

test('before EIP-161 a coinbase with a tip of 0 is an empty account afterwards', async () => {
  const transaction = { gasPrice: '0x00' };
  const builder = new StateTestBuilder({ code: '0x00', transaction });
  await builder.post('Homestead', 'homestead');
  const built = builder.build();
  const { stateRoot } = (await runAll(built)).Homestead![0]!;
  const { pre } = builder;
  const withCoinbase = {
    ...pre,
    [SENDER]: { ...pre[SENDER]!, nonce: '0x01' },
    [COINBASE]: { balance: '0x00' },
  };
  expect(stateRoot).toBe(`0x${Buffer.from(stateOf(withCoinbase).root).toString('hex')}`);
});

test('fails with the expected and the found root, and names what differs where the state is there', async () => {
  const builder = new StateTestBuilder({ code: BLOCK_CODE });
  const wrong = `0x${'11'.repeat(32)}`;
  await builder.post('Cancun', 'cancun', undefined, { hash: wrong });
  await builder.post('Cancun', 'cancun', undefined, {
    hash: wrong,
    state: { [COINBASE]: { balance: '0x01', nonce: '0x00', code: '0x', storage: {} } },
  });
  const { Cancun } = await runAll(builder.build());
  expect(Cancun![0]).toMatchObject({
    pass: false,
    error: expect.stringMatching(new RegExp(`^hash: expected the state root ${wrong}, got 0x[0-9a-f]{64}$`)),
  });
  expect(Cancun![1]!.error).toMatch(new RegExp(`\\(${COINBASE}\\.balance: expected 1, got \\d+\\)$`));
});

test('fails where the logs differ', async () => {
  const builder = new StateTestBuilder({ code: BLOCK_CODE });
  const logs = `0x${'22'.repeat(32)}`;
  await builder.post('Cancun', 'cancun', undefined, { logs });
  expect((await runAll(builder.build())).Cancun).toMatchObject([
    { pass: false, error: expect.stringMatching(new RegExp(`^logs: expected ${logs}, got 0x`)) },
  ]);
});

test('a transaction that must be refused and is executed fails, and one that must not and is refused', async () => {
  const builder = new StateTestBuilder({ code: BLOCK_CODE, transaction: { nonce: '0x00' } });
  const before = await builder.rootBefore();
  await builder.post('Cancun', 'cancun', undefined, {
    expectException: 'TransactionException.NONCE_TOO_HIGH',
  });
  builder.refused('Cancun', { hash: before, indexes: { data: 0, gas: 0, value: 0 }, txbytes: '0x02c0' });
  const { Cancun } = await runAll(builder.build());
  expect(Cancun).toMatchObject([
    { pass: false, error: 'expected TransactionException.NONCE_TOO_HIGH, but the transaction was executed' },
    { pass: true, stateRoot: before },
  ]);
  const { expectException: _, ...unexpected } = builder.build().post.Cancun![1]!;
  const refused = { ...builder.build(), post: { Cancun: [unexpected] } };
  expect((await runAll(refused)).Cancun).toMatchObject([
    { pass: false, error: expect.stringMatching(/^the transaction was refused: /) },
  ]);
});

test.each([
  ['a nonce that is too high', { nonce: '0x01' }, 'Cancun'],
  ['a price below the base fee', { gasPrice: '0x06' }, 'Cancun'],
  ['more gas than the block has', { gasLimit: ['0x055d4a81'] }, 'Cancun'],
  ['more gas than one transaction may have (EIP-7825)', { gasLimit: ['0x01000001'] }, 'Osaka'],
  ['less gas than it costs before its first opcode', { gasLimit: ['0x5207'] }, 'Cancun'],
  ['more value than the sender has', { value: ['0x3635c9adc5dea00001'] }, 'Cancun'],
  ['an access list before Berlin', { accessLists: [[]] }, 'Istanbul'],
  [
    'blobs that no block has room for',
    {
      gasPrice: undefined,
      maxFeePerGas: '0x0a',
      maxFeePerBlobGas: '0x01',
      blobVersionedHashes: Array.from({ length: 7 }, () => `0x01${'00'.repeat(31)}`),
    },
    'Cancun',
  ],
] as const)('refuses %s, and leaves the state as it was', async (_, transaction, fork) => {
  const builder = new StateTestBuilder({ code: BLOCK_CODE, transaction });
  const stateRoot = await builder.rootBefore();
  builder.refused(fork, { hash: stateRoot });
  // Another root than that of before is a fault, too.
  builder.refused(fork, { hash: `0x${'33'.repeat(32)}` });
  expect((await runAll(builder.build()))[fork]).toMatchObject([
    { pass: true, stateRoot },
    { pass: false, error: expect.stringMatching(/^hash: /) },
  ]);
});

test('an unknown hardfork, and a test that cannot be run, fail with the reason', async () => {
  const builder = new StateTestBuilder({ code: BLOCK_CODE, transaction: { secretKey: undefined } });
  builder.refused('Nowhere', {});
  builder.refused('Cancun', {});
  expect(await runAll(JSON.parse(JSON.stringify(builder.build())))).toMatchObject({
    Nowhere: [{ pass: false, error: "the network Nowhere isn't known" }],
    Cancun: [{ pass: false, error: 'there is neither txbytes nor a secretKey to sign with' }],
  });
});

test('devnet replay runs each post of a file as a case, named by test, hardfork and index', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'devnet-state-tests-'));
  try {
    const builder = new StateTestBuilder({ code: BLOCK_CODE });
    await builder.post('Cancun', 'cancun');
    await builder.post('Osaka', 'osaka');
    await builder.post('Osaka', 'osaka', { data: 1, gas: 0, value: 0 }, { hash: `0x${'44'.repeat(32)}` });
    const path = join(dir, 'state.json');
    writeFileSync(path, JSON.stringify({ _info: {}, first: builder.build() }));
    const seen: number[] = [];
    const onProgress = ({ cases }: { cases: number }) => seen.push(cases);
    const { pass, cases } = await replayFixture(path, { onProgress });
    expect(pass).toBe(false);
    expect(seen).toEqual([1, 2, 3]);
    expect(cases).toEqual({
      'first/Cancun/0': { pass: true, stateRoot: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
      'first/Osaka/0': { pass: true, stateRoot: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
      'first/Osaka/1': { pass: false, stateRoot: expect.any(String), error: expect.any(String) },
    });
    // A part of the cases, as a machine of several runs it.
    const shard = { index: 1, count: 3, file: 0 };
    expect(Object.keys((await replayFixture(path, { shard })).cases)).toEqual(['first/Osaka/0']);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
