import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALIASES } from '../../src/rpc/aliases.ts';
import { METHODS } from '../../src/rpc/all-methods.ts';
import { startNode, type TestNode } from './dev/node.ts';

/** One a line. */
const PEER_METHODS = readFileSync(new URL('./peer-methods.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

describe('every name', () => {
  let node: TestNode;
  beforeAll(async () => {
    node = await startNode();
  });
  afterAll(() => node.close());

  it.each([...METHODS.map(({ name }) => name), ...Object.keys(ALIASES)])('%s is answered', async (name) => {
    expect(
      await node.codeOf(name, ...(name.includes('reset') ? [] : ['not', 'valid', 'at', 'all', 'five'])),
    ).not.toBe(-32601);
  });

  it('that peers and their tools have is one of them', async () => {
    expect(PEER_METHODS).toHaveLength(221);
    const names = new Set([...METHODS.map(({ name }) => name), ...Object.keys(ALIASES)]);
    expect(PEER_METHODS.filter((name) => !names.has(name))).toEqual([]);
  });

  it('an unknown one is -32601, by which forge tells that a node is not anvil', async () => {
    expect(await node.codeOf('anvil_nothing')).toBe(-32601);
  });
});
