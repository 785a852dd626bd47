import { Address, bytesToHex, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import type { Receipt, Transaction } from '../chain/block.ts';
import type { Frame } from '../engine/tracers/frames.ts';
import type { ErrorData } from '../errors.ts';
import { ERROR, revertReason } from '../protocol/revert-reason.ts';
import type { Executed } from '../protocol/types.ts';
import { callText } from '../sources/abi/argument-text.ts';
import type { Decoder } from '../sources/abi/decoder.ts';
import type { Contracts, KnownContracts } from '../sources/contracts.ts';
import { faultOf } from '../stack-trace/fault.ts';
import type { StackTrace } from '../stack-trace/stack-trace.ts';

/** Executes a transaction of a block again; returns `undefined` if it is in no block. */
export type ExecuteAgain = (hash: Uint8Array) => Promise<Executed | undefined>;

/** Returns where in the source a call, or a transaction given by its hash, failed. */
export type FindFailure = (
  failed: { readonly transaction?: string; readonly data?: ErrorData },
  call?: { readonly method: string; readonly params: readonly unknown[] },
) => Promise<StackTrace | undefined>;

/** A description of a transaction, as far as it is known. */
export interface Explained {
  /** name of the contract that the transaction calls or creates */
  readonly contract?: string | undefined;
  /** `transfer(to: 0x..., amount: 1)` */
  readonly call?: string | undefined;
  /** `transfer`, or the selector if no ABI has the function; `undefined` for a plain transfer and a contract creation */
  readonly function?: string | undefined;
  /** why it failed */
  readonly failure?: string | undefined;
  /** where in the source it failed */
  readonly trace?: StackTrace | undefined;
}

/** The names of the contracts in a call tree. */
export interface TraceNames {
  readonly decoder: Decoder;
  /** name of a contract by its address, `0x` hex in lower case */
  readonly contracts: ReadonlyMap<string, string>;
}

/** Maximum number of cached failure reasons, so that the log and a report execute each transaction again only once. */
const MAX_KEPT = 1_000;

/** Describes transactions, calls and reverts in words, with the ABIs of compiled contracts. */
export class Explainer {
  readonly #known: KnownContracts;
  readonly #again: ExecuteAgain;
  /** finds where in the source something failed */
  readonly whereFailed: FindFailure;
  /** why transactions failed, by hash */
  readonly #failures = new Map<string, Promise<string | undefined>>();

  constructor(
    known: KnownContracts,
    deps: { readonly again: ExecuteAgain; readonly whereFailed: FindFailure },
  ) {
    this.#known = known;
    this.#again = deps.again;
    this.whereFailed = deps.whereFailed;
  }

  /** Describes what a transaction calls. */
  async call({ tx }: Transaction, { contractAddress }: Pick<Receipt, 'contractAddress'>): Promise<Explained> {
    const address = tx.to ?? contractAddress;
    const contract = address && (await this.nameOf(address as Address));
    return tx.to ? this.#called(contract, bytesToHex(tx.data) as PrefixedHexString) : { contract };
  }

  /**
   * Describes what a request calls whose first parameter is a transaction object, such as `eth_call` and `eth_estimateGas`.
   * @param params the parameters as received, not validated
   * @returns `undefined` if they are something else, or create a contract
   */
  async request([object]: readonly unknown[]): Promise<Explained | undefined> {
    const { to, data, input } = (object ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof to !== 'string' || !/^0x[\da-f]{40}$/i.test(to)) return undefined;
    const sent = input ?? data;
    const contract = await this.nameOf(new Address(hexToBytes(to as PrefixedHexString)));
    return this.#called(contract, typeof sent === 'string' ? (sent as PrefixedHexString) : '0x');
  }

  /** @param data `0x` hex */
  async #called(contract: string | undefined, data: PrefixedHexString): Promise<Explained> {
    if (data.length < 10) return { contract };
    const decoder = await this.#known.contracts.decoder();
    const decoded = decoder.call(data, contract);
    if (!decoded || decoded.broken) return { contract, function: data.slice(0, 10) };
    return { contract, function: decoded.name, call: callText(decoded, 'named') };
  }

  /**
   * Returns why a transaction failed, by executing it again.
   * @returns `undefined` if the reason can't be found
   */
  failure({ hash }: Transaction): Promise<string | undefined> {
    const key = bytesToHex(hash);
    const known = this.#failures.get(key);
    if (known) return known;
    if (this.#failures.size >= MAX_KEPT) this.#failures.clear();
    const learnt = this.#again(hash).then((executed) => {
      const { failure, returnData } = executed ?? {};
      if (!failure) return undefined;
      return failure.revert ? this.revert(bytesToHex(returnData!)) : failure.reason;
    });
    this.#failures.set(key, learnt);
    return learnt;
  }

  /**
   * @param data revert data, `0x` hex
   * @returns the reason string in quotation marks or the meaning of a panic; a custom error as `Name(argument: value)`; else the data
   */
  revert(data: string): Promise<string> {
    return revertText(this.#known.contracts, data);
  }

  /** Returns the names of the contracts in a call tree. */
  async namesIn(root: Frame): Promise<TraceNames> {
    const contracts = new Map<string, string>();
    const open = [root];
    for (let frame = open.pop(); frame; frame = open.pop()) {
      open.push(...frame.calls);
      const { type, to, output } = frame;
      if (!to || frame.precompile || contracts.has(to.toString())) continue;
      const isNew = type === 'CREATE' || type === 'CREATE2';
      const name = isNew ? await this.#known.contracts.nameOf(output, to.toString()) : await this.nameOf(to);
      if (name !== undefined) contracts.set(to.toString(), name);
    }
    return { decoder: await this.#known.contracts.decoder(), contracts };
  }

  /** Returns the name of the contract at an address. */
  async nameOf(address: Address): Promise<string | undefined> {
    const { code, hash } = await this.#known.codeOf(address);
    return this.#known.contracts.nameOf(code, hash);
  }
}

const NO_REASON = 'reverted with no reason';

/** Why something failed. If the contract gave no reason, the stack trace may have one, such as a value sent to a non-payable function. */
export function failureText(failure: string | undefined, trace: StackTrace | undefined): string | undefined {
  const last = trace?.frames.at(-1);
  const fault = failure === NO_REASON && last ? faultOf(last) : undefined;
  return fault === undefined ? failure : `reverted: ${fault}`;
}

/** See {@link Explainer.revert}. */
export async function revertText(contracts: Contracts, data: string): Promise<string> {
  if (data === '0x') return NO_REASON;
  const bytes = hexToBytes(data as PrefixedHexString);
  const reason = revertReason(bytes);
  // In quotation marks, as strings in custom errors are, since a reason may look like any other text, or be empty.
  if (reason !== undefined)
    return `reverted with ${data.startsWith(ERROR) ? JSON.stringify(reason) : reason}`;
  const custom = await contracts.errorIn(bytes);
  const cut = data.length > 74 ? `${data.slice(0, 74)}...` : data;
  return `reverted with ${custom ? callText(custom, 'named') : cut}`;
}

/** Formats the function with its arguments after its contract; `undefined` if neither has a name. */
export function calledText({ contract, call, function: name }: Explained): string | undefined {
  const called = call ?? (contract === undefined ? undefined : name);
  return [contract, called].filter((part) => part !== undefined).join('.') || undefined;
}
