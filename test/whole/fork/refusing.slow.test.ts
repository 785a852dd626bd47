import { describe, expect, it } from 'vitest';
import { METHODS } from '../../../src/rpc/all-methods.ts';
import { closeChainsAfterEachTest, original } from './chains.ts';
import { closeProxiesAfterEachTest, proxyOf } from './proxy.ts';
import { MODES, refuse } from './refusing.ts';

closeProxiesAfterEachTest();
closeChainsAfterEachTest();

const CHANGING = METHODS.filter(({ kind }) => kind === 'dev' || kind === 'send').map(({ name }) => name);

describe('whatever the method, a call that fails since the forked node refuses leaves nothing', () => {
  it.each(Object.entries(MODES))('mode: %s', { timeout: 600_000 }, async (_, mode) => {
    const one = await original();
    const proxy = await proxyOf(one.url);
    for (const method of CHANGING)
      await refuse({ one, proxy, mode, method }).catch((error) => {
        throw new Error(`${method}: ${error.message}`, { cause: error });
      });
    expect(CHANGING.length).toBeGreaterThan(50);
  });
});
