import { EVMError } from '@ethereumjs/evm';
import type { Address } from '@ethereumjs/util';
import type { Hardfork } from '../../protocol/hardfork.ts';
import { SYSTEM_ADDRESS } from '../../protocol/system-contracts.ts';
import { transferLog } from '../../protocol/transfer-logs.ts';
import type { Log } from '../../protocol/types.ts';
import { haltReason } from '../halt-reason.ts';
import type { CallEnd, CallListener, CallStart, RunListener } from '../run-listener.ts';

const UNPAID_CODE = haltReason(EVMError.errorMessages.CODESTORE_OUT_OF_GAS);

/** A log with its number: the number of logs emitted before it. */
type Emitted = readonly [log: Log, emission: number];

/** A frame that has begun. */
interface OpenFrame {
  readonly logs: Emitted[];
  /** the transfer of a creation, which can't be logged before the creation ends, since its address isn't known earlier */
  endows?: { readonly from: Address; readonly value: bigint; readonly emission: number } | undefined;
}

/**
 * Collects the logs of a run as geth's simulations do: including ETH transfers as logs, each log with the number of logs before it, where
 * logs of reverted frames count.
 */
export class LogCollector implements RunListener {
  readonly #tellsTransfers: boolean;
  readonly #hardfork: Hardfork;
  readonly #open: OpenFrame[] = [];
  #logs: readonly Emitted[] = [];
  #count = 0;

  /** @param transfers whether to log transfers that the hardfork itself doesn't log (EIP-7708) */
  constructor(transfers: boolean, hardfork: Hardfork) {
    this.#tellsTransfers = transfers || hardfork.has(7708);
    this.#hardfork = hardfork;
  }

  /** The logs of the run, when it has ended. @param areNumbered whether the logs contain their numbers */
  logs(areNumbered: boolean): Log[] {
    return this.#logs.map(([log, emission]) => (areNumbered ? { ...log, emission } : log));
  }

  /** The number of logs, including those of reverted frames. */
  get count(): number {
    return this.#count;
  }

  start(): void {}

  readonly calls: CallListener = {
    begin: (call) => this.#begin(call),
    endsUnpaid: () => this.#forgetTransfer(),
    end: (end) => this.#end(end),
    refuse: () => {},
    log: (log) => this.#add({ ...log, data: log.data.slice() }),
    selfDestruct: (account, beneficiary, balance) => {
      if (this.#tells(account, beneficiary, balance))
        this.#add(this.#transfer(account, beneficiary, balance));
    },
  };

  #begin({ type, from, to, value = 0n }: CallStart): void {
    // CALLCODE and DELEGATECALL transfer nothing: they run other code on the caller's own account.
    const moves = type !== 'CALLCODE' && type !== 'DELEGATECALL' && this.#tells(from, to, value);
    this.#open.push({
      logs: [],
      endows: moves && !to ? { from, value, emission: this.#count++ } : undefined,
    });
    if (moves && to) this.#add(this.#transfer(from, to, value));
  }

  /** Removes the log of the transfer. It is the last log, since no code has run after it. */
  #forgetTransfer(): void {
    const frame = this.#open.at(-1)!;
    const hasTransfer = frame.endows !== undefined || frame.logs.pop() !== undefined;
    frame.endows = undefined;
    if (hasTransfer) this.#count--;
  }

  #end({ error, created }: CallEnd): void {
    const { logs, endows } = this.#open.pop()!;
    if (endows && created)
      logs.unshift([this.#transfer(endows.from, created, endows.value), endows.emission]);
    // Before Homestead a creation whose code deposit can't be paid doesn't fail.
    const isKept = error === undefined || (error === UNPAID_CODE && !this.#hardfork.atLeast('homestead'));
    const kept = isKept ? logs : [];
    const parent = this.#open.at(-1);
    if (parent) parent.logs.push(...kept);
    else this.#logs = kept;
  }

  #tells(from: Address, to: Address | undefined, value: bigint): boolean {
    return this.#tellsTransfers && value > 0n && !(this.#hardfork.has(7708) && to?.equals(from));
  }

  #add(log: Log): void {
    this.#open.at(-1)!.logs.push([log, this.#count++]);
  }

  #transfer(from: Address, to: Address, value: bigint): Log {
    const log = transferLog(from, to, value);
    return this.#hardfork.has(7708) ? { address: SYSTEM_ADDRESS, topics: log.topics, data: log.data } : log;
  }
}
