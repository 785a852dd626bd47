import { describe, expect, it } from 'vitest';
import { chain, closeChainsAfterEachTest, encode, forkOf, original } from './chains.ts';

closeChainsAfterEachTest();

const FRESH = `0x${'4f'.repeat(20)}`;

describe('on a forked chain', () => {
  it('what was before the fork is answered by the other node', async () => {
    const one = await original();
    const fork = await forkOf(one);
    await one.call('evm_mine');
    const [from, second] = one.accounts;
    const [hash] = one.sent;
    for (const [method, ...params] of [
      ['debug_accountInfoAt', '0x2', 0, second],
      ['debug_accountInfoAt', '0x3', '0x0', from],
      ['debug_getRawTransactions', '0x2'],
      ['debug_getRawTransactions', '0x3'],
      ['debug_getModifiedAccountsByNumber', '0x2'],
      ['debug_getModifiedAccountsByNumber', '0x1', '0x3'],
      ['debug_executionWitness', '0x2'],
      ['trace_get', hash, []],
      ['trace_callMany', [[{ from, to: second, value: '0x1' }, ['trace']]], '0x2'],
    ] as const)
      expect(await fork.call(method, ...params), method).toEqual(await one.call(method, ...params));
    const { hash: blockHash } = await one.block('0x2');
    expect(await fork.call('debug_getModifiedAccountsByHash', blockHash)).toEqual(
      await one.call('debug_getModifiedAccountsByHash', blockHash),
    );
  });

  it('what came after it is answered here', async () => {
    const one = await original();
    const fork = await forkOf(one);
    const [from, second] = fork.accounts;
    const hash = await fork.send({ to: one.token, data: encode('transfer', FRESH, 5n) });
    await fork.send({ to: FRESH, value: '0x7' });
    expect((await fork.call('debug_accountInfoAt', '0x5', 0, FRESH)).balance).toBe('0x7');
    expect((await fork.call('debug_accountInfoAt', '0x4', 0, one.token)).code).toBe(
      await one.call('eth_getCode', one.token, 'latest'),
    );
    expect(await fork.call('debug_getRawTransactions', 'latest')).toHaveLength(1);
    const modified = await fork.call('debug_getModifiedAccountsByNumber', '0x4');
    expect(modified).toEqual(expect.arrayContaining([from, one.token]));
    expect(modified).not.toContain(FRESH);
    expect(await fork.call('debug_getModifiedAccountsByNumber', '0x3', '0x5')).toContain(FRESH);
    expect((await fork.call('trace_get', hash, [])).action.to).toBe(one.token);
    const moved = [
      { from: second, to: one.token, data: encode('transfer', FRESH, 1n) },
      ['trace', 'stateDiff'],
    ];
    const [first, again] = await fork.call('trace_callMany', [moved, moved]);
    expect(first.trace[0].action.to).toBe(one.token);
    expect(again.stateDiff[one.token].storage).not.toEqual(first.stateDiff[one.token].storage);
    const raw = await fork.call('eth_signTransaction', { from, to: FRESH, value: '0x1', gas: '0x5208' });
    expect((await fork.call('trace_rawTransaction', raw, ['trace'])).trace).toHaveLength(1);
    const bundle = { txs: [raw], blockNumber: '0x6', stateBlockNumber: 'latest' };
    expect((await fork.call('eth_callBundle', bundle)).totalGasUsed).toBe(21_000);
  });

  it('a range across the fork, a witness and a storage root are refused', async () => {
    const one = await original();
    const fork = await forkOf(one);
    await fork.send({ to: FRESH, value: '0x7' });
    for (const [method, ...params] of [
      ['debug_getModifiedAccountsByNumber', '0x2', '0x4'],
      ['debug_executionWitness', '0x4'],
    ] as const)
      await expect(fork.call(method, ...params), method).rejects.toMatchObject({ code: -32000 });
    const raw = await fork.call('eth_signTransaction', { from: fork.accounts[1], to: FRESH, gas: '0x5208' });
    const { storageHash } = await one.call('eth_getProof', one.token, [], 'latest');
    const send = (known: unknown) =>
      fork.call('eth_sendRawTransactionConditional', raw, { knownAccounts: { [one.token]: known } });
    await expect(send(storageHash)).rejects.toMatchObject({ code: -32003 });
    const total = await fork.call('eth_getStorageAt', one.token, '0x2', 'latest');
    await expect(send({ '0x2': '0x1' })).rejects.toMatchObject({ code: -32003 });
    expect((await fork.receipt(await send({ '0x2': total }))).status).toBe('0x1');
  });
});

it('a chain that is not forked has no block to ask another node for', async () => {
  const one = await chain();
  await expect(one.call('debug_accountInfoAt', '0x9', 0, FRESH)).rejects.toMatchObject({ code: -32000 });
});
