import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Io, main } from '../../src/cli/main.ts';
import { ConsensusBuilder, other } from '../replay/consensus/builder.ts';

const dir = mkdtempSync(join(tmpdir(), 'devnet-against-'));
afterAll(() => rmSync(dir, { recursive: true }));
const recording = join(import.meta.dirname, '../../fixtures/recordings/mixed.jsonl');

async function replay(...args: string[]) {
  const seen = { stdout: '', stderr: '' };
  const into = (name: keyof typeof seen) => ({
    isTTY: false,
    write: (text: string) => {
      seen[name] += text;
    },
  });
  const streams = { stdout: into('stdout'), stderr: into('stderr') };
  const io = { version: 'test', env: {}, ...streams, flush: async () => {} } as unknown as Io;
  const code = await main(['replay', ...args], io);
  return { code, ...seen };
}

test('a recording: x', async () => {
  const { code, stdout } = await replay(recording, '--against', 'istanbul');
  console.log(stdout);
  expect(code).toBe(0);
}, 60000);
