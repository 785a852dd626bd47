import type { BuiltCode, BuiltContract, Compilation, Masked } from './compilation.ts';

/** A compiled contract that matches a code. */
export interface Match {
  readonly compilation: Compilation;
  readonly built: BuiltContract;
  readonly isCreation: boolean;
}

/** Prefixes of the metadata hashes in code (IPFS, and two versions of Swarm), and the number of bytes that follow each prefix. */
const HASHES: readonly (readonly [Buffer, number])[] = [
  [Buffer.from('64697066735822', 'hex'), 34],
  [Buffer.from('65627a7a72305820', 'hex'), 32],
  [Buffer.from('65627a7a72315820', 'hex'), 32],
];
const PUSH20 = 0x73;

/**
 * Finds the contract that was compiled to a code. If several contracts of a compilation have the same code, the last one is returned, as in
 * Hardhat.
 */
export class CodeIndex {
  /** by size in bytes; each list has the newest compilation first */
  readonly #deployed = new Map<number, Candidate[]>();
  /** the largest first */
  readonly #creations: readonly Candidate[];

  /** @param compilations the newest first */
  constructor(compilations: readonly Compilation[]) {
    const creations: Candidate[] = [];
    for (const compilation of compilations)
      for (const built of compilation.contracts) {
        const { creation, deployed } = built;
        if (creation.size > 0) creations.push(new Candidate(compilation, built, true));
        if (deployed.size === 0) continue;
        const candidate = new Candidate(compilation, built, false);
        const equal = this.#deployed.get(deployed.size);
        if (equal) equal.push(candidate);
        else this.#deployed.set(deployed.size, [candidate]);
      }
    this.#creations = creations.sort((a, b) => b.size - a.size);
  }

  /** @param code deployed code */
  deployed(code: Uint8Array): Match | undefined {
    return firstOf(this.#deployed.get(code.length) ?? [], code);
  }

  /** @param code creation code, followed by the constructor's arguments */
  creation(code: Uint8Array): Match | undefined {
    return firstOf(this.#creations, code);
  }

  /**
   * The contract whose deployed code is at the end of a creation code. For a contract that another one creates, the optimizer of viaIR writes
   * creation code that differs from the contract's own.
   * @param code creation code without the constructor's arguments
   */
  deployedAtEnd(code: Uint8Array): Match | undefined {
    for (const [size, candidates] of this.#deployed) {
      const match = size < code.length ? firstOf(candidates, code.subarray(code.length - size)) : undefined;
      if (match) return match;
    }
    return undefined;
  }
}

/** Returns the first contract with this code; if there is none, the first whose code differs only in its metadata hashes. */
function firstOf(candidates: readonly Candidate[], code: Uint8Array): Match | undefined {
  for (const isLoose of [false, true]) {
    const first = candidates.find((each) => each.begins(code, isLoose));
    if (!first) continue;
    const { compilation, size } = first;
    const equal = candidates.filter(
      (each) => each.compilation === compilation && each.size === size && each.begins(code, isLoose),
    );
    if (equal.length === 1) return first;
    const last = compilation.lastOf(equal.map(({ built }) => built));
    return equal.find(({ built }) => built === last);
  }
  return undefined;
}

/** A compiled code. It is parsed when it is first compared. */
class Candidate implements Match {
  readonly compilation: Compilation;
  readonly built: BuiltContract;
  readonly isCreation: boolean;
  #read: { readonly code: Uint8Array; readonly masked: readonly Masked[] } | undefined;
  #hashes: readonly Masked[] | undefined;

  constructor(compilation: Compilation, built: BuiltContract, isCreation: boolean) {
    this.compilation = compilation;
    this.built = built;
    this.isCreation = isCreation;
  }

  get size(): number {
    return this.#built.size;
  }

  /**
   * Whether a code begins with this one. Bytes that may differ in each deployment are ignored.
   * @param isLoose whether metadata hashes are ignored, too
   */
  begins(found: Uint8Array, isLoose: boolean): boolean {
    if (this.size > found.length) return false;
    this.#read ??= this.#readCode();
    const { code, masked } = this.#read;
    if (code.length === 0) return false;
    if (!isLoose) return equals(code, found, masked);
    this.#hashes ??= hashesIn(code);
    return equals(code, found, [...masked, ...this.#hashes]);
  }

  get #built(): BuiltCode {
    return this.isCreation ? this.built.creation : this.built.deployed;
  }

  #readCode() {
    const { object, masked } = this.#built;
    const code = bytesOf(object);
    const links = [...object.matchAll(/__.{36}__/gs)].map(({ index }) => ({ start: index / 2, length: 20 }));
    const isLibrary =
      !this.isCreation && code[0] === PUSH20 && code.subarray(1, 21).every((byte) => byte === 0);
    return { code, masked: [...masked, ...links, ...(isLibrary ? [{ start: 1, length: 20 }] : [])] };
  }
}

/** Whether `found` begins with `code`, without the masked bytes. */
function equals(code: Uint8Array, found: Uint8Array, masked: readonly Masked[]): boolean {
  for (let i = 0; i < code.length; i++) {
    if (code[i] === found[i]) continue;
    const around = masked.find(({ start, length }) => start <= i && i < start + length);
    if (!around) return false;
    i = around.start + around.length - 1;
  }
  return true;
}

/** Positions of the metadata hashes in a code: its own hash, and those of the contracts that it creates. */
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
