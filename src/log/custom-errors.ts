import { bytesToHex, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import type { decodeError } from 'micro-eth-signer/abi.js';
import type { Clock } from '../clock.ts';
import { revertReason } from '../evm/revert-reason.ts';
import { type Artifact, readArtifacts } from '../server/artifacts.ts';

/** Milliseconds after which artifacts are read again: for an error that wasn't met before, and for one that was. */
const READ_FOR_NEW = 5_000;
const READ_FOR_KNOWN = 60_000;
/** Selectors that are remembered. */
const MOST_SELECTORS = 1_000;

/** An error of an ABI. */
type AbiError = NonNullable<Parameters<typeof decodeError>[1]>[number];

/** Puts what a call reverted with into words, with the ABIs of compiled contracts. */
export class CustomErrors {
  readonly #folder: string | undefined;
  readonly #clock: Pick<Clock, 'now'>;
  /** all errors of the artifacts, each once */
  #errors: Promise<readonly AbiError[]> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  /** by selector; `undefined`: none of the artifacts has it */
  readonly #found = new Map<string, AbiError | undefined>();

  /** @param options.artifacts see {@link readArtifacts} */
  constructor(
    options: { readonly artifacts?: string | undefined },
    deps: { readonly clock: Pick<Clock, 'now'> },
  ) {
    this.#folder = options.artifacts;
    this.#clock = deps.clock;
  }

  /**
   * @param data of the revert, `0x` hex
   * @returns the reason string or the meaning of a panic; a custom error as `Name(argument: value)`; else the data
   */
  async describe(data: string): Promise<string> {
    if (data === '0x') return 'no reason';
    const bytes = hexToBytes(data as PrefixedHexString);
    const reason = revertReason(bytes);
    if (reason !== undefined) return reason;
    return (await this.#decode(bytes)) ?? (data.length > 74 ? `${data.slice(0, 74)}...` : data);
  }

  async #decode(data: Uint8Array): Promise<string | undefined> {
    if (data.length < 4) return undefined;
    const { decodeError } = await import('micro-eth-signer/abi.js');
    const decode = (error: AbiError) => {
      try {
        const found = decodeError(data, [error]);
        return found && `${found.name}(${argumentsText(error, found.args)})`;
      } catch {
        // Another contract's error with the same selector, or no valid ABI.
        return undefined;
      }
    };
    const selector = bytesToHex(data.subarray(0, 4));
    const known = this.#found.get(selector);
    if (known) return decode(known);
    const isNew = !this.#found.has(selector);
    if (this.#clock.now() - this.#readAt >= (isNew ? READ_FOR_NEW : READ_FOR_KNOWN)) {
      this.#readAt = this.#clock.now();
      this.#errors = readArtifacts(this.#folder).then(errorsOf);
    }
    const error = (await this.#errors)?.find((it) => decode(it) !== undefined);
    if (this.#found.size >= MOST_SELECTORS) this.#found.clear();
    this.#found.set(selector, error);
    return error && decode(error);
  }
}

function errorsOf(artifacts: readonly Artifact[]): readonly AbiError[] {
  const errors = artifacts.flatMap(({ abi }) => abi.filter((item) => (item as AbiError)?.type === 'error'));
  // Contracts have those of the contracts that they inherit from too.
  return [...new Map(errors.map((error) => [JSON.stringify(error), error as AbiError])).values()];
}

/** @param args the only argument by itself */
function argumentsText({ inputs = [] }: AbiError, args: unknown): string {
  if (inputs.length !== 1) return args === undefined ? '' : list(args);
  const [{ name } = { name: '' }] = inputs;
  return name ? `${name}: ${text(args)}` : text(args);
}

/** Values: an object by their names, or a list of those without names. */
function list(args: unknown): string {
  if (Array.isArray(args)) return args.map(text).join(', ');
  return Object.entries(args as object)
    .map(([name, value]) => `${name}: ${text(value)}`)
    .join(', ');
}

function text(value: unknown): string {
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`;
  if (Array.isArray(value)) return `[${list(value)}]`;
  if (typeof value === 'object' && value !== null) return `{${list(value)}}`;
  // A string from the chain must not write to the terminal as it likes.
  return typeof value === 'string' && !/^0x[\da-f]+$/i.test(value) ? JSON.stringify(value) : String(value);
}
