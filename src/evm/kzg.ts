import type { KZG } from '@ethereumjs/util';
import { bls12_381 } from '@noble/curves/bls12-381.js';

const { G1, G2, fields, pairingBatch } = bls12_381;
/** [tau] of the KZG ceremony on G2: all of the trusted setup that a proof's check needs (EIP-4844). */
const TAU_G2 = G2.Point.fromHex(
  'b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2',
);

/**
 * Whether the polynomial behind `commitment` is `y` at `z`: e(C - [y], [1]) = e(proof, [tau - z]) (EIP-4844,
 * `verify_kzg_proof`). All are `0x` hex: points of 48 bytes, field elements of 32.
 * @throws Error that names C_KZG_BADARGS, as the engine expects it, for what is no point or no field element
 */
export function verifyKzgProof(commitment: string, z: string, y: string, proof: string): boolean {
  const [c, q] = [pointOf(commitment), pointOf(proof)];
  const left = c.subtract(G1.Point.BASE.multiplyUnsafe(scalarOf(y)));
  const right = TAU_G2.subtract(G2.Point.BASE.multiplyUnsafe(scalarOf(z)));
  const pairs = [
    { g1: left, g2: G2.Point.BASE.negate() },
    { g1: q, g2: right },
  ];
  // The pairing with the point at infinity is one, which the library refuses to work out.
  const rest = pairs.filter(({ g1, g2 }) => !g1.is0() && !g2.is0());
  return rest.length === 0 || fields.Fp12.eql(pairingBatch(rest), fields.Fp12.ONE);
}

/**
 * What the engine asks of a KZG library: the check behind the precompile 0x0a. Blobs and cells, which only a consensus
 * client handles, are not computed.
 */
export const kzg: KZG = new Proxy({ verifyProof: verifyKzgProof } as KZG, {
  get: (known, name) => {
    const method = known[name as keyof KZG];
    if (method) return method;
    return () => {
      throw new Error(`this node does not compute ${String(name)}`);
    };
  },
});

function pointOf(hex: string) {
  try {
    const point = G1.Point.fromHex(hex.slice(2));
    point.assertValidity();
    return point;
  } catch {
    if (/^0xc0(00){47}$/.test(hex)) return G1.Point.ZERO;
    throw new Error('C_KZG_BADARGS: not a point of G1');
  }
}

function scalarOf(hex: string): bigint {
  const scalar = BigInt(hex);
  if (scalar >= fields.Fr.ORDER) throw new Error('C_KZG_BADARGS: not a field element');
  return scalar;
}
