import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, inject } from 'vitest';
import type { Wire } from '../../wire.ts';

/** The command as a user runs it, see build-command.ts; each test has a directory that is deleted. */
export function useCommand() {
  let started: DevnetProcess[] = [];
  const command = {
    path: inject('command'),
    dir: '',
    /** Runs it until the end of the test at most. @param options as of {@link DevnetProcess} */
    run(args: readonly string[], options?: ProcessOptions): DevnetProcess {
      const running = new DevnetProcess(command.path, args, options);
      started.push(running);
      return running;
    },
  };
  beforeEach(() => {
    command.dir = mkdtempSync(join(tmpdir(), 'devnet-process-'));
  });
  afterEach(async () => {
    await Promise.all(started.map((running) => running.kill('SIGKILL')));
    started = [];
    rmSync(command.dir, { recursive: true, force: true });
  });
  return command;
}

export interface ProcessOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** how large its files may get, in blocks of the shell's `ulimit -f` (512 or 1024 bytes) */
  readonly fileLimit?: number;
}

/** A running command. */
export class DevnetProcess {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly exited: Promise<number | string | null>;

  constructor(command: string, args: readonly string[], { env = {}, fileLimit }: ProcessOptions = {}) {
    const limit = fileLimit === undefined ? [] : ['sh', '-c', `ulimit -f ${fileLimit} && exec "$@"`, 'sh'];
    const [program, ...rest] = [...limit, process.execPath, command, ...args];
    this.child = spawn(program!, rest, { env: { ...process.env, ...env } });
    this.child.stdout!.on('data', (text) => {
      this.stdout += text;
    });
    this.child.stderr!.on('data', (text) => {
      this.stderr += text;
    });
    this.exited = once(this.child, 'close').then(([code, signal]) => signal ?? code);
  }

  /** Waits for `Listening on`. @returns the URL */
  async listening(): Promise<string> {
    for (;;) {
      const [, address] = /^Listening on (\S+)\n/m.exec(this.stdout) ?? [];
      if (address) return `http://${address}`;
      const ended = await Promise.race([
        once(this.child.stdout!, 'data').then(() => false),
        this.exited.then(() => true),
      ]);
      if (ended && !/^Listening on/m.test(this.stdout)) throw new Error(`it ended: ${this.stderr}`);
    }
  }

  kill(signal: NodeJS.Signals): Promise<number | string | null> {
    this.child.kill(signal);
    return this.exited;
  }
}

/** A JSON-RPC call over HTTP. */
export async function rpc(url: string, method: string, ...params: unknown[]): Promise<Wire> {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result: unknown; error?: { message: string } };
  if (error) throw new Error(error.message);
  return result;
}

/** Runs steps one after the other, again and again, until one fails: the process has died. */
export class UseUntilDead {
  readonly over: Promise<unknown>;
  #alive = true;
  #steps = 0;
  #told = () => {};
  #cause: unknown;

  /** @param loops each runs beside the others */
  constructor(loops: readonly ((i: number) => Promise<unknown>)[]) {
    const run = async (step: (i: number) => Promise<unknown>) => {
      for (let i = 0; this.#alive; i++) {
        await step(i);
        this.#steps++;
        this.#told();
      }
    };
    const end = (cause: unknown) => {
      this.#cause ??= cause;
      this.#alive = false;
      this.#told();
    };
    this.over = Promise.all(loops.map((step) => run(step).catch(end)));
  }

  /** Waits for so many steps more. @throws Error when a step fails before */
  async more(steps: number): Promise<void> {
    const wanted = this.#steps + steps;
    while (this.#steps < wanted) {
      if (!this.#alive) throw new Error('a step failed before', { cause: this.#cause });
      await new Promise<void>((resolve) => (this.#told = resolve));
    }
  }
}
