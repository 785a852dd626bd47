import { expect, it } from 'vitest';
import { asCast, asCurl, asViem } from '../../src/explorer/data/as-command.ts';

const FROM = `0x${'a1'.repeat(20)}` as const;
const TO = `0x${'b2'.repeat(20)}` as const;
const call = { from: FROM, to: TO, value: '0xde0b6b3a7640000', input: '0x1234', gas: '0x5208' } as const;

it('a transaction is copied as curl, cast and viem, without what the node fills in', () => {
  const [, body] = / -d '(.*)'$/.exec(asCurl('http://a', call))!;
  expect(JSON.parse(body!)).toEqual({
    jsonrpc: '2.0',
    id: 1,
    method: 'eth_sendTransaction',
    params: [{ from: FROM, to: TO, gas: '0x5208', value: '0xde0b6b3a7640000', data: '0x1234' }],
  });
  expect(asCast('http://a', call)).toBe(
    `cast send --unlocked --from ${FROM} --gas-limit 21000 --value 1000000000000000000 --rpc-url http://a ${TO} 0x1234`,
  );
  expect(asCast('http://a', { ...call, to: null, value: '0x0' })).toBe(
    `cast send --unlocked --from ${FROM} --gas-limit 21000 --rpc-url http://a --create 0x1234`,
  );
  expect(asViem('http://a', { ...call, input: '0x' })).toContain(
    `  to: '${TO}',\n  gas: 21000n,\n  value: 1000000000000000000n,\n`,
  );
});
