import { describe, expect, it } from 'vitest';
import { createDevnet } from '../../src/index.ts';
import { callsOf } from '../wire.ts';

const TO = `0x${'11'.repeat(20)}`;
const AUTHORIZATION = { chainId: '0x1', address: TO, nonce: '0x0', yParity: '0x0', r: '0x1', s: '0x1' };
/** Fields of a request, and the hardfork that has brought them. */
const FIELDS = [
  ['berlin', { accessList: [{ address: TO, storageKeys: [`0x${'00'.repeat(32)}`] }] }],
  ['london', { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1' }],
  ['london', { maxFeePerGas: '0x77359400' }],
  ['london', { maxPriorityFeePerGas: '0x1' }],
  ['cancun', { blobVersionedHashes: [`0x01${'00'.repeat(31)}`], maxFeePerBlobGas: '0x10' }],
  ['prague', { authorizationList: [AUTHORIZATION] }],
  ['prague', { authorizationList: [] }],
] as const;
const HARDFORKS = ['chainstart', 'istanbul', 'berlin', 'london', 'shanghai', 'cancun', 'prague'] as const;

/** By method: its parameters for a request. */
const METHODS: Record<string, (request: object) => unknown[]> = {
  eth_call: (request) => [request, 'latest'],
  eth_estimateGas: (request) => [request],
  eth_createAccessList: (request) => [request],
  eth_simulateV1: (request) => [{ blockStateCalls: [{ calls: [request] }] }, 'latest'],
  debug_traceCall: (request) => [request, 'latest', {}],
  eth_fillTransaction: (request) => [request],
  eth_sendTransaction: (request) => [request],
};

describe.each(HARDFORKS)('at %s', (hardfork) => {
  it('a request with fields of a later hardfork is refused with the reason, or they have no effect', async () => {
    const node = await createDevnet({ hardfork, automine: true, manualClock: true });
    try {
      const rpc = callsOf(node);
      const from = node.accounts[0]!.address.toLowerCase();
      for (const [since, fields] of FIELDS) {
        if (HARDFORKS.indexOf(since) <= HARDFORKS.indexOf(hardfork)) continue;
        for (const [method, params] of Object.entries(METHODS)) {
          const answer = await rpc(method, ...params({ from, to: TO, ...fields })).then(
            () => 'answered',
            ({ message }: Error) => message,
          );
          // A price is one before London, too: a call takes what a fee cap comes to.
          const mayHaveNone = since === 'berlin' || (since === 'london' && !/fill|send/.test(method));
          expect(answer, `${method} ${JSON.stringify(fields)}`).toMatch(
            mayHaveNone ? /^answered$|type not supported/ : /type not supported/,
          );
        }
      }
    } finally {
      await node.close();
    }
  });
});
