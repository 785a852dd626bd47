import { DevnetError } from '../errors.ts';
import type { CachedEndpoint } from './cached-endpoint.ts';
import type { RemoteBlock } from './remote-block.ts';
import { RpcError } from './rpc-client.ts';
import { BadAnswer, readBytes, writeQuantity } from './wire.ts';

/** A call or transaction that is about to be executed. All values are `0x` hex. */
export interface ExpectedCall {
  readonly from?: string | undefined;
  readonly to: string;
  readonly data: string;
  /** the transaction's access list, if known */
  readonly accessList?: HexAccessList | undefined;
}

/** Accounts and their storage keys, in `0x` hex. */
export type HexAccessList = readonly { readonly address: string; readonly storageKeys: readonly string[] }[];

/** Maximum number of remembered contract functions that miss only one value. */
const MAX_REMEMBERED = 10_000;

/**
 * Fetches values in advance that a call will read. Otherwise a run would wait for each missing value separately, and with a distant remote
 * node most of its time would be waiting. So together with the first missing value an access list (EIP-2930) for the call is requested, and
 * the values in that list are fetched in one batch. If the list for an earlier call of the same function contained no further missing
 * values, the request for the list is made only at the second missing value.
 */
export class Prefetcher {
  readonly #endpoint: CachedEndpoint;
  readonly #block: RemoteBlock;
  /** Running calls for which no access list was requested. The value is the batch with the values that the call has missed so far. */
  readonly #expected = new Map<ExpectedCall, number | undefined>();
  /** contract and function of calls whose access list contained nothing but values already fetched */
  readonly #single = new Set<string>();
  /** number of the batch being collected: all misses in one turn of the event loop are sent in one batch */
  #batch = 0;
  #isGathering = false;
  /** whether the remote node supports access lists */
  #isOffered = true;

  constructor(deps: { endpoint: CachedEndpoint; block: RemoteBlock }) {
    this.#endpoint = deps.endpoint;
    this.#block = deps.block;
    this.#endpoint.onMiss(() => this.#missed());
  }

  /** Registers a call that is being executed, until the result is disposed of. */
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
      // If the data is needed, the error occurs again there.
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
    else if (this.#single.size < MAX_REMEMBERED) this.#single.add(functionOf(call));
  }

  /** @returns `undefined` if none is available */
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
      // A failure of the call itself, for example for lack of balance, says nothing about other calls.
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
