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
  readonly accessList?: AccessList | undefined;
}

/** Accounts and their slots, in `0x` hex. */
export type AccessList = readonly { readonly address: string; readonly storageKeys: readonly string[] }[];

/**
 * Fetches what a call will read before it gets there. A run that finds something missing waits for it, goes on, and waits for
 * the next: with the other node far away most of its time is waiting. So the first thing that a call misses goes out
 * together with the question for its access list (EIP-2930), and what is in that is fetched in one batch.
 */
export class Prefetcher {
  readonly #endpoint: CachedEndpoint;
  readonly #block: RemoteBlock;
  /** the calls that run now and have missed nothing so far */
  readonly #expected = new Set<ExpectedCall>();
  /** whether the other node makes access lists */
  #isOffered = true;

  constructor(deps: { endpoint: CachedEndpoint; block: RemoteBlock }) {
    this.#endpoint = deps.endpoint;
    this.#block = deps.block;
    this.#endpoint.onMiss(() => this.#missed());
  }

  /** Tells that a call is executed, until the result is disposed of. */
  expect(call: ExpectedCall): Disposable {
    this.#expected.add(call);
    return { [Symbol.dispose]: () => void this.#expected.delete(call) };
  }

  #missed(): void {
    for (const call of this.#expected) {
      this.#expected.delete(call);
      // An error occurs again where what it is about is needed.
      this.#lookAhead(call).catch(() => {});
    }
  }

  async #lookAhead(call: ExpectedCall): Promise<void> {
    const list = call.accessList?.length ? call.accessList : await this.#accessListOf(call);
    for (const { address, storageKeys } of list)
      this.#block.prefetch(
        readBytes(address, 'address', 20),
        storageKeys.map((slot) => readBytes(slot, 'slot', 32)),
      );
  }

  async #accessListOf({ from, to, data }: ExpectedCall): Promise<AccessList> {
    if (!this.#isOffered) return [];
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
      return [];
    }
  }
}

function isUnknownMethod({ code, message }: RpcError): boolean {
  return code === -32601 || code === -32004 || /method .*(not |un)|unsupported|not supported/i.test(message);
}

function accessListIn(answer: unknown): AccessList {
  const { accessList } = (answer ?? {}) as { accessList?: unknown };
  if (!Array.isArray(accessList)) throw new BadAnswer('accessList', 'a list', accessList);
  return accessList as AccessList;
}
