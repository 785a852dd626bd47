import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesToHex } from '@ethereumjs/util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.ts';
import { ArtifactFolder } from '../../src/sources/artifact-folder.ts';
import { BuildFolder } from '../../src/sources/build-folder.ts';
import type { StorageLayout } from '../../src/sources/storage-layout.ts';
import { StorageMap } from '../../src/sources/storage-map.ts';
import { StorageReader } from '../../src/sources/storage-reader.ts';
import { keccak256 } from '../../src/state/keccak.ts';
import { type Call, callsOf } from '../wire.ts';

const output = readFileSync(
  join(import.meta.dirname, '../../fixtures/stack-traces/807a97336cdc75ad9fa6466e8aef2545.json'),
  'utf8',
);
const { sources } = JSON.parse(readFileSync(join(import.meta.dirname, 'scenarios/shop.json'), 'utf8'));
const input = {
  language: 'Solidity',
  sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
  settings: {},
};

let folder: string;
let node: Devnet;
let call: Call;
let vault: string;
/** `take(uint256)` of a fee that is too high */
let failing: { to: string; data: string };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  mkdirSync(join(folder, 'build-info'));
  node = await createDevnet({ automine: true, artifacts: folder, silent: true });
  call = callsOf(node);
  const { evm } = JSON.parse(output).contracts['contracts/Vault.sol'].Vault;
  const [from] = await call('eth_accounts');
  const hash = await call('eth_sendTransaction', { from, data: `0x${evm.bytecode.object}`, gas: '0x500000' });
  vault = (await call('eth_getTransactionReceipt', hash)).contractAddress;
  failing = { to: vault, data: `0x${evm.methodIdentifiers['take(uint256)']}${'9'.padStart(64, '0')}` };
});

afterAll(async () => {
  await node.close();
  rmSync(folder, { recursive: true });
});

let number = 0;
async function traceWith(build: unknown): Promise<{ message: string; frames: readonly object[] }> {
  const text = typeof build === 'string' || build instanceof Uint8Array ? build : JSON.stringify(build);
  // A name of its own each: the time of a change may be the same.
  rmSync(join(folder, 'build-info'), { recursive: true });
  mkdirSync(join(folder, 'build-info'));
  writeFileSync(join(folder, 'build-info', `${number++}.json`), text);
  return call('devnet_stackTrace', failing, 'latest');
}

const whole = (changed: string) => ({ solcVersion: '0.8.37', input, output: JSON.parse(changed) });
const SENTENCE = "VM Exception while processing transaction: reverted with reason string 'a fee too high'";

it('what a build info says is shown', async () => {
  const { message, frames } = await traceWith(whole(output));
  expect(message).toBe(SENTENCE);
  expect(frames).toMatchObject([
    { contract: 'Vault', function: 'take', definedIn: 'Vault' },
    {
      contract: 'Vault',
      function: 'fee',
      definedIn: 'Fees',
      source: '        if (n > 4) revert("a fee too high");',
    },
  ]);
});

it.each([
  ['no JSON', '{"input":'],
  ['no object', '[1, null]'],
  ['nothing', ''],
  [
    'null in all places',
    { solcVersion: null, input: null, output: { sources: { a: null }, contracts: { a: { b: null } } } },
  ],
  ['lists for objects', { input: [], output: { sources: [], contracts: [] } }],
  ['bytes that are no UTF-8', Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d)],
])('a build info that is %s is left out', async (_name, build) => {
  expect(await traceWith(build)).toMatchObject({
    message: SENTENCE,
    frames: [{ kind: 'unknown-contract-failed' }],
  });
});

/** Changes of what solc wrote that keep the code: the contract is found, and what is said of it is wrong. */
const CHANGES: Readonly<Record<string, (text: string) => string>> = {
  'no source maps': (text) => text.replaceAll(/"sourceMap":"[^"]*"/g, '"sourceMap":""'),
  'source maps of numbers that are too large': (text) =>
    text.replaceAll(/"sourceMap":"[^"]*"/g, `"sourceMap":"${'99999999999999999999:1e9:1:i;'.repeat(50)}"`),
  'source maps behind the end of the file': (text) =>
    text.replaceAll(/"sourceMap":"[^"]*"/g, `"sourceMap":"900000:5:1:i;${';'.repeat(900)}"`),
  'negative places': (text) =>
    text.replaceAll(/"sourceMap":"[^"]*"/g, `"sourceMap":"-9:-5:1:o${';'.repeat(900)}"`),
  'jumps into functions everywhere': (text) => text.replaceAll(/:o(?=[:;])/g, ':i'),
  'jumps out of functions everywhere': (text) => text.replaceAll(/:i(?=[:;])/g, ':o'),
  'files that are others': (text) => text.replaceAll(/"id":([01])(?=[,}])/g, '"id":7$1'),
  'nodes without places': (text) => text.replaceAll(/"src":"[^"]*"/g, '"src":"x"'),
  'nodes that hold everything': (text) => text.replaceAll(/"src":"[^"]*"/g, '"src":"0:99999:0"'),
  'contracts that inherit from themselves': (text) =>
    text.replaceAll(
      /"linearizedBaseContracts":\[[^\]]*\]/g,
      '"linearizedBaseContracts":[1,1,2,3,99999,null]',
    ),
  'an ABI that is none': (text) =>
    text.replaceAll('"type":"function"', '"type":"<b>"').replaceAll('"uint256"', '"x[["'),
  'names with HTML': (text) => text.replaceAll('"name":"take"', '"name":"<img src=x onerror=alert(1)>"'),
  'names of the language': (text) =>
    text.replaceAll('"name":"take"', '"name":"__proto__"').replaceAll('"name":"fee"', '"name":"constructor"'),
};

it.each(Object.entries(CHANGES))('%s break nothing', async (_name, change) => {
  const changed = change(output);
  expect(changed).not.toBe(output);
  const { message, frames } = await traceWith(whole(changed));
  expect(message).toBe(SENTENCE);
  expect(frames.length).toBeGreaterThan(0);
});

it('a build info with random changes breaks nothing', async () => {
  let state = 7;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state % below;
  };
  for (let round = 0; round < 30; round++) {
    let changed = JSON.stringify(whole(output));
    for (let i = 0; i < 20; i++) {
      const at = random(changed.length);
      const digit = changed.slice(at).search(/[0-9]/);
      changed = `${changed.slice(0, at + digit)}${random(10)}${changed.slice(at + digit + 1)}`;
    }
    const { frames } = await traceWith(changed);
    expect(frames.length).toBeGreaterThan(0);
  }
});

describe.skipIf(process.platform === 'win32')('files that are none', () => {
  it('a pipe, a folder, a link that leads back and one that leads nowhere, in place of build infos, hang nothing', async () => {
    await traceWith(whole(output));
    const infos = join(folder, 'build-info');
    execFileSync('mkfifo', [join(infos, 'pipe.json')]);
    mkdirSync(join(infos, 'folder.json'));
    symlinkSync(infos, join(infos, 'loop.json'));
    symlinkSync(join(infos, 'nowhere'), join(infos, 'gone.json'));
    symlinkSync('/dev/zero', join(infos, 'zeros.json'));
    // Two links that lead back make a tree that doubles with each level.
    for (const name of ['a', 'b', 'c']) symlinkSync(folder, join(folder, name));
    try {
      const { frames } = await call('devnet_stackTrace', failing, 'latest');
      expect(frames.at(-1)).toMatchObject({ contract: 'Vault', function: 'fee' });
      await node.provider.request({ method: 'eth_call', params: [failing] } as never).catch(() => {});
      const read = await new ArtifactFolder({ folder }).read();
      expect(read).toEqual([]);
    } finally {
      for (const name of ['a', 'b', 'c']) rmSync(join(folder, name));
    }
  });

  it('a build info that is being written is read when it is whole', async () => {
    const text = JSON.stringify(whole(output));
    const { frames } = await traceWith(text.slice(0, text.length / 2));
    expect(frames).toMatchObject([{ kind: 'unknown-contract-failed' }]);
    writeFileSync(join(folder, 'build-info', `${number - 1}.json`), text);
    expect((await call('devnet_stackTrace', failing, 'latest')).frames.at(-1)).toMatchObject({
      contract: 'Vault',
      function: 'fee',
    });
  });

  it("a source's name that leads out of Foundry's project isn't read", async () => {
    const project = mkdtempSync(join(tmpdir(), 'hostile-foundry-'));
    const out = join(project, 'project/out');
    mkdirSync(join(out, 'build-info'), { recursive: true });
    writeFileSync(join(project, 'secret.sol'), 'contract Secret {}');
    writeFileSync(
      join(out, 'build-info/1.json'),
      JSON.stringify({ id: '1', source_id_to_path: { 0: '../secret.sol' }, language: 'Solidity' }),
    );
    const hash = bytesToHex(keccak256(readFileSync(join(project, 'secret.sol'))));
    writeFileSync(
      join(out, 'Secret.json'),
      JSON.stringify({
        abi: [],
        bytecode: { object: '0x01' },
        deployedBytecode: { object: '0x01' },
        methodIdentifiers: {},
        id: 0,
        metadata: {
          settings: { compilationTarget: { '../secret.sol': 'Secret' } },
          sources: { '../secret.sol': { keccak256: hash } },
        },
      }),
    );
    const [compilation] = await new BuildFolder({ folder: out }).read();
    expect(compilation!.contracts).toMatchObject([{ name: 'Secret' }]);
    expect(compilation!.files.get(0)!.length).toBe(0);
    rmSync(project, { recursive: true });
  });
});

/** Layouts that contradict themselves: the answer has what can be told. */
const LAYOUTS: Readonly<Record<string, StorageLayout>> = {
  'a type that holds itself': {
    storage: [{ label: 'a', contract: 'A', offset: 0, slot: '0', type: 'a' }],
    types: {
      a: {
        encoding: 'inplace',
        label: 'struct A',
        numberOfBytes: '32',
        members: [0, 1].map((n) => ({ label: `m${n}`, contract: 'A', offset: 0, slot: '0', type: 'a' })),
      },
    },
  },
  'an array of very many elements': {
    storage: [{ label: 'a', contract: 'A', offset: 0, slot: '0', type: 'a' }],
    types: {
      a: { encoding: 'inplace', label: `n[${'9'.repeat(30)}]`, numberOfBytes: '9'.repeat(30), base: 'n' },
      n: { encoding: 'inplace', label: 'n[2]', numberOfBytes: '0', base: 'a' },
    },
  },
  'types that are missing': {
    storage: [{ label: 'a', contract: 'A', offset: 0, slot: 'x', type: '__proto__' }],
    types: {},
  },
  'a mapping of itself': {
    storage: [{ label: 'a', contract: 'A', offset: 0, slot: '0', type: 'a' }],
    types: { a: { encoding: 'mapping', label: 'a', numberOfBytes: '32', key: 'a', value: 'a' } },
  },
};

it.each(Object.entries(LAYOUTS))('a layout with %s ends', async (_name, layout) => {
  const map = new StorageMap(layout, [new Uint8Array(64), new Uint8Array(32), new Uint8Array(65)]);
  expect(map.partsAt(0n).length).toBeLessThan(10_000);
  const reader = new StorageReader({ layout, map }, { read: () => new Uint8Array(32).fill(0xff) });
  expect((await reader.all()).length).toBeLessThanOrEqual(5_000);
});
