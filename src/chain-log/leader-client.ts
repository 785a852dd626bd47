import { DevnetError } from '../errors.ts';
import { rpcError } from '../remote/transport.ts';
import type { Passage } from '../rpc/passage.ts';
import { type Position, positionOf, textOf } from './position.ts';
import type { Progress } from './progress.ts';

/** Milliseconds for which an answer about the leader's position is waited for. */
const LOOK_MS = 2_000;

interface Answer {
  readonly result?: unknown;
  readonly error?: { code?: unknown; message?: unknown; data?: unknown };
}

/** Passes calls on to the leader, and waits until what they did is in the own chain. */
export class LeaderClient {
  readonly #progress: Progress;
  readonly #find: () => Promise<string>;
  #address: string | undefined;

  /** @param deps.find asks for the address of the leader's JSON-RPC; empty when nobody knows */
  constructor(deps: { progress: Progress; find: () => Promise<string> }) {
    this.#progress = deps.progress;
    this.#find = deps.find;
  }

  /** `http://host:port`; empty while it isn't known */
  get address(): string {
    return this.#address ?? '';
  }

  /** To be called when the leader may be another one. */
  async refresh(): Promise<void> {
    this.#address = await this.#find();
  }

  /** How far the leader is; `undefined` when it doesn't answer. */
  position(): Promise<Position | undefined> {
    return this.#look({});
  }

  /**
   * Lets the leader before know that there is a later one, where it can be reached: one that is cut off from Redis, or whose
   * connections are refused there, hears of it in no other way.
   * @param fence of the later leader
   */
  async tellOf(fence: number): Promise<void> {
    await this.#look({ 'devnet-position': textOf({ fence, task: 0 }) });
  }

  async #look(headers: Readonly<Record<string, string>>): Promise<Position | undefined> {
    try {
      const response = await fetch(this.address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }),
        signal: AbortSignal.timeout(LOOK_MS),
      });
      await response.arrayBuffer();
      return positionOf(response.headers.get('devnet-position') ?? '');
    } catch {
      return undefined;
    }
  }

  /** @throws DevnetError with the leader's error, or when it doesn't answer */
  async request(method: string, params: readonly unknown[], passage?: Passage): Promise<unknown> {
    const { address } = this;
    try {
      return await this.#ask(method, params, passage);
    } catch (error) {
      const { cause } = error as { cause?: NodeJS.ErrnoException };
      if (error instanceof DevnetError || !cause) throw error;
      await this.refresh().catch(() => {});
      // Nobody got the call, and there is another leader. Any other failure may come after its execution.
      if (cause.code === 'ECONNREFUSED' && this.address !== address)
        return this.request(method, params, passage);
      const leader = address === '' ? 'has no known address' : `at ${address} doesn't answer`;
      throw new DevnetError('server', { reason: `the leader ${leader}: ${cause.message}` });
    }
  }

  async #ask(method: string, params: readonly unknown[], passage?: Passage): Promise<unknown> {
    const response = await fetch(this.address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const position = response.headers.get('devnet-position');
    const answer = (await response.json()) as Answer;
    // A call that failed may have changed the chain as well.
    if (position !== null && !(await this.#progress.reached(position))) passage?.isAhead(position);
    if (answer.error) throw DevnetError.foreign(rpcError(answer.error));
    return answer.result;
  }
}
