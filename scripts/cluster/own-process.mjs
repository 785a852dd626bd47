import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, running } from '../bench/node.mjs';

/** Milliseconds within which a node must end. */
const END_MS = 12_000;

/** A node in a process of its own: the built command. */
export class OwnProcess {
  #child;
  #output = '';
  port = 0;

  /**
   * Starts the command and waits until it listens.
   * @param role `lead` or `follow`
   * @param options as for `createDevnet`
   * @param deps.bin the launcher
   * @param deps.onText called with the output
   * @param deps.onEnd called with the last line if the process ends by itself
   */
  async start(role, options, { bin, onText, onEnd }) {
    this.port = await freePort();
    const flags = Object.entries({ ...options, port: this.port, logFormat: 'json' }).flatMap(
      ([name, value]) => {
        const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
        return value === true ? [flag] : [flag, `${value}`];
      },
    );
    const args = [bin, ...(role === 'follow' ? ['follow'] : []), ...flags, '--no-explorer'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    this.#child = child;
    const ended = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        running.delete(child);
        const line = this.#output.trim().split('\n').at(-1)?.slice(0, 400);
        onEnd(signal ?? `exit ${code}: ${line}`);
        resolve(false);
      });
    });
    const listening = new Promise((resolve) => {
      const take = (text) => {
        this.#output += text;
        onText(text);
        if (this.#output.includes('"event":"started"')) resolve(true);
        this.#output = this.#output.slice(-10_000);
      };
      child.stdout.setEncoding('utf8').on('data', take);
      child.stderr.setEncoding('utf8').on('data', take);
    });
    return Promise.race([listening, ended]);
  }

  stop() {
    this.#child.kill('SIGSTOP');
  }

  continue() {
    this.#child.kill('SIGCONT');
  }

  async kill() {
    const closed = this.#closed;
    this.#child.kill('SIGKILL');
    await closed;
  }

  /** @returns whether the node ended in time */
  async end() {
    const closed = this.#closed;
    this.#child.kill('SIGTERM');
    if (await Promise.race([closed, sleep(END_MS, false)])) return true;
    await this.kill();
    return false;
  }

  get #closed() {
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(true);
    return new Promise((done) => child.once('close', () => done(true)));
  }
}
