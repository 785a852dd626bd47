import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALIASES } from '../../../src/rpc/aliases.ts';
import { METHODS } from '../../../src/rpc/methods.ts';
import { startNode, type TestNode } from './node.ts';

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

  it('an unknown one is -32601, by which forge tells that a node is not anvil', async () => {
    expect(await node.codeOf('anvil_nothing')).toBe(-32601);
  });
});
