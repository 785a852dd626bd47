import { expect, it } from 'vitest';
import { createDevnet } from '../../src/index.ts';
import { callsOf } from '../wire.ts';

it.each(['homestead', 'byzantium', 'berlin'] as const)(
  'at %s calls, estimates and sends work without naming a fee',
  async (hardfork) => {
    const node = await createDevnet({ hardfork, automine: true, manualClock: true });
    try {
      const request = callsOf(node);
      const [from, to] = node.accounts.map(({ address }) => address.toLowerCase());
      const call = { from, to, value: '0x1' };
      expect(await request('eth_call', call, 'latest')).toBe('0x');
      expect(await request('eth_estimateGas', call)).toBe('0x5208');
      const hash = await request('eth_sendTransaction', call);
      expect(await request('eth_getTransactionReceipt', hash)).toMatchObject({
        type: '0x0',
        gasUsed: '0x5208',
      });
    } finally {
      await node.close();
    }
  },
);
