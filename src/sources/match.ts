import type { BuiltCode, BuiltContract, Compilation, Masked } from './compilation.ts';

/** A code that was found among compiled ones. */
export interface Match {
  readonly compilation: Compilation;
  readonly built: BuiltContract;
  readonly isCreation: boolean;
}

interface Candidate extends Match {
  readonly code: Uint8Array;
  /** 1 where a byte may differ in each deployment */
  readonly mask: Uint8Array;
  /** the same, and where only sources' names and comments differ */
  readonly looseMask: Uint8Array;
}

/** How hashes of the metadata begin in code: of IPFS and of Swarm (two versions); and how many bytes follow. */
const HASHES: readonly (readonly [Buffer, number])[] = [
  [Buffer.from('64697066735822', 'hex'), 34],
  [Buffer.from('65627a7a72305820', 'hex'), 32],
  [Buffer.from('65627a7a72315820', 'hex'), 32],
];
const PUSH20 = 0x73;

/** Finds the contract that was compiled to a code. */
export class CodeIndex {
  /** the newest first */
  readonly #candidates: Candidate[] = [];
  /** by length */
  readonly #deployed = new Map<number, Candidate[]>();
  readonly #creations: Candidate[] = [];

  /** @param compilations the newest first; of equal codes in one of them the last wins, as in Hardhat */
  constructor(compilations: readonly Compilation[]) {
    for (const compilation of compilations)
      for (const built of compilation.contracts.toReversed()) {
        this.#add(compilation, built, built.deployed, false);
        this.#add(compilation, built, built.creation, true);
      }
  }

  get size(): number {
    return this.#candidates.length;
  }

  /** @param code as it is deployed */
  deployed(code: Uint8Array): Match | undefined {
    const candidates = this.#deployed.get(code.length) ?? [];
    return (
      candidates.find((each) => equals(each.code, code, each.mask)) ??
      candidates.find((each) => equals(each.code, code, each.looseMask))
    );
  }

  /** @param code of a creation, with arguments behind it */
  creation(code: Uint8Array): Match | undefined {
    const begins = (mask: 'mask' | 'looseMask') => {
      let found: Candidate | undefined;
      for (const each of this.#creations)
        if (each.code.length > (found?.code.length ?? 0) && begun(each, code, each[mask])) found = each;
      return found;
    };
    return begins('mask') ?? begins('looseMask');
  }

  #add(
    compilation: Compilation,
    built: BuiltContract,
    { object, masked }: BuiltCode,
    isCreation: boolean,
  ): void {
    const code = bytesOf(object);
    if (code.length === 0) return;
    const links = [...object.matchAll(/__.{36}__/gs)].map(({ index }) => ({ start: index / 2, length: 20 }));
    const isLibrary = !isCreation && code[0] === PUSH20 && code.subarray(1, 21).every((byte) => byte === 0);
    const mask = maskOf(code.length, [...masked, ...links, ...(isLibrary ? [{ start: 1, length: 20 }] : [])]);
    const looseMask = mask.slice();
    for (const { start, length } of hashesIn(code)) looseMask.fill(1, start, start + length);
    const candidate: Candidate = { compilation, built, isCreation, code, mask, looseMask };
    this.#candidates.push(candidate);
    if (isCreation) this.#creations.push(candidate);
    else {
      const equal = this.#deployed.get(code.length);
      if (equal) equal.push(candidate);
      else this.#deployed.set(code.length, [candidate]);
    }
  }
}

function begun({ code }: Candidate, data: Uint8Array, mask: Uint8Array): boolean {
  return code.length <= data.length && equals(code, data, mask);
}

/** Whether `found` begins with `code`, masked bytes aside. */
function equals(code: Uint8Array, found: Uint8Array, mask: Uint8Array): boolean {
  for (let i = 0; i < code.length; i++) if (code[i] !== found[i] && mask[i] === 0) return false;
  return true;
}

function maskOf(length: number, masked: readonly Masked[]): Uint8Array {
  const mask = new Uint8Array(length);
  for (const { start, length: bytes } of masked)
    if (Number.isSafeInteger(start) && Number.isSafeInteger(bytes)) mask.fill(1, start, start + bytes);
  return mask;
}

/** Where a code has hashes of its metadata: its own, and those of contracts that it creates. */
function hashesIn(code: Uint8Array): Masked[] {
  const bytes = Buffer.from(code.buffer, code.byteOffset, code.length);
  return HASHES.flatMap(([begin, length]) => {
    const found: Masked[] = [];
    for (let at = bytes.indexOf(begin); at >= 0; at = bytes.indexOf(begin, at + 1))
      found.push({ start: at + begin.length, length });
    return found;
  });
}

/** @param object hex digits; placeholders become zeros */
export function bytesOf(object: string): Uint8Array {
  const digits = object.replace(/^0x/, '').replaceAll(/__.{36}__/gs, '0'.repeat(40));
  return /^[\da-f]*$/i.test(digits) ? new Uint8Array(Buffer.from(digits, 'hex')) : new Uint8Array();
}
