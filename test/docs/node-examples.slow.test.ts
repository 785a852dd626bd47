import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dropInExample } from '../../scripts/drop-in-examples.mjs';
import { createDevnet, type Devnet } from '../../src/index.ts';

/** Runs an example as its own program, as a reader would. @returns what it printed */
async function run(name: string, url: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const project = mkdtempSync(join(tmpdir(), 'devnet-example-'));
  try {
    symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
    writeFileSync(join(project, name), dropInExample(name, url));
    const options = { cwd: project, env: { ...process.env, ...env } };
    return (await promisify(execFile)(process.execPath, [name], options)).stdout;
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

describe('the programs of README.md, on a node in its default mode', () => {
  let node: Devnet;
  beforeAll(async () => {
    node = await createDevnet({ port: 0 });
  });
  afterAll(() => node.close());

  it('first.mjs sends ETH and reads the balance before the block is sealed', async () => {
    expect(await run('first.mjs', node.url!)).toMatch(/^success \d+n 10001\n$/);
  });

  it('contract.mjs deploys a contract and calls it', async () => {
    expect(await run('contract.mjs', node.url!)).toMatch(/^0x[\da-f]{40} 1n\n$/);
  });
});

describe('the programs of docs/recipes.md', () => {
  it('deploy.mjs deploys with a key of its own', async () => {
    const node = await createDevnet({ port: 0, automine: true });
    try {
      expect(await run('deploy.mjs', node.url!)).toBe(
        'Counter: 0x5fbdb2315678afecb367f032d93f642f64180aa3\n',
      );
    } finally {
      await node.close();
    }
  });

  it('impersonate.mjs sends as an account of the forked chain', async () => {
    const mainnet = await createDevnet({ port: 0, automine: true });
    const whale = '0x00000000219ab540356cBB839Cbe05303d7705Fa';
    await mainnet.provider.request({ method: 'anvil_setBalance', params: [whale, '0xde0b6b3a7640000'] });
    await mainnet.provider.request({ method: 'evm_mine' });
    const fork = await createDevnet({ port: 0, automine: true, forkUrl: mainnet.url! });
    try {
      expect(await run('impersonate.mjs', fork.url!)).toBe('success 1\n');
    } finally {
      await fork.close();
      await mainnet.close();
    }
  });
});
