import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.ts';
import { buildInfo, callData, creation, sources } from '../debugger/shop.ts';
import { runs } from '../fuzz.ts';
import { type Call, callsOf, type Wire } from '../wire.ts';

// Build infos whose code is right, so that the contracts are found, and whose other parts are not: each method that reads them answers.
const project = mkdtempSync(join(tmpdir(), 'hostile-builds-'));
const artifacts = join(project, 'artifacts');
const infos = join(artifacts, 'build-info');
const CONTRACTS = ['contracts/Shop.sol', 'contracts/Vault.sol'];
const right: Wire = JSON.parse(buildInfo());

let node: Devnet;
let call: Call;
let failed: string;
let vault: string;
let number = 0;

beforeAll(async () => {
  for (const name of CONTRACTS) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), sources[name]);
  }
  node = await createDevnet({ automine: true, artifacts, silent: true });
  call = callsOf(node);
  const [from] = await call('eth_accounts');
  const send = (fields: object) => call('eth_sendTransaction', { from, gas: '0x300000', ...fields });
  const deploy = async (data: string) =>
    (await call('eth_getTransactionReceipt', await send({ data }))).contractAddress;
  vault = await deploy(creation('Vault'));
  const shop = await deploy(creation('Shop', [vault, 1n]));
  failed = await send({ to: shop, value: '0x1', data: callData('Shop', 'buy', [0n]) });
});

afterAll(async () => {
  await node.close();
  rmSync(project, { recursive: true });
});

/** Puts a build info in the place of the one before, and asks every method that reads it. @returns the message of the stack trace */
async function answersWith(build: string): Promise<string> {
  rmSync(infos, { recursive: true, force: true });
  mkdirSync(infos, { recursive: true });
  // A name of its own each: the time of a change may be the same.
  writeFileSync(join(infos, `${number++}.json`), build);
  const { message, frames } = await call('devnet_stackTrace', failed);
  expect(frames.length).toBeGreaterThan(0);
  const { failure, steps } = await call('devnet_execution', failed);
  for (const step of [0, failure.step, steps - 1]) {
    expect((await call('devnet_step', failed, step)).step).toBe(step);
    await call('devnet_stepVariables', failed, step);
  }
  await call('devnet_storageLayout', vault, 'latest');
  const { gas } = await call('devnet_coverage');
  const sum = (list: readonly Wire[]) => list.reduce((all, each) => all + each.gas, 0);
  expect(sum(gas.rows) + sum(gas.files)).toBe(gas.gasUsed);
  return message;
}

/** All places of a value in JSON but code, which the contracts are found by. */
function placesIn(value: Wire, place: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [[...place]];
  return Object.entries(value).flatMap(([key, each]) =>
    key === 'object' ? [] : [...(place.length > 0 ? [[...place]] : []), ...placesIn(each, [...place, key])],
  );
}

function changed(place: readonly string[], value: unknown): string {
  const build = structuredClone(right);
  const parent = place.slice(0, -1).reduce((at, key) => at[key], build);
  parent[place.at(-1)!] = value;
  return JSON.stringify(build);
}

const places = placesIn(right);
const HOSTILE: readonly unknown[] = [
  null,
  [],
  {},
  '',
  0,
  -1,
  1e308,
  '__proto__',
  '<script>alert(1)</script>\u0000\u202e\ud800',
  '0:99999999:0',
  [null, [null, { nodes: [null] }]],
  'x'.repeat(100_000),
  `${'a['.repeat(5_000)}${']'.repeat(5_000)}`,
];

it('a build info with a wrong value in any place breaks nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(places.length - 1), fc.constantFrom(...HOSTILE), async (at, value) => {
      expect(await answersWith(changed(places[at]!, value))).toMatch(/^VM Exception|^Transaction/);
    }),
    { numRuns: runs(12) },
  );
}, 60_000);

const DEEP = 20_000;
const nested = (open: string, close: string) => open.repeat(DEEP) + close.repeat(DEEP);
const SOURCES: Readonly<Record<string, string>> = {
  'blocks within blocks': `contract Vault { function take() public { ${nested('{', '}')} } }`,
  'branches within branches': `contract Vault { function take() public { ${nested('if (true) { ', '}')} } }`,
  'branches without blocks': `contract Vault { function take() public { ${'if (a) '.repeat(DEEP)}; } }`,
  'assembly within assembly': `contract Vault { function take() public { assembly { ${nested('{', '}')} } } }`,
  'brackets that nothing closes': `contract Vault { function take() public { ${'({['.repeat(DEEP)}`,
  'a comment that nothing closes': `contract Vault { function take() public { /* ${'*'.repeat(DEEP)}`,
  'a text that nothing closes': `contract Vault { function take() public { revert("${'\\'.repeat(DEEP)}`,
  'many contracts that inherit from each other': Array.from(
    { length: 500 },
    (_, i) => `contract C${i} is C${(i + 1) % 500}, C${(i + 2) % 500} {}`,
  ).join('\n'),
  'contracts that inherit in a long line': Array.from(
    { length: 5_000 },
    (_, i) => `contract C${i} is C${i + 1} {}`,
  ).join('\n'),
  'the word assembly alone': `contract Vault { ${'assembly '.repeat(100_000)} }`,
  'imports in a circle': 'import "./Vault.sol"; import "./Shop.sol"; import * as A from "./Vault.sol";',
  'a line of a megabyte': `contract Vault { ${'uint a; '.repeat(130_000)} }`,
  'no end of lines': '\n'.repeat(200_000),
  HTML: '</pre><script>alert(1)</script> contract Vault { /* <img src=x onerror=alert(1)> */ }',
};

describe.each(['with', 'without'])('a build info %s a syntax tree', (tree) => {
  it.each(Object.entries(SOURCES))('whose source is %s breaks nothing', async (_name, text) => {
    const build = structuredClone(right);
    for (const name of CONTRACTS) {
      build.input.sources[name].content = text;
      if (tree === 'without') build.output.sources[name].ast = undefined;
    }
    expect(await answersWith(JSON.stringify(build))).toMatch(/^VM Exception|^Transaction/);
  });
});

it('a syntax tree that is very deep breaks nothing', async () => {
  const deep = (open: string, inner: string, close: string) => open.repeat(DEEP) + inner + close.repeat(DEEP);
  const statement = deep('{"nodeType":"Block","src":"0:9:0","statements":[', 'null', ']}');
  const type = deep('{"nodeType":"ArrayTypeName","baseType":', 'null', '}');
  const body = JSON.stringify(right);
  for (const [key, value] of [
    ['body', statement],
    ['typeName', type],
    ['parameters', deep('{"parameters":[', 'null', ']}')],
    ['nodes', deep('[{"nodeType":"ContractDefinition","src":"0:9:0","nodes":', 'null', '}]')],
  ] as const) {
    const marker = `"${key}":`;
    const at = body.indexOf(marker);
    expect(at).toBeGreaterThan(0);
    // The old value follows under another name.
    const build = `${body.slice(0, at)}${marker}${value},"was":${body.slice(at + marker.length)}`;
    expect(await answersWith(build)).toMatch(/^VM Exception|^Transaction/);
  }
});

it('a build info that changes while it is read breaks nothing', async () => {
  const text = JSON.stringify(right);
  rmSync(infos, { recursive: true, force: true });
  mkdirSync(infos, { recursive: true });
  const path = join(infos, 'changing.json');
  const asked: Promise<Wire>[] = [];
  for (const part of [0, 1, 100, text.length / 2, text.length - 1, text.length]) {
    writeFileSync(path, text.slice(0, part));
    asked.push(call('devnet_stackTrace', failed), call('devnet_coverage'), call('devnet_execution', failed));
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const answer of await Promise.all(asked)) expect(answer).toBeTruthy();
  expect((await call('devnet_stackTrace', failed)).frames.at(-1)).toMatchObject({
    contract: 'Vault',
    function: 'take',
  });
});
