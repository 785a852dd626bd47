import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, running } from '../bench/node.mjs';
import { TcpProxy } from './proxy.mjs';

/** A call that took too long. */
export class Hangs extends Error {}

/** A node of a cluster: the built command, with proxies before its Redis and before its own port. */
export class Member {
  name;
  #bin;
  #child;
  #isStopped = false;
  #output = '';
  #hang;
  port = 0;
  /** between it and Redis */
  link;
  /** between other nodes and it */
  door;
  /** how it ended by itself: its last line; `undefined` while it runs, and where it was ended */
  end;

  /** @param options.hang milliseconds after which a call hangs */
  constructor(name, { bin, redisPort, hang, isDirect = false }) {
    this.name = name;
    this.#bin = bin;
    this.#hang = hang;
    this.link = isDirect ? undefined : new TcpProxy(redisPort);
    this.redisPort = redisPort;
  }

  async prepare() {
    this.port = await freePort();
    this.door = new TcpProxy(this.port);
    await this.door.open();
    await this.link?.open();
  }

  get isRunning() {
    return this.#child !== undefined;
  }

  get isStopped() {
    return this.#isStopped;
  }

  get canAnswer() {
    return this.isRunning && !this.#isStopped;
  }

  get pid() {
    return this.#child?.pid;
  }

  get output() {
    return this.#output;
  }

  /**
   * Starts the command and waits until it listens.
   * @param flags those of its role
   * @returns whether it does; otherwise {@link end} says why
   */
  async start(flags, seconds = 30) {
    // One that didn't come in time.
    await this.kill();
    const redis = `redis://127.0.0.1:${this.link?.port ?? this.redisPort}`;
    const own = [
      '--redis',
      redis,
      '--port',
      `${this.port}`,
      '--advertise',
      `http://127.0.0.1:${this.door.port}`,
    ];
    const args = [this.#bin, ...flags, ...own, '--log-format', 'json', '--no-explorer'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    this.#child = child;
    this.#isStopped = false;
    this.end = undefined;
    let listens = () => {};
    const listening = new Promise((resolve) => {
      listens = resolve;
    });
    let printed = '';
    const take = (text) => {
      printed += text;
      this.#output = (this.#output + text).slice(-200_000);
      if (printed.includes('"event":"started"')) listens(true);
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    child.once('close', (code, signal) => {
      running.delete(child);
      if (this.#child !== child) return;
      this.#child = undefined;
      this.end = signal ?? `exit ${code}: ${printed.trim().split('\n').at(-1)?.slice(0, 400)}`;
      listens(false);
    });
    return Promise.race([listening, sleep(seconds * 1000, undefined, { ref: false })]);
  }

  /** Ends it. @param {NodeJS.Signals} signal */
  async kill(signal = 'SIGKILL') {
    const child = this.#child;
    if (!child) return;
    this.#child = undefined;
    this.#isStopped = false;
    const closed = new Promise((done) => child.once('close', done));
    child.kill(signal);
    if (signal !== 'SIGKILL' && !(await Promise.race([closed.then(() => true), sleep(12_000, false)]))) {
      child.kill('SIGKILL');
      await closed;
      throw new Hangs(`${this.name} has not ended 12 s after ${signal}`);
    }
    child.kill('SIGKILL');
    await closed;
  }

  stop() {
    this.#child?.kill('SIGSTOP');
    this.#isStopped = true;
  }

  continue() {
    this.#child?.kill('SIGCONT');
    this.#isStopped = false;
  }

  /** @returns `{ status, position, result, error }`. @throws Hangs; another Error where there is no answer */
  async ask(method, params = [], { position, ms = this.#hang } = {}) {
    const child = this.#child;
    let response;
    try {
      response = await fetch(`http://127.0.0.1:${this.port}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(position && { 'devnet-position': position }) },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal: AbortSignal.timeout(ms),
      });
      const { result, error } = await response.json();
      return { status: response.status, position: response.headers.get('devnet-position'), result, error };
    } catch (error) {
      if (error.name === 'TimeoutError' && child === this.#child && !this.#isStopped && ms === this.#hang)
        throw new Hangs(`${method} of ${this.name} took longer than ${ms} ms`);
      throw error;
    }
  }

  /** @returns the result. @throws the error that was answered, too */
  async call(method, ...params) {
    const { result, error } = await this.ask(method, params);
    if (error) throw Object.assign(new Error(`${method} of ${this.name}: ${error.message}`), error);
    return result;
  }

  /** @returns `{ isHealthy, role, position, waiting, at }`, or `undefined` where it doesn't answer */
  async look() {
    if (!this.canAnswer) return undefined;
    try {
      const health = await fetch(`http://127.0.0.1:${this.port}/healthz`, {
        signal: AbortSignal.timeout(2_500),
      });
      const said = (await health.text()).trim();
      const { result } = await this.ask('devnet_status', [], { ms: 2_500 });
      return { ...result, isHealthy: health.status === 200, said, at: performance.now() };
    } catch {
      return undefined;
    }
  }

  async close() {
    await this.kill();
    await this.door?.refuse();
    await this.link?.refuse();
  }
}
