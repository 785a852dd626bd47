import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeDeclarations } from '../../scripts/build/declarations.mjs';
import { dropInExample } from '../../scripts/drop-in-examples.mjs';

const root = resolve(import.meta.dirname, '../..');
let dir = '';
/** text by entry of the package */
let declarations: [entry: string, text: string][] = [];

const OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  target: 'es2022',
  skipLibCheck: false,
  noEmit: true,
};

/** How a program's imports are resolved: as Node does it, by the rules of 2022 and of today, or as a bundler does it. */
const MODULES = {
  node16: { module: 'node16' },
  nodenext: { module: 'nodenext' },
  bundler: { module: 'preserve', moduleResolution: 'bundler' },
};

interface Program {
  readonly file: string;
  readonly source: string;
  readonly checksLibraries: boolean;
  readonly hasNodeTypes: boolean;
  readonly modules: keyof typeof MODULES;
}
const programs: Program[] = [];

/**
 * A program of somebody's who has the package and what it depends on, and nothing else of it. All are compiled together: most of
 * the time goes into the declarations of libraries.
 * @param options.checksLibraries false where the check would be one of viem and ethers, and take ten seconds
 * @param options.hasNodeTypes false for a program without `@types/node`, which has types of newer JavaScript, too
 * @param options.ending of the file's name: `cts` for a CommonJS module
 * @param options.modules how imports are resolved
 */
function program(
  source: string,
  {
    checksLibraries = true,
    hasNodeTypes = true,
    ending = 'mts',
    modules = 'nodenext' as keyof typeof MODULES,
  } = {},
): Program {
  const file = `consumer-${programs.length}.${ending}`;
  const one = { file, source, checksLibraries, hasNodeTypes, modules };
  programs.push(one);
  return one;
}

/** codes of the compiler's errors by file, that of a declaration included */
const errors = new Map<string, string[]>();
const errorsOf = ({ file }: Program): readonly string[] => errors.get(file) ?? [];

function compileAll(): void {
  for (const { file, source } of programs) writeFileSync(join(dir, file), source);
  const optionsOf = ({ checksLibraries, hasNodeTypes, modules }: Program) =>
    JSON.stringify({
      ...OPTIONS,
      ...MODULES[modules],
      skipLibCheck: !checksLibraries,
      types: hasNodeTypes ? ['node'] : [],
    });
  for (const options of new Set(programs.map(optionsOf))) {
    const files = programs.filter((one) => optionsOf(one) === options).map(({ file }) => file);
    const compilerOptions = JSON.parse(options);
    writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const tsc = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', dir], {
      encoding: 'utf8',
      cwd: dir,
    });
    for (const [, file, code] of tsc.stdout.matchAll(/^(?:(.+?)\(\d+,\d+\): )?error (TS\d+)/gm))
      errors.set(file ?? '', [...(errors.get(file ?? '') ?? []), code!]);
  }
}

const api = program(`
      import { createDevnet, type Devnet, DevnetError, type DevnetOptions, followDevnet, ManualClock, OptionError } from 'devnet';
      const options: DevnetOptions & { manualClock: true } = { manualClock: true };
      const devnet: Devnet = await createDevnet(options);
      const { clock } = await createDevnet(options);
      const manual: ManualClock = clock;
      const key: \`0x\${string}\` = devnet.accounts[0]!.privateKey;
      const address: \`0x\${string}\` = devnet.accounts[0]!.address;
      const url: string | undefined = devnet.url;
      const code: number | undefined = await devnet.provider
        .request({ method: 'eth_chainId' })
        .then(() => undefined, (error) => (error instanceof DevnetError ? error.code : 0));
      export { address, code, followDevnet, key, manual, OptionError, url };
    `);

const withoutNodeTypes = program(
  `
      import { createDevnet } from 'devnet';
      export const { url } = await createDevnet();
    `,
  { hasNodeTypes: false },
);

const required = program(
  `
      import devnet = require('devnet');
      import { createDevnet, type DevnetOptions } from 'devnet';
      import hardhat = require('devnet/hardhat');
      const options: DevnetOptions & { manualClock: true } = { manualClock: true };
      export const clock = createDevnet(options).then((chain): devnet.ManualClock => chain.clock);
      export const id: string = hardhat.default({ chainId: 5 }).id;
    `,
  { ending: 'cts' },
);

const everyEntry = `
      import { createDevnet, type Devnet, type DevnetOptions } from 'devnet';
      import hardhat from 'devnet/hardhat';
      import { devnetTest } from 'devnet/vitest';
      import { devnetSetup } from 'devnet/vitest/setup';
      const options: DevnetOptions = { chainId: 5 };
      export const chain: Promise<Devnet> = createDevnet(options);
      export const plugin: { id: string } = hardhat(options);
      export const parts = [devnetSetup(options), devnetTest(options)];
    `;
const requiredEntries = `
      import { createDevnet, type Devnet, type DevnetOptions } from 'devnet';
      import hardhat = require('devnet/hardhat');
      const options: DevnetOptions = { chainId: 5 };
      export const chain: Promise<Devnet> = createDevnet(options);
      export const plugin: { id: string } = hardhat.default(options);
    `;
/** Vitest's own declarations need those of Node. */
const ofNode = everyEntry
  .replace(/.*devnetTest.*'devnet\/vitest'.*\n/, '')
  .replace(', devnetTest(options)', '');
const resolved = (Object.keys(MODULES) as (keyof typeof MODULES)[]).flatMap((modules) => [
  program(everyEntry, { modules, checksLibraries: false }),
  ...[true, false].map((hasNodeTypes) => program(ofNode, { modules, hasNodeTypes })),
  ...(modules === 'bundler'
    ? []
    : [true, false].map((hasNodeTypes) =>
        program(requiredEntries, { modules, hasNodeTypes, ending: 'cts' }),
      )),
]);

/** Both files have the same types: a chain of the one is a chain of the other. */
const mixed = program(`
      import { createRequire } from 'node:module';
      import { type Devnet } from 'devnet';
      import type { Devnet as Required } from 'devnet' with { 'resolution-mode': 'require' };
      const required: typeof import('devnet', { with: { 'resolution-mode': 'require' } }) = createRequire('/')('devnet');
      export const devnet: Devnet = await required.createDevnet();
      export const again: Required = devnet;
    `);

const clients = program(
  `
      import { createDevnet } from 'devnet';
      import { BrowserProvider } from 'ethers';
      import { createPublicClient, custom, http, type Transport } from 'viem';
      const { provider, transport } = await createDevnet();
      const id: \`0x\${string}\` = await provider.request({ method: 'evm_snapshot' });
      const done: boolean = await provider.request({ method: 'evm_revert', params: [id] });
      const receipt = await provider.request({ method: 'eth_getTransactionReceipt', params: [id] });
      const status: string | undefined = receipt?.status;
      const block = await provider.request({ method: 'eth_getBlockByNumber', params: ['latest', false] });
      const logs = (await provider.request({ method: 'eth_getLogs', params: [{ fromBlock: '0x0' }] }))[0]!.topics;
      const other: unknown = await provider.request({ method: 'x_unknown', params: [1, {}] });
      const name: string = 'eth_chainId';
      const some: unknown = await provider.request({ method: name });
      const asViem: Transport = transport;
      createPublicClient({ transport });
      createPublicClient({ transport: custom(provider) });
      new BrowserProvider(provider);
      export { asViem, block, done, http, logs, other, some, status };
    `,
  { checksLibraries: false },
);

const wrongRequests = program(`
      import { createDevnet } from 'devnet';
      const { provider } = await createDevnet();
      export const number: number = await provider.request({ method: 'eth_chainId' });
      await provider.request({ method: 'eth_getBalance' });
      await provider.request({ method: 'eth_getBalance', params: [5] });
      await provider.request({ method: 'eth_chainId', params: ['0x1'] });
    `);

const runners = program(`
      import devnet from 'devnet/hardhat';
      import { devnetTest, test } from 'devnet/vitest';
      import setup, { devnetSetup } from 'devnet/vitest/setup';
      test('', async ({ chain: { accounts, provider, url } }) => {
        const account: string = accounts[0]!.address;
        await provider.request({ method: 'eth_chainId' });
        const address: string | undefined = url ?? account;
        console.log(address);
      });
      test.beforeAll(async ({ devnet }) => void devnet.accounts);
      devnetTest({ hardfork: 'prague' })('', ({ chain }) => void chain);
      export const id: string = devnet({ chainId: 5 }).id;
      export default [setup, devnetSetup({ chainId: 5 })];
    `);

const wrongOptions = program(`
      import { createDevnet } from 'devnet';
      const devnet = await createDevnet({ noSuchOption: 1 });
      export const url: number = devnet.url;
      export const key: Uint8Array = devnet.accounts[0]!.privateKey;
    `);

const EXAMPLES = [
  'actions.ts',
  'clock.ts',
  'embed.ts',
  'hooks.ts',
  'preconfirmations.ts',
  'replays.test.ts',
  'two-chains.ts',
];
const examples = EXAMPLES.map((name) => program(dropInExample(name), { checksLibraries: false }));

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'devnet-declarations-test-'));
  const modules = join(dir, 'node_modules');
  mkdirSync(join(modules, 'devnet'), { recursive: true });
  const { dependencies, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const name of [...Object.keys(dependencies), '@types/node', 'ethers', 'viem', 'vitest']) {
    mkdirSync(join(modules, name, '..'), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  const manifest = { name: 'devnet', version: '0.0.0', type: 'module', exports };
  writeFileSync(join(modules, 'devnet/package.json'), JSON.stringify(manifest));
  await writeDeclarations(root, join(modules, 'devnet/dist'));
  declarations = Object.entries(exports as Record<string, { types?: string }>).flatMap(
    ([entry, { types }]) => (types ? [[entry, declarationsOf(join(modules, 'devnet', types))] as const] : []),
  );
  compileAll();
});

/** The text of an entry's declarations, and of those in the files beside it that it imports. */
function declarationsOf(path: string): string {
  const text = readFileSync(path, 'utf8');
  const beside = [...text.matchAll(/from ["']\.\/(\w+)\.cjs["']/g)].map(([, name]) =>
    declarationsOf(join(path, `../${name}.d.cts`)),
  );
  return [text, ...beside].join('\n');
}

afterAll(() => rmSync(dir, { recursive: true, force: true }));

it('the declarations of an entry import nothing but packages the user installs with it, and each other', () => {
  const { dependencies, peerDependenciesMeta } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(declarations.map(([entry]) => entry)).toEqual(['.', './vitest', './vitest/setup', './hardhat']);
  for (const [entry, text] of declarations) {
    const imported = [...text.matchAll(/(?:from |import\()["']([^"']+)["']/g)]
      .map(([, from]) => from!)
      .filter((from) => !/^\.\/(?:index|types)\.cjs$/.test(from));
    // The runner itself is there where its entry is used.
    const installed = Object.keys(
      entry === './vitest' ? { ...dependencies, ...peerDependenciesMeta } : dependencies,
    );
    expect(installed, entry).toEqual(expect.arrayContaining(imported));
  }
});

it('a program compiles against them, with libraries checked too', () => {
  expect(errorsOf(api)).toEqual([]);
  expect(errorsOf(withoutNodeTypes)).toEqual([]);
  expect([...errors.keys()].filter((file) => !/^consumer-\d+\.[mc]ts$/.test(file))).toEqual([]);
});

it('a CommonJS program compiles against them, and gets the same types', () => {
  expect(errorsOf(required)).toEqual([]);
  expect(errorsOf(mixed)).toEqual([]);
});

it('a program compiles with each way of resolving imports, as either kind of module, with and without the types of Node', () => {
  expect(resolved).toHaveLength(13);
  for (const one of resolved) expect(errorsOf(one), JSON.stringify(one)).toEqual([]);
});

it('a type stands in one file', () => {
  const dist = join(dir, 'node_modules/devnet/dist');
  const texts = readdirSync(dist).map((name) => readFileSync(join(dist, name), 'utf8'));
  const names = texts.flatMap((text) =>
    [...text.matchAll(/^(?:declare class|interface) (\w+)/gm)].map(([, name]) => name),
  );
  expect(names).toContain('Devnet');
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

it('requests have the parameters and the answer of their method, and clients take provider and transport', () => {
  expect(errorsOf(clients)).toEqual([]);
  expect(errorsOf(wrongRequests)).toEqual(['TS2322', 'TS2345', 'TS2322', 'TS2322']);
});

it('the declarations have nothing internal, a comment for each option, and are small', () => {
  const [[, text]] = declarations as [[string, string]];
  const internal =
    /\b(?:Engine|Executed|BlockStore|Feed|Sequencer|Dispatcher|RpcContext|FrameRecorder|StateView|NodeHooks|class Address|GenesisSpec|ERRORS|SERVER|Option)\b/;
  expect(text.match(internal)?.[0]).toBeUndefined();
  expect(text).toContain('/** Address that receives the tips.');
  expect(text.length).toBeLessThan(64_000);
});

it('tests and configurations of test runners compile against them', () => {
  expect(errorsOf(runners)).toEqual([]);
});

it('the examples of the documents compile against them', () => {
  for (const [i, example] of examples.entries()) expect(errorsOf(example), EXAMPLES[i]).toEqual([]);
});

it('a program that uses them wrongly does not', () => {
  expect(errorsOf(wrongOptions)).toEqual(['TS2769', 'TS2322', 'TS2322']);
});
