import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Wire } from '../wire.ts';

const root = resolve(import.meta.dirname, '../..');

/** The command as a user runs it, built into a folder of this test's own. */
export function buildCommand(): { readonly path: string; remove(): void } {
  const outdir = `.test-build-${process.pid}-${process.env.VITEST_WORKER_ID ?? 0}`;
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), outdir], { cwd: root });
  return {
    path: join(root, outdir, 'cli.js'),
    remove: () => rmSync(join(root, outdir), { recursive: true, force: true }),
  };
}

/** A running command. */
export class DevnetProcess {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly exited: Promise<number | string | null>;

  /** @param fileLimit how large its files may get, in blocks of the shell's `ulimit -f` (512 or 1024 bytes) */
  constructor(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}, fileLimit?: number) {
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
