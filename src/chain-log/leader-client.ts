import type { Clock } from '../clock.ts';
import { DevnetError } from '../errors.ts';
import { failureOf } from '../remote/failure.ts';
import { rpcError } from '../remote/transport.ts';
import type { Passage } from '../rpc/passage.ts';
import { FORWARDED, MISDIRECTED } from '../server/forwarded.ts';
import { type Position, positionOf, textOf } from './position.ts';
import type { Progress } from './progress.ts';

/** Milliseconds for which an answer about the leader's position, or its address in Redis, is waited for. */
const LOOK_MS = 2_000;
/** Part of the time for which the leader may be silent that a look at it takes at most, so that there are some looks within it. */
const LOOK = 0.4;
/** Milliseconds without an answer after which a follower asks whether the leader answers anything. */
const PATIENCE_MS = 1_000;
/** How often a call is sent to another leader than before. */
const MOST_LEADERS = 3;

const REPLACED =
  'the leader was replaced before it answered: what it did is in the chain as far as it had written it to the log';

interface Answer {
  readonly result?: unknown;
  readonly error?: { code?: unknown; message?: unknown; data?: unknown };
}

/** What a look at the leader's address has found. */
export interface Sight {
  /** how far the leader is; `undefined` when it doesn't answer */
  readonly position: Position | undefined;
  /** whether nothing came back at all, as from a machine that is cut off. Not where the connection is refused: there nobody leads. */
  readonly isSilent: boolean;
}

const NOBODY: Sight = { position: undefined, isSilent: false };

export interface LeaderClientDeps {
  readonly progress: Progress;
  /** asks for the address of the leader's JSON-RPC; empty when nobody knows */
  readonly find: () => Promise<string>;
  /** the machine's clock */
  readonly clock: Clock;
}

/** Passes calls on to the leader, and waits until what they did is in the own chain. */
export class LeaderClient {
  readonly #silent: number;
  readonly #deps: LeaderClientDeps;
  /** what ends each call that is under way, and the address to which it was sent */
  readonly #pending = new Map<AbortController, string>();
  #address: string | undefined;
  #watching: Promise<void> | undefined;

  /** @param options.silent milliseconds after which a leader that answers nothing at all is taken for one that hangs */
  constructor(options: { silent: number }, deps: LeaderClientDeps) {
    this.#silent = options.silent;
    this.#deps = deps;
  }

  /** `http://host:port`; empty while it isn't known */
  get address(): string {
    return this.#address ?? '';
  }

  /** To be called when the leader may be another one. Gives up after some seconds, with the address that was known. */
  async refresh(): Promise<void> {
    const { find, clock } = this.#deps;
    let limit: Disposable | undefined;
    const late = new Promise<undefined>((resolve) => {
      limit = clock.after(LOOK_MS, () => resolve(undefined));
    });
    try {
      const address = await Promise.race([find(), late]);
      if (address === undefined || address === this.#address) return;
      this.#address = address;
      // They were sent after it was known that there is another leader, and before where that is. One whose connection is refused
      // ends by itself, and is sent to the next leader.
      const sent = [...this.#pending.keys()];
      const isLeft = (other: string, call: AbortController) => other !== address && sent.includes(call);
      clock.after(PATIENCE_MS, () => this.#end(REPLACED, isLeft), { keepsProcess: false });
    } finally {
      limit?.[Symbol.dispose]();
    }
  }

  /** To be called when there is another leader: the one before may never answer. */
  replaced(): void {
    this.#end(REPLACED);
  }

  /**
   * Asks the leader how far it is. Where it doesn't tell, asks for its address again: one that was started again has none until it
   * listens, and nobody tells of that.
   */
  async look(): Promise<Sight> {
    const ms = Math.min(LOOK_MS, Math.round(this.#silent * LOOK));
    const { address } = this;
    const sight = address === '' ? NOBODY : await this.#look(ms);
    if (sight.position) return sight;
    await this.refresh().catch(() => {});
    return this.address === address ? sight : this.#look(ms);
  }

  /**
   * Lets the leader before know that there is a later one, where it can be reached: one that is cut off from Redis, or whose
   * connections are refused there, hears of it in no other way.
   * @param fence of the later leader
   */
  async tellOf(fence: number): Promise<void> {
    await this.#look(LOOK_MS, { 'devnet-position': textOf({ fence, task: 0 }) });
  }

  /**
   * @param passage of the request that the call is of
   * @throws DevnetError with the leader's error, or when it doesn't answer
   */
  async request(method: string, params: readonly unknown[], passage?: Passage): Promise<unknown> {
    for (let leaders = 1; ; leaders++) {
      if (this.address === '') await this.refresh().catch(() => {});
      const { address } = this;
      if (address === '') throw refusal('no leader of this chain is known: nothing can be passed on');
      try {
        return await this.#ask(address, { method, params }, passage);
      } catch (error) {
        if (error instanceof DevnetError) throw error;
        await this.refresh().catch(() => {});
        // Nobody has executed the call, and there is another leader. Any other failure may come after its execution.
        const isNew = this.address !== address && this.address !== '';
        if (isUntouched(error) && isNew && leaders < MOST_LEADERS) continue;
        throw refusal(
          error instanceof Misdirected
            ? `the leader's address ${address} is answered by a node that isn't the leader: the leader's --advertise ` +
                'must be the URL of the leader itself, not of a balancer or another node'
            : `the leader at ${address} doesn't answer: ${failureOf(error).reason}`,
        );
      }
    }
  }

  async #ask(
    address: string,
    call: { method: string; params: readonly unknown[] },
    passage: Passage | undefined,
  ): Promise<unknown> {
    const ended = new AbortController();
    this.#pending.set(ended, address);
    this.#watching ??= this.#watch();
    let response: Response;
    let text: string;
    try {
      response = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [FORWARDED]: '1' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }),
        signal: ended.signal,
      });
      text = await response.text();
    } finally {
      this.#pending.delete(ended);
    }
    if (response.status === MISDIRECTED) throw new Misdirected();
    const position = response.headers.get('devnet-position');
    const answer = parsed(text);
    // A balancer or a proxy may answer in the leader's place.
    if (!answer)
      throw refusal(`the leader at ${address} answers what is no JSON-RPC (HTTP ${response.status})`);
    // A call that failed may have changed the chain as well.
    if (position !== null && !(await this.#deps.progress.reached(position))) passage?.isAhead(position);
    if (answer.error) throw DevnetError.foreign(rpcError(answer.error));
    return answer.result;
  }

  /** While calls wait for long, asks whether those to whom they were sent answer anything, and ends them where they don't. */
  async #watch(): Promise<void> {
    const { clock } = this.#deps;
    for (;;) {
      const before = [...this.#pending.keys()];
      await new Promise<void>((resolve) => clock.after(PATIENCE_MS, resolve, { keepsProcess: false }));
      if (this.#pending.size === 0) break;
      const asked = new Set(before.flatMap((call) => this.#pending.get(call) ?? []));
      await Promise.all([...asked].map((address) => this.#endIfSilent(address)));
    }
    this.#watching = undefined;
  }

  async #endIfSilent(address: string): Promise<void> {
    if (await this.#answers(address)) return;
    this.#end(
      `the leader at ${address} has answered nothing for ${Math.round(this.#silent / 100) / 10} s: whether it ` +
        'has done what was asked is not known',
      (other) => other === address,
    );
  }

  async #answers(address: string): Promise<boolean> {
    try {
      await this.#post(address, this.#silent, {});
      return true;
    } catch (error) {
      // A refused or lost connection ends the calls by itself.
      return !isLate(error);
    }
  }

  /** Ends the calls that were sent to some addresses. */
  #end(reason: string, isMeant: (address: string, call: AbortController) => boolean = () => true): void {
    for (const [call, address] of this.#pending) if (isMeant(address, call)) call.abort(refusal(reason));
  }

  async #look(ms: number, headers: Readonly<Record<string, string>> = {}): Promise<Sight> {
    try {
      const response = await this.#post(this.address, ms, headers);
      const isLeader = response.status !== MISDIRECTED;
      const position = isLeader ? positionOf(response.headers.get('devnet-position') ?? '') : undefined;
      return { position, isSilent: false };
    } catch (error) {
      return { position: undefined, isSilent: isLate(error) || isUnreachable(error) };
    }
  }

  /** Asks a node for something that takes no time. @param ms limit, milliseconds */
  async #post(address: string, ms: number, headers: Readonly<Record<string, string>>): Promise<Response> {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [FORWARDED]: '1', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }),
      signal: AbortSignal.timeout(ms),
    });
    await response.arrayBuffer();
    return response;
  }
}

/** Another node than the leader got the call, and has not executed it. */
class Misdirected extends Error {}

/** Whether nobody has executed a call that failed. */
function isUntouched(error: unknown): boolean {
  const { cause } = error as { cause?: NodeJS.ErrnoException };
  return error instanceof Misdirected || cause?.code === 'ECONNREFUSED';
}

function isLate(error: unknown): boolean {
  return (error as Error).name === 'TimeoutError';
}

/** Whether the network knows no way to a machine, which may be there. */
function isUnreachable(error: unknown): boolean {
  const { cause } = error as { cause?: NodeJS.ErrnoException };
  return ['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'].includes(cause?.code ?? '');
}

function parsed(text: string): Answer | undefined {
  try {
    const answer = JSON.parse(text) as unknown;
    return typeof answer === 'object' && answer !== null ? (answer as Answer) : undefined;
  } catch {
    return undefined;
  }
}

function refusal(reason: string): DevnetError {
  return new DevnetError('server', { reason });
}
