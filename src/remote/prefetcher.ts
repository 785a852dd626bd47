import { DevnetError } from '../errors.ts';
import type { CachedEndpoint } from './cached-endpoint.ts';
import type { RemoteBlock } from './remote-block.ts';
import { RpcError } from './rpc-client.ts';
import { BadAnswer, readBytes, writeQuantity } from './wire.ts';

/** A call or a transaction that is about to be executed. All in `0x` hex. */
export interface ExpectedCall {
  readonly from?: string | undefined;
  readonly to: string;
  readonly data: string;
  /** where it is known: that of the transaction */
  readonly accessList?: HexAccessList | undefined;
}

/** Accounts and their slots, in `0x` hex. */
export type HexAccessList = readonly { readonly address: string; readonly storageKeys: readonly string[] }[];

/** Functions of contracts of which it is remembered that they miss one thing only. */
const MOST_REMEMBERED = 10_000;

/**
 * Fetches what a call will read before it gets there. A run that finds something missing waits for it, goes on, and waits for
 * the next: with the other node far away most of its time is waiting. So the first thing that a call misses goes out
 * together with the question for its access list (EIP-2930), and what is in that is fetched in one batch. Where the list of an
 * earlier call of the same function had nothing more that was missing, the question waits for the second thing that is.
 */
export class Prefetcher {
  readonly #endpoint: CachedEndpoint;
  readonly #block: RemoteBlock;
  /** The calls that run now, and of which no list was asked for. The value is the batch with what one has missed so far. */
  readonly #expected = new Map<ExpectedCall, number | undefined>();
  /** contract and function of calls whose list had nothing more than what was fetched already */
  readonly #single = new Set<string>();
  /** number of the batch that is gathered now: what is missed in one turn of the event loop goes out in one */
  #batch = 0;
  #isGathering = false;
  /** whether the other node makes access lists */
  #isOffered = true;

  constructor(deps: { endpoint: CachedEndpoint; block: RemoteBlock }) {
    this.#endpoint = deps.endpoint;
    this.#block = deps.block;
    this.#endpoint.onMiss(() => this.#missed());
  }

  /** Tells that a call is executed, until the result is disposed of. */
  expect(call: ExpectedCall): Disposable {
    this.#expected.set(call, undefined);
    return { [Symbol.dispose]: () => void this.#expected.delete(call) };
  }

  #missed(): void {
    const batch = this.#gathered();
    for (const [call, missed = batch] of this.#expected) {
      if (missed === batch && !call.accessList?.length && this.#single.has(functionOf(call))) {
        this.#expected.set(call, batch);
        continue;
      }
      this.#expected.delete(call);
      // An error occurs again where what it is about is needed.
      this.#lookAhead(call).catch(() => {});
    }
  }

  #gathered(): number {
    if (!this.#isGathering)
      setImmediate(() => {
        this.#isGathering = false;
        this.#batch++;
      });
    this.#isGathering = true;
    return this.#batch;
  }

  async #lookAhead(call: ExpectedCall): Promise<void> {
    const list = call.accessList?.length ? call.accessList : await this.#accessListOf(call);
    if (!list) return;
    let fetched = 0;
    for (const { address, storageKeys } of list)
      fetched += this.#block.prefetch(
        readBytes(address, 'address', 20),
        storageKeys.map((slot) => readBytes(slot, 'slot', 32)),
      );
    if (fetched > 0) this.#single.delete(functionOf(call));
    else if (this.#single.size < MOST_REMEMBERED) this.#single.add(functionOf(call));
  }

  /** @returns `undefined` where there is none to be had */
  async #accessListOf({ from, to, data }: ExpectedCall): Promise<HexAccessList | undefined> {
    if (!this.#isOffered) return undefined;
    const request = { ...(from !== undefined && { from }), to, data };
    try {
      return await this.#endpoint.fetch({
        method: 'eth_createAccessList',
        params: [request, writeQuantity(this.#block.number)],
        what: 'an access list',
        read: accessListIn,
      });
    } catch (error) {
      const answered = error instanceof DevnetError ? error.cause : undefined;
      // Of a call that fails there, for example for want of a balance, nothing follows for other calls.
      if (answered instanceof RpcError && isUnknownMethod(answered)) this.#isOffered = false;
      return undefined;
    }
  }
}

/** Contract and function selector: the first four bytes of the data. */
function functionOf({ to, data }: ExpectedCall): string {
  return `${to.toLowerCase()}${data.slice(0, 10)}`;
}

function isUnknownMethod({ code, message }: RpcError): boolean {
  return code === -32601 || code === -32004 || /method .*(not |un)|unsupported|not supported/i.test(message);
}

function accessListIn(answer: unknown): HexAccessList {
  const { accessList } = (answer ?? {}) as { accessList?: unknown };
  if (!Array.isArray(accessList)) throw new BadAnswer('accessList', 'a list', accessList);
  return accessList as HexAccessList;
}
