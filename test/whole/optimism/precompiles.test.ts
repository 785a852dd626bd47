import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet, type DevnetOptions } from '../../../src/index.ts';
import { callsOf } from '../../wire.ts';

let node: Devnet | undefined;
afterEach(async () => {
  await node?.close();
  node = undefined;
});

async function start(options: DevnetOptions) {
  node = await createDevnet({ optimism: true, automine: true, manualClock: true, ...options });
  return callsOf(node);
}

/** Hash, r, s and public key as P256VERIFY takes them (RIP-7212). */
function signedWithP256(): string {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const message = Buffer.from('devnet');
  const signature = sign('sha256', message, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const key = [x, y].map((part) => Buffer.from(part!, 'base64url').toString('hex').padStart(64, '0'));
  return `${createHash('sha256').update(message).digest('hex')}${signature.toString('hex')}${key.join('')}`;
}

const CALLER = `0x${'c0'.repeat(20)}`;

/** Code that calls 0x100 with its calldata and this gas, and returns the output and whether the call succeeded. */
const callerWith = (gas: number) =>
  `0x60a06000600037602060a060a0600061010061${gas.toString(16).padStart(4, '0')}fa60c052604060a0f3`;

describe.each(['fast', 'ethereumjs'] as const)('in the engine %s', (engine) => {
  it.each([
    ['cancun', 3_450],
    ['prague', 3_450],
    ['osaka', 6_900],
  ] as const)('at %s P256VERIFY checks a signature for %d gas', async (hardfork, gas) => {
    const rpc = await start({ engine, hardfork });
    const data = `0x${signedWithP256()}`;
    const verify = async (gas: number, data: string) => {
      const answer = await rpc('eth_call', { to: CALLER, data }, 'latest', {
        [CALLER]: { code: callerWith(gas) },
      });
      return [answer.slice(2, 66), answer.slice(66)].map((word) => Number(`0x${word}`));
    };
    expect(await verify(gas, data)).toEqual([1, 1]);
    // Out of gas: no output, the call fails. A signature of another hash: no output, and the call succeeds.
    expect(await verify(gas - 1, data)).toEqual([0, 0]);
    expect(await verify(gas, `0x${'00'.repeat(32)}${data.slice(66)}`)).toEqual([0, 1]);
    const { current } = await rpc('eth_config');
    expect(current.precompiles).toHaveProperty('P256VERIFY');
  });

  // 192 bytes a pair; a pair of points at infinity is valid.
  it.each([
    ['cancun', 0x08, 192, 112_687],
    ['prague', 0x08, 192, 81_984],
    ['prague', 0x0c, 160, 288_960],
    ['prague', 0x0e, 288, 278_784],
    ['osaka', 0x0f, 384, 156_672],
  ] as const)(
    'at %s the precompile %d takes items of %d bytes, %d at most',
    async (hardfork, address, item, most) => {
      const rpc = await start({ engine, hardfork });
      const to = `0x${address.toString(16).padStart(40, '0')}`;
      const call = (bytes: number) =>
        rpc('eth_call', { to, data: `0x${'00'.repeat(bytes)}`, gas: '0x1c9c380' }, 'latest');
      const items = Math.floor(most / item);
      await expect(call((items + 1) * item)).rejects.toThrow('longer than the OP Stack allows');
      // All that fit take long where many points are added up.
      expect(await call(address === 0x08 ? items * item : item)).toMatch(/^0x[0-9a-f]{64,}$/);
    },
  );
});

it('a chain with deposits only has the precompiles of Ethereum', async () => {
  const rpc = await start({ depositsOnly: true, hardfork: 'prague' });
  expect(
    await rpc('eth_call', { to: `0x${'0'.repeat(37)}100`, data: `0x${signedWithP256()}` }, 'latest'),
  ).toBe('0x');
  const { current } = await rpc('eth_config');
  expect(current.precompiles).not.toHaveProperty('P256VERIFY');
});
