import { Address, bytesToHex, hexToBytes } from '@ethereumjs/util';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { TRANSACTION_RULES } from '../../src/engine/engine.ts';
import { kzg, loadKzg } from '../../src/protocol/kzg.ts';
import { Overlay } from '../../src/state/overlay.ts';
import { ETHER, GWEI, signer } from '../engine/ethereumjs/accounts.ts';
import { blockOf, engineOf, messageFrom, stockCommon, trieStateOf } from '../engine/ethereumjs/stock.ts';

/** geth's core/vm/testdata/precompiles/pointEvaluation.json: versioned hash, z, y, commitment, proof */
const INPUT =
  '01e798154708fe7789429634053cbf9f99b619f9f084048927333fce637f549b564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d3630624d25032e67a7e6a4910df5834b8fe70e6bcfeeac0352434196bdf4b2485d5a18f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7873033e038326e87ed3e1276fd140253fa08e9fc25fb2d9a98527fc22a2c9612fbeafdad446cbc7bcdbdcd780af2c16a';
const part = (from: number, to: number) => `0x${INPUT.slice(2 * from, 2 * to)}`;
const [Z, Y, COMMITMENT, PROOF] = [part(32, 64), part(64, 96), part(96, 144), part(144, 192)] as const;
const INFINITY = `0xc0${'00'.repeat(47)}`;
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;

// First: nobody has loaded the library yet.
describe('the precompile 0x0a', () => {
  const { engine, fork } = engineOf('cancun');
  const common = stockCommon('cancun');
  const from = signer('a').address;

  async function evaluate(input: string) {
    const overlay = new Overlay(trieStateOf(new Map([[from.toString(), { balance: ETHER }]])));
    const to = new Address(hexToBytes('0x000000000000000000000000000000000000000a'));
    const fields = { nonce: 0n, gasLimit: 200_000n, gasPrice: GWEI, to, data: hexToBytes(`0x${input}`) };
    const { env } = blockOf(
      {
        coinbase: from,
        number: 1n,
        timestamp: 1n,
        gasLimit: 30_000_000n,
        baseFeePerGas: 7n,
        excessBlobGas: 0n,
        prevRandao: new Uint8Array(32),
      },
      fork,
      common,
    );
    const message = messageFrom(from, fields, common);
    const outcome = await engine.execute(message, env, overlay, TRANSACTION_RULES);
    if (outcome.kind === 'invalid') throw outcome.error;
    return outcome;
  }

  it('answers with the number of field elements and the modulus', async () => {
    const { success, returnData } = await evaluate(INPUT);
    expect(success).toBe(true);
    expect(bytesToHex(returnData)).toBe(word(4096n) + word(bls12_381.fields.Fr.ORDER).slice(2));
  });

  it('fails on a wrong proof, bad points and short input, with all gas', async () => {
    const bad = [
      INPUT.slice(0, -2),
      `${INPUT.slice(0, 64)}${'00'.repeat(32)}${INPUT.slice(128)}`,
      INPUT.slice(0, 288) + '00'.repeat(48),
    ];
    for (const input of bad)
      expect(await evaluate(input)).toMatchObject({ success: false, gasUsed: 200_000n });
  });
});

describe('the library', () => {
  it('is not there before it is needed', async () => {
    vi.resetModules();
    const fresh = await import('../../src/protocol/kzg.ts');
    expect(() => fresh.kzg.verifyProof(COMMITMENT, Z, Y, PROOF)).toThrow(/before the library was loaded/);
    await fresh.loadKzg();
    expect(fresh.kzg.verifyProof(COMMITMENT, Z, Y, PROOF)).toBe(true);
  });
});

describe('the check of a KZG proof', () => {
  beforeAll(loadKzg);

  it('holds for the value that the polynomial has, and no other', () => {
    expect(kzg.verifyProof(COMMITMENT, Z, Y, PROOF)).toBe(true);
    expect(kzg.verifyProof(COMMITMENT, Z, word(BigInt(Y) + 1n), PROOF)).toBe(false);
    expect(kzg.verifyProof(COMMITMENT, word(BigInt(Z) + 1n), Y, PROOF)).toBe(false);
    expect(kzg.verifyProof(PROOF, Z, Y, COMMITMENT)).toBe(false);
  });

  it('holds for constant polynomials, whose proof is the point at infinity', () => {
    const two = `0x${bls12_381.G1.Point.BASE.multiply(2n).toHex()}`;
    expect(kzg.verifyProof(two, word(5n), word(2n), INFINITY)).toBe(true);
    expect(kzg.verifyProof(two, word(5n), word(3n), INFINITY)).toBe(false);
    expect(kzg.verifyProof(INFINITY, word(5n), word(0n), INFINITY)).toBe(true);
  });

  it.each([
    ['a field element over the modulus', [COMMITMENT, word(bls12_381.fields.Fr.ORDER), Y, PROOF]],
    ['a point that is not on the curve', [`0x8${'1'.repeat(95)}`, Z, Y, PROOF]],
    ['a proof that is no point', [COMMITMENT, Z, Y, `0x${'00'.repeat(48)}`]],
  ] as const)('does not hold for %s', (_, [commitment, z, y, proof]) => {
    expect(kzg.verifyProof(commitment, z, y, proof)).toBe(false);
  });
});
