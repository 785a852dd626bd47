import { type Address, bytesToHex } from '@ethereumjs/util';
import type { Clock } from '../clock.ts';
import { ERROR, PANIC } from '../protocol/revert-reason.ts';
import { type Awaitable, andThen } from '../state/view.ts';
import { giveWay } from '../turns.ts';
import type { Artifact } from './abi/artifact.ts';
import type { Decoded, Decoder } from './abi/decoder.ts';
import { type ArtifactFile, ArtifactFolder } from './artifact-folder.ts';
import type { RanOpcode, SourceLine } from './source-line.ts';

/** Milliseconds until the folder is read again: for a selector or code that wasn't met before, and for one that was. */
const READ_FOR_NEW = 1_000;
const READ_FOR_KNOWN = 60_000;
/** Most selectors and codes, and most names, that are remembered. */
const MAX_UNKNOWN = 10_000;

/**
 * The project's compiled contracts: decodes errors and calls with their ABIs, and finds the names of contracts. The folder is read only
 * when something has to be decoded, in steps that let other work run in between. It is read again when a new selector or code is met.
 */
export class Contracts {
  /** for the explorer, which decodes in the page */
  readonly folder: ArtifactFolder;
  readonly #clock: Pick<Clock, 'now'>;
  #decoder: Decoder | undefined;
  /** the files that the decoder was made from */
  #files: readonly ArtifactFile[] | undefined;
  #reading: Promise<Decoder> | undefined;
  /** when the folder was last read, in milliseconds */
  #readAt = Number.NEGATIVE_INFINITY;
  /** selectors of errors, and keys of codes, that no artifact has */
  readonly #unknown = new Set<string>();
  /** key of a code -> name of its contract */
  readonly #names = new Map<string, string>();
  /** the artifacts with creation code as their `code`, the longest first; `undefined` until they are needed */
  #creations: Promise<readonly Artifact[]> | undefined;

  /** @param options.artifacts see {@link ArtifactFolder} */
  constructor(
    options: { readonly artifacts?: string | undefined },
    deps: { readonly clock: Pick<Clock, 'now'> },
  ) {
    this.folder = new ArtifactFolder({ folder: options.artifacts });
    this.#clock = deps.clock;
  }

  /**
   * Decodes a custom error of an artifact.
   * @param data of a revert
   * @returns `undefined` for `Error(string)` and `Panic(uint256)`, for data that isn't an error of any artifact, and for empty data. Not a
   *   promise if nothing has to be read.
   */
  errorIn(data: Uint8Array): Awaitable<Decoded | undefined> {
    if (!mayBeCustom(data)) return undefined;
    const hex = bytesToHex(data);
    const selector = hex.slice(0, 10);
    const find = (decoder: Decoder) => {
      const found = decoder.artifactError(hex);
      if (!found) this.#remember(selector);
      return found;
    };
    const known = this.#decoder?.artifactError(hex);
    if (known && !this.#isDue(READ_FOR_KNOWN)) return known;
    if (!this.#reading && this.#decoder && !this.#mustRead(selector)) return undefined;
    return this.#read().then(find);
  }

  /**
   * The name of the contract that a code was compiled from.
   * @param code as it is deployed
   * @param key identifies the code, such as its hash: known and unknown codes are remembered by it
   */
  nameOf(code: Uint8Array, key: string): Awaitable<string | undefined> {
    if (code.length === 0) return undefined;
    if (!this.#isDue(READ_FOR_KNOWN)) {
      const known = this.#names.get(key);
      if (known !== undefined) return known;
      if (!this.#reading && this.#unknown.has(key)) return undefined;
    }
    const find = (decoder: Decoder) => {
      const name = decoder.artifactOf(bytesToHex(code))?.name;
      if (name === undefined) this.#remember(key);
      else this.#names.set(key, name);
      return name;
    };
    if (this.#reading || !this.#decoder || this.#isDue(READ_FOR_NEW)) return this.#read().then(find);
    return find(this.#decoder);
  }

  /**
   * The contract that a code was compiled from, with its functions. Nothing is remembered: it is for reports, which ask once for each code.
   * @param options.isCreation whether it is init code, which may end with the constructor's arguments
   */
  async contractOf(
    code: Uint8Array,
    { isCreation }: { readonly isCreation: boolean },
  ): Promise<NamedContract | undefined> {
    if (code.length === 0) return undefined;
    const decoder = await this.decoder();
    const [{ creates }, { functionNames }] = await Promise.all([
      import('./abi/artifact.ts'),
      import('./abi/decoder.ts'),
    ]);
    const hex = bytesToHex(code);
    if (isCreation) this.#creations ??= this.#readCreations();
    const found = isCreation
      ? (await this.#creations)?.find((creation) => creates(creation, hex))
      : decoder.artifactOf(hex);
    return found && { name: found.name, functions: functionNames(found) };
  }

  /** A decoder with the artifacts that were read last, and the built-in ABIs. */
  decoder(): Awaitable<Decoder> {
    return this.#decoder && !this.#reading && !this.#isDue(READ_FOR_KNOWN) ? this.#decoder : this.#read();
  }

  /** @param key of an error or a code that the artifacts read last don't have */
  #mustRead(key: string): boolean {
    return this.#isDue(this.#unknown.has(key) ? READ_FOR_KNOWN : READ_FOR_NEW);
  }

  #isDue(after: number): boolean {
    return this.#clock.now() - this.#readAt >= after;
  }

  #remember(key: string): void {
    if (this.#unknown.size >= MAX_UNKNOWN) this.#unknown.clear();
    if (this.#names.size >= MAX_UNKNOWN) this.#names.clear();
    this.#unknown.add(key);
  }

  #read(): Promise<Decoder> {
    this.#reading ??= this.#readFolder().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readFolder(): Promise<Decoder> {
    this.#readAt = this.#clock.now();
    const [{ Decoder }, { artifactOf }, files] = await Promise.all([
      import('./abi/decoder.ts'),
      import('./abi/artifact.ts'),
      this.folder.read(),
    ]);
    if (this.#decoder && files === this.#files) return this.#decoder;
    const decoder = new Decoder();
    for (const file of files) {
      decoder.add(artifactOf(file.file, file));
      await giveWay();
    }
    this.#creations = undefined;
    this.#files = files;
    this.#decoder = decoder;
    this.#unknown.clear();
    this.#names.clear();
    return decoder;
  }

  async #readCreations(): Promise<readonly Artifact[]> {
    const { artifactOf, codeIn } = await import('./abi/artifact.ts');
    const codes = await this.folder.creationCodes();
    return [...codes]
      .flatMap(([file, bytecode]) => {
        const code = codeIn(bytecode);
        return code === undefined ? [] : { ...artifactOf(file.file, file), code, masked: [] };
      })
      .sort((a, b) => b.code.length - a.code.length);
  }
}

/** Whether a revert's data may be a custom error: it has a selector, which isn't `Error(string)` or `Panic(uint256)`. */
function mayBeCustom(data: Uint8Array): boolean {
  if (data.length < 4) return false;
  const selector = bytesToHex(data.subarray(0, 4));
  return selector !== ERROR && selector !== PANIC;
}

/** {@link Contracts.errorIn} for several reverts, in their order. @param data of reverts; `undefined` for calls that didn't revert */
export function errorsIn(
  contracts: Contracts,
  data: readonly (Uint8Array | undefined)[],
): Awaitable<readonly (Decoded | undefined)[]> {
  const found: (Decoded | undefined)[] = [];
  let waiting: Awaitable<unknown>;
  for (const [i, each] of data.entries())
    waiting = andThen(waiting, () =>
      andThen(each && contracts.errorIn(each), (decoded) => {
        found[i] = decoded;
      }),
    );
  return andThen(waiting, () => found);
}

/** A contract's name, and the names of its functions by selector, 8 hex digits. */
export interface NamedContract {
  readonly name: string;
  readonly functions: ReadonlyMap<string, string>;
}

/** Names of contracts, their calls and errors, and the source lines of their opcodes. */
export interface KnownContracts {
  readonly contracts: Contracts;
  /** The code of an address and its hash, `0x` hex, in the newest executed state. */
  readonly codeOf: (address: Address) => Promise<{ readonly code: Uint8Array; readonly hash: string }>;
  /** The source line of an opcode, from the project's build infos; `undefined` if it isn't known. */
  readonly sourceOf: (opcode: RanOpcode) => Promise<SourceLine | undefined>;
}
