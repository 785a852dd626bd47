import { bytesToHex } from '@ethereumjs/util';
import type { CallRequest } from '../execution/call-request.ts';
import type { Message } from '../protocol/types.ts';
import { keccak256 } from '../state/keccak.ts';

/** Estimates that are remembered: the newest. */
const MOST_ESTIMATES = 10_000;
/** A gas limit follows from an estimate up to this multiple of it: tools add a margin. */
const MOST_MARGIN = 2n;

type Asked = Pick<CallRequest, 'from' | 'to' | 'value' | 'data'>;

/** The gas limits that a node has estimated: by them it is known of a transaction whether its limit was fixed or estimated. */
export class Estimates {
  /** by what was asked; the oldest first */
  readonly #gas = new Map<string, bigint>();

  add(request: CallRequest, gas: bigint): void {
    const key = keyOf(request);
    this.#gas.delete(key);
    this.#gas.set(key, gas);
    if (this.#gas.size > MOST_ESTIMATES) this.#gas.delete(this.#gas.keys().next().value!);
  }

  /** The estimate from which the gas limit of a transaction follows: of the same call, and the limit itself or half of it at least. */
  of(message: Message): bigint | undefined {
    const gas = this.#gas.get(keyOf(message));
    const follows = gas !== undefined && message.gasLimit >= gas && message.gasLimit <= MOST_MARGIN * gas;
    return follows ? gas : undefined;
  }
}

function keyOf({ from, to, value = 0n, data = new Uint8Array() }: Asked): string {
  return [from, to, value, bytesToHex(keccak256(data))].join();
}
