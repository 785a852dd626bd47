import { Address, setLengthLeft } from '@ethereumjs/util';

const WORD_BYTES = 32;
const INPUT_BYTES = 4 * WORD_BYTES;

/** Signatures for which the precompile ECRECOVER returns a chosen account, whatever was signed. */
export class SignatureOverrides {
  /** r, s and v in hex -> the chosen account */
  readonly #signers = new Map<string, Address>();

  get isEmpty(): boolean {
    return this.#signers.size === 0;
  }

  /** @param signature 65 bytes: r, s, v; v is 27 or 28, or 0 or 1 */
  set(signature: Uint8Array, signer: Address): void {
    const last = signature.length - 1;
    const v = signature[last]!;
    this.#signers.set(keyOf(signature.subarray(0, last), v < 27 ? v + 27 : v), signer);
  }

  record(): readonly (readonly [signature: string, signer: Uint8Array])[] {
    return [...this.#signers].map(([signature, { bytes }]) => [signature, bytes]);
  }

  restore(record: ReturnType<SignatureOverrides['record']>): void {
    for (const [signature, signer] of record) this.#signers.set(signature, new Address(signer));
  }

  /**
   * @param data input of ECRECOVER: hash, v, r and s, 32 bytes each
   * @returns the output of ECRECOVER, 32 bytes; `undefined` for a signature that wasn't set
   */
  answer(data: Uint8Array): Uint8Array | undefined {
    const input = new Uint8Array(INPUT_BYTES);
    input.set(data.subarray(0, INPUT_BYTES));
    const v = input.subarray(WORD_BYTES, 2 * WORD_BYTES);
    if (v.subarray(0, -1).some((byte) => byte !== 0)) return undefined;
    const signer = this.#signers.get(keyOf(input.subarray(2 * WORD_BYTES), v.at(-1)!));
    return signer && setLengthLeft(signer.bytes, WORD_BYTES);
  }
}

function keyOf(rs: Uint8Array, v: number): string {
  return `${Buffer.from(rs).toString('hex')}:${v}`;
}
