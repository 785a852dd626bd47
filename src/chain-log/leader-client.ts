import type { Clock } from '../clock.ts';
import { DevnetError } from '../errors.ts';
import { failureOf } from '../remote/failure.ts';
import { rpcError } from '../remote/transport.ts';
import type { ForwardedRequest } from '../rpc/forwarded-request.ts';
import { FORWARDED, MISDIRECTED } from '../server/forwarded.ts';
import { type Position, positionOf, textOf } from './position.ts';
import type { Progress } from './progress.ts';

/** Timeout in milliseconds for a request of the leader's position, and for a lookup of its address in Redis. */
const PROBE_MS = 2_000;
/** Timeout of a request of the leader's position, as a share of the time after which the leader counts as silent: several requests fit in it. */
const PROBE_SHARE = 0.4;
/** Milliseconds without a response after which a follower checks whether the leader responds at all. */
const CHECK_AFTER_MS = 1_000;
/** Maximum number of leaders to which a call is sent. */
const MAX_LEADERS = 3;

const REPLACED =
  'the leader was replaced before it answered: what it did is in the chain as far as it had written it to the log';

interface Answer {
  readonly result?: unknown;
  readonly error?: { code?: unknown; message?: unknown; data?: unknown };
}

/** The result of a request to the leader's address. */
export interface ProbeResult {
  /** the leader's position; `undefined` if it doesn't respond */
  readonly position: Position | undefined;
  /**
   * whether there was no reaction at all, as from a machine that is cut off. False if the connection is refused: then no leader runs there.
   */
  readonly isSilent: boolean;
}

const NO_REPLY: ProbeResult = { position: undefined, isSilent: false };

export interface LeaderClientDeps {
  readonly progress: Progress;
  /** looks up the address of the leader's JSON-RPC; empty if it isn't known */
  readonly find: () => Promise<string>;
  /** the machine's clock */
  readonly clock: Clock;
}

/** Forwards calls to the leader, and waits until their effects are in this node's chain. */
export class LeaderClient {
  readonly #silent: number;
  readonly #deps: LeaderClientDeps;
  /** for each call in flight: the controller that aborts it, and the address to which it was sent */
  readonly #pending = new Map<AbortController, string>();
  #address: string | undefined;
  #watching: Promise<void> | undefined;

  /** @param options.silent milliseconds after which a leader that doesn't respond at all counts as hanging */
  constructor(options: { silent: number }, deps: LeaderClientDeps) {
    this.#silent = options.silent;
    this.#deps = deps;
  }

  /** `http://host:port`; empty as long as it isn't known */
  get address(): string {
    return this.#address ?? '';
  }

  /** Must be called when there may be a new leader. Gives up after some seconds and keeps the known address. */
  async refresh(): Promise<void> {
    const { find, clock } = this.#deps;
    let limit: Disposable | undefined;
    const late = new Promise<undefined>((resolve) => {
      limit = clock.after(PROBE_MS, () => resolve(undefined));
    });
    try {
      const address = await Promise.race([find(), late]);
      if (address === undefined || address === this.#address) return;
      this.#address = address;
      // These calls were sent while the new leader existed but its address wasn't known here yet. A call whose connection is refused ends
      // by itself, and is sent to the next leader.
      const sent = [...this.#pending.keys()];
      const isLeft = (other: string, call: AbortController) => other !== address && sent.includes(call);
      clock.after(CHECK_AFTER_MS, () => this.#end(REPLACED, isLeft), { keepsProcess: false });
    } finally {
      limit?.[Symbol.dispose]();
    }
  }

  /** Must be called when there is a new leader: the previous one may never respond. */
  replaced(): void {
    this.#end(REPLACED);
  }

  /**
   * Asks the leader for its position. If the leader doesn't answer, looks up its address again: a leader that was restarted has no address
   * until it listens, and followers aren't notified when it does.
   */
  async probe(): Promise<ProbeResult> {
    const ms = Math.min(PROBE_MS, Math.round(this.#silent * PROBE_SHARE));
    const { address } = this;
    const probed = address === '' ? NO_REPLY : await this.#probe(ms);
    if (probed.position) return probed;
    await this.refresh().catch(() => {});
    return this.address === address ? probed : this.#probe(ms);
  }

  /**
   * Tells the previous leader that there is a later one, if it can be reached: a leader that is cut off from Redis, or whose connections
   * are refused there, has no other way to learn it.
   * @param fence fencing number of the later leader
   */
  async tellSuperseded(fence: number): Promise<void> {
    await this.#probe(PROBE_MS, { 'devnet-position': textOf({ fence, task: 0 }) });
  }

  /**
   * @param forwarded notes on the request that contains the call
   * @throws DevnetError with the leader's error, or when the leader doesn't respond
   */
  async request(method: string, params: readonly unknown[], forwarded?: ForwardedRequest): Promise<unknown> {
    for (let leaders = 1; ; leaders++) {
      if (this.address === '') await this.refresh().catch(() => {});
      const { address } = this;
      if (address === '') throw refusal('no leader of this chain is known: nothing can be passed on');
      try {
        return await this.#ask(address, { method, params }, forwarded);
      } catch (error) {
        if (error instanceof DevnetError) throw error;
        await this.refresh().catch(() => {});
        // The call wasn't executed, and there is another leader. After any other failure the call may have been executed.
        const isNew = this.address !== address && this.address !== '';
        if (isUntouched(error) && isNew && leaders < MAX_LEADERS) continue;
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
    forwarded: ForwardedRequest | undefined,
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
    // A load balancer or proxy may respond instead of the leader.
    if (!answer)
      throw refusal(`the leader at ${address} answers what is no JSON-RPC (HTTP ${response.status})`);
    // Even a failed call may have changed the chain.
    if (position !== null && !(await this.#deps.progress.waitUntilReached(position)))
      forwarded?.noteUnreached(position);
    if (answer.error) throw DevnetError.foreign(rpcError(answer.error));
    return answer.result;
  }

  /** While calls take long, checks whether the leaders to which they were sent respond at all, and aborts the calls if they don't. */
  async #watch(): Promise<void> {
    const { clock } = this.#deps;
    for (;;) {
      const before = [...this.#pending.keys()];
      await new Promise<void>((resolve) => clock.after(CHECK_AFTER_MS, resolve, { keepsProcess: false }));
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
      // If the connection is refused or lost, the calls end by themselves.
      return !isLate(error);
    }
  }

  /** Aborts the calls that were sent to certain addresses. */
  #end(reason: string, isMeant: (address: string, call: AbortController) => boolean = () => true): void {
    for (const [call, address] of this.#pending) if (isMeant(address, call)) call.abort(refusal(reason));
  }

  async #probe(ms: number, headers: Readonly<Record<string, string>> = {}): Promise<ProbeResult> {
    try {
      const response = await this.#post(this.address, ms, headers);
      const isLeader = response.status !== MISDIRECTED;
      const position = isLeader ? positionOf(response.headers.get('devnet-position') ?? '') : undefined;
      return { position, isSilent: false };
    } catch (error) {
      return { position: undefined, isSilent: isLate(error) || isUnreachable(error) };
    }
  }

  /** Sends a node a request that it can answer immediately. @param ms timeout in milliseconds */
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

/** The call reached a node that isn't the leader, and wasn't executed. */
class Misdirected extends Error {}

/** Whether a failed call certainly wasn't executed. */
function isUntouched(error: unknown): boolean {
  const { cause } = error as { cause?: NodeJS.ErrnoException };
  return error instanceof Misdirected || cause?.code === 'ECONNREFUSED';
}

function isLate(error: unknown): boolean {
  return (error as Error).name === 'TimeoutError';
}

/** Whether there is no network route to a machine, which may nevertheless run. */
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
