import { bytesToHex } from '@ethereumjs/util';
import type { CallRequest } from '../execution/call-request.ts';
import type { Message } from '../protocol/types.ts';
import { keccak256 } from '../state/keccak.ts';

/** Limit of the estimates that are kept; the oldest are discarded. */
const MAX_ESTIMATES = 10_000;
/** A gas limit up to this multiple of an estimate counts as derived from it, because tools add a margin. */
const MAX_MARGIN = 2n;

type Asked = Pick<CallRequest, 'from' | 'to' | 'value' | 'data'>;

/** The gas estimates that a node returned. They tell whether a transaction's gas limit was estimated or fixed. */
export class Estimates {
  /** by request; the oldest first */
  readonly #gas = new Map<string, bigint>();

  add(request: CallRequest, gas: bigint): void {
    const key = keyOf(request);
    this.#gas.delete(key);
    this.#gas.set(key, gas);
    if (this.#gas.size > MAX_ESTIMATES) this.#gas.delete(this.#gas.keys().next().value!);
  }

  /** The estimate from which a transaction's gas limit was derived: of the same call, and at least 1 / MAX_MARGIN of the limit. */
  of(message: Message): bigint | undefined {
    const gas = this.#gas.get(keyOf(message));
    const follows = gas !== undefined && message.gasLimit >= gas && message.gasLimit <= MAX_MARGIN * gas;
    return follows ? gas : undefined;
  }
}

function keyOf({ from, to, value = 0n, data = new Uint8Array() }: Asked): string {
  return [from, to, value, bytesToHex(keccak256(data))].join();
}
