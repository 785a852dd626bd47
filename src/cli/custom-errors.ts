import { hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import type { Clock } from '../clock.ts';
import { revertReason } from '../evm/revert-reason.ts';
import { type Artifact, readArtifacts } from '../server/artifacts.ts';

/** Milliseconds for which the artifacts that were read count as new. */
const FRESH = 5_000;

/** Puts what a call reverted with into words, with the ABIs of compiled contracts. */
export class CustomErrors {
  readonly #folder: string | undefined;
  readonly #clock: Pick<Clock, 'now'>;
  #artifacts: Promise<readonly Artifact[]> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

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
    const find = (artifacts: readonly Artifact[]) => {
      for (const { abi } of artifacts)
        try {
          const found = decodeError(data, abi as Parameters<typeof decodeError>[1]);
          if (found) return `${found.name}(${found.args === undefined ? '' : list(found.args)})`;
        } catch {
          // Another contract's error with the same selector, or no valid ABI.
        }
      return undefined;
    };
    const known = this.#artifacts && find(await this.#artifacts);
    if (known !== undefined || this.#clock.now() - this.#readAt < FRESH) return known;
    // It may have been compiled since.
    this.#readAt = this.#clock.now();
    this.#artifacts = readArtifacts(this.#folder);
    return find(await this.#artifacts);
  }
}

/** Arguments: an object by their names, a list of those without names, or the only one. */
function list(args: unknown): string {
  if (Array.isArray(args)) return args.map(text).join(', ');
  if (typeof args !== 'object' || args === null || args instanceof Uint8Array) return text(args);
  return Object.entries(args)
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
