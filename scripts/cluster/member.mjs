import { TcpProxy } from './proxy.mjs';
import { afterRunning, runningTime } from './running-time.mjs';

/** A call that took too long. */
export class Hangs extends Error {}

/** A node of a cluster, with proxies before its Redis and before its own port. */
export class Member {
  name;
  #runner;
  #running;
  #isStopped = false;
  #output = '';
  #said = '';
  #hang;
  /** between it and Redis */
  link;
  /** between other nodes and it */
  door = new TcpProxy();
  /** how it ended by itself: its last line; `undefined` while it runs, and where it was ended */
  end;

  /**
   * @param options.runner `make()` gives what runs a node, `deps` what that needs
   * @param options.hang milliseconds after which a call hangs
   */
  constructor(name, { runner, redisPort, hang }) {
    this.name = name;
    this.#runner = runner;
    this.#hang = hang;
    this.link = new TcpProxy(redisPort);
  }

  async prepare() {
    await this.door.open();
    await this.link.open();
  }

  get port() {
    return this.#running?.port ?? 0;
  }

  get isRunning() {
    return this.#running !== undefined;
  }

  get isStopped() {
    return this.#isStopped;
  }

  get canAnswer() {
    return this.isRunning && !this.#isStopped;
  }

  get output() {
    return this.#output;
  }

  /** What it has said since it was started last. */
  get said() {
    return this.#said;
  }

  /**
   * Starts a node and waits until it listens.
   * @param role `lead` or `follow`
   * @param options as of `createDevnet`
   * @returns whether it does; otherwise {@link end} says why
   */
  async start(role, options, seconds = 30) {
    // One that didn't come in time.
    await this.kill();
    const running = this.#runner.make();
    this.#running = running;
    this.#isStopped = false;
    this.#said = '';
    this.end = undefined;
    const isThis = () => this.#running === running;
    const own = {
      redis: `redis://127.0.0.1:${this.link.port}`,
      advertise: `http://127.0.0.1:${this.door.port}`,
    };
    const starting = running.start(
      role,
      { ...options, ...own },
      {
        ...this.#runner.deps,
        onText: (text) => {
          if (!isThis()) return;
          this.#output = (this.#output + text).slice(-200_000);
          this.#said = (this.#said + text).slice(-200_000);
        },
        onEnd: (why) => {
          if (!isThis()) return;
          this.#leave();
          this.end = why;
        },
      },
    );
    const limit = new Promise((resolve) => {
      afterRunning(seconds * 1000, () => resolve(false));
    });
    const listens = starting.then((is) => {
      if (is && isThis()) this.door.target = running.port;
      return is;
    });
    return Promise.race([listens, limit]);
  }

  #leave() {
    this.#running = undefined;
    this.#isStopped = false;
    this.door.target = undefined;
  }

  /** Nothing that it still does reaches anybody, and it hears of nothing. */
  async #cutOff() {
    this.door.cut();
    await this.link.renew();
    this.door.release();
    this.link.release();
  }

  /** Ends it at once. */
  async kill() {
    const running = this.#running;
    if (!running) return;
    this.#leave();
    await this.#cutOff();
    await running.kill();
  }

  /** Ends it as a user does. @throws Hangs */
  async close() {
    const running = this.#running;
    if (!running) return;
    this.#running = undefined;
    const isEnded = await running.end();
    this.#leave();
    await this.#cutOff();
    if (!isEnded) throw new Hangs(`${this.name} has not ended in time`);
  }

  stop() {
    if (!this.#running || this.#isStopped) return;
    this.#running.stop();
    this.door.hold();
    this.link.hold();
    this.#isStopped = true;
  }

  continue() {
    if (!this.#running || !this.#isStopped) return;
    this.#isStopped = false;
    this.#running.continue();
    this.door.release();
    this.link.release();
  }

  /** @returns `{ status, position, result, error }`. @throws Hangs; another Error where there is no answer */
  async ask(method, params = [], options = {}) {
    const { body, ...head } = await this.#post({ jsonrpc: '2.0', id: 1, method, params }, options, method);
    return { ...head, result: body.result, error: body.error };
  }

  /**
   * Asks all at once, of one state of the chain.
   * @param calls `[method, ...params]` each
   * @returns the results. @throws the first error that was answered, too
   */
  async askAll(calls) {
    const batch = calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }));
    const { body } = await this.#post(batch, {}, `a batch of ${calls.length} calls`);
    const answers = body.toSorted((a, b) => a.id - b.id);
    for (const { id, error } of answers)
      if (error)
        throw Object.assign(
          new Error(`${JSON.stringify(calls[id])} of ${this.name}: ${error.message}`),
          error,
        );
    return answers.map(({ result }) => result);
  }

  async #post(content, { position, ms = this.#hang }, what) {
    const running = this.#running;
    if (!running) throw new Error(`${this.name} does not run`);
    let answer;
    const ended = new AbortController();
    const limit = afterRunning(ms, () => ended.abort(new DOMException('too late', 'TimeoutError')));
    try {
      const response = await fetch(`http://127.0.0.1:${running.port}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(position && { 'devnet-position': position }) },
        body: JSON.stringify(content),
        signal: ended.signal,
      });
      const body = await response.json();
      answer = { status: response.status, position: response.headers.get('devnet-position'), body };
    } catch (error) {
      if (error.name === 'TimeoutError' && running === this.#running && !this.#isStopped && ms === this.#hang)
        throw new Hangs(`${what} of ${this.name} took longer than ${ms} ms`);
      throw error;
    } finally {
      limit.clear();
    }
    if (running !== this.#running) throw new Error(`${this.name} ended before it answered`);
    return answer;
  }

  /** @returns the result. @throws the error that was answered, too */
  async call(method, ...params) {
    const { result, error } = await this.ask(method, params);
    if (error) throw Object.assign(new Error(`${method} of ${this.name}: ${error.message}`), error);
    return result;
  }

  /** @returns `{ isHealthy, role, position, waiting, problem, at }`, or `undefined` where it doesn't answer */
  async look() {
    if (!this.canAnswer) return undefined;
    try {
      const { result } = await this.ask('devnet_status', [], { ms: 2_500 });
      return { ...result, isHealthy: result.problem === null, at: runningTime() };
    } catch {
      return undefined;
    }
  }

  /** Whether `/healthz` answers 200. */
  async answersHealthy() {
    const { status } = await fetch(`http://127.0.0.1:${this.port}/healthz`);
    return status === 200;
  }

  /** Ends it, and its proxies. */
  async dispose() {
    await this.kill();
    await this.door.refuse();
    await this.link.refuse();
  }
}
