import { TcpProxy } from './proxy.mjs';
import { afterRunning, runningTime } from './running-time.mjs';

/** A call that took too long. */
export class Hangs extends Error {}

/** A node of a cluster, with one proxy between it and Redis and one before its own port. */
export class Member {
  name;
  #runner;
  #running;
  #isStopped = false;
  #output = '';
  #said = '';
  #hang;
  /** proxy between the node and Redis */
  link;
  /** proxy between other nodes and this node */
  door = new TcpProxy();
  /** how the node ended by itself: its last line; `undefined` while it runs, and if it was ended by this program */
  end;

  /**
   * @param options.runner `make()` returns an object that runs a node, `deps` contains its dependencies
   * @param options.hang milliseconds after which a call counts as hanging
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

  /** The node's messages since its last start. */
  get said() {
    return this.#said;
  }

  /**
   * Starts a node and waits until it listens.
   * @param role `lead` or `follow`
   * @param options as for `createDevnet`
   * @returns whether it listens; otherwise {@link end} has the reason
   */
  async start(role, options, seconds = 30) {
    // Ends a node that didn't start in time.
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

  /** Cuts all connections of the node in both directions, so that its further work has no effect. */
  async #cutOff() {
    this.door.cut();
    await this.link.renew();
    this.door.release();
    this.link.release();
  }

  /** Kills the node. */
  async kill() {
    const running = this.#running;
    if (!running) return;
    this.#leave();
    await this.#cutOff();
    await running.kill();
  }

  /** Ends the node as a user does. @throws Hangs */
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

  /** @returns `{ status, position, result, error }`. @throws Hangs; another Error if there is no response */
  async ask(method, params = [], options = {}) {
    const { body, ...head } = await this.#post({ jsonrpc: '2.0', id: 1, method, params }, options, method);
    return { ...head, result: body.result, error: body.error };
  }

  /**
   * Sends all calls in one batch, which sees one state of the chain.
   * @param calls `[method, ...params]` each
   * @returns the results. @throws the first error of the responses, too
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

  /** @returns the result. @throws the error of the response, too */
  async call(method, ...params) {
    const { result, error } = await this.ask(method, params);
    if (error) throw Object.assign(new Error(`${method} of ${this.name}: ${error.message}`), error);
    return result;
  }

  /** @returns `{ isHealthy, role, position, waiting, problem, at }`, or `undefined` if the node doesn't answer */
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

  /** Kills the node, and closes its proxies. */
  async dispose() {
    await this.kill();
    await this.door.refuse();
    await this.link.refuse();
  }
}
