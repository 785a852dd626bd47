import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeFunctionData, pad, stringToHex, toHex } from 'viem';
import { afterAll, describe, expect, it } from 'vitest';
import { createDevnet, type DevnetOptions } from '../../src/index.ts';
import { readBuild, textOfRun } from '../../src/sources/build-info.ts';
import { Compilation } from '../../src/sources/compilation.ts';
import { liveNode } from '../live-node.ts';
import { callsOf } from '../wire.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/storage');
const build = JSON.parse(readFileSync(join(fixtures, 'Bank.json'), 'utf8'));
build.input.sources['contracts/Bank.sol'].content = readFileSync(join(fixtures, 'Bank.sol'), 'utf8');
const { Bank, Proxy: ProxyContract } = build.output.contracts['contracts/Bank.sol'];

const folder = mkdtempSync(join(tmpdir(), 'storage-'));
mkdirSync(join(folder, 'build-info'));
// As Hardhat asks the compiler by default: without storageLayout.
const { storageLayout: byCompiler, ...withoutLayout } = Bank;
const hardhat = structuredClone(build);
hardhat.output.contracts['contracts/Bank.sol'].Bank = withoutLayout;
writeFileSync(join(folder, 'build-info/1.json'), JSON.stringify(hardhat));
afterAll(() => rmSync(folder, { recursive: true }));

const ALICE = '0x00000000000000000000000000000000000a11ce';

interface Variable {
  readonly name: string;
  readonly value: unknown;
  readonly from: unknown;
  readonly to: unknown;
}

async function start(options: DevnetOptions = {}) {
  const node = await createDevnet({ automine: true, artifacts: folder, silent: true, ...options });
  const call = callsOf(node);
  const [from] = await call('eth_accounts');
  const send = async (to: string | undefined, data: string) => {
    const hash = await call('eth_sendTransaction', { from, to, data, gas: '0x600000' });
    const receipt = await call('eth_getTransactionReceipt', hash);
    expect(receipt.status).toBe('0x1');
    return receipt;
  };
  const bank: string = (await send(undefined, `0x${Bank.evm.bytecode.object}`)).contractAddress;
  const fill = encodeFunctionData({ abi: Bank.abi, functionName: 'fill' });
  const pay = (amount: bigint) =>
    encodeFunctionData({ abi: Bank.abi, functionName: 'pay', args: [ALICE, amount] });
  return { node, call, send, from, bank, fill, pay, [Symbol.asyncDispose]: () => node.close() };
}

const valuesOf = (variables: readonly Variable[]) =>
  Object.fromEntries(variables.map(({ name, value }) => [name, value]));
const changesOf = (variables: readonly Variable[]) =>
  Object.fromEntries(variables.map(({ name, from, to }) => [name, [from, to]]));

it("the layout that the syntax tree tells is the compiler's own", () => {
  const compilation = new Compilation(readBuild(textOfRun(hardhat)).info!);
  const bank = compilation.contracts.find(({ name }) => name === 'Bank')!;
  const { storage, types } = compilation.layout(bank)!;
  const places = (list: typeof storage) =>
    list.map(({ label, offset, slot, type }) => ({ label, offset, slot, type }));
  expect(places(storage)).toEqual(places(byCompiler.storage));
  expect(Object.keys(types).sort()).toEqual(Object.keys(byCompiler.types).sort());
  for (const [key, { names, underlying, members, ...type }] of Object.entries(types)) {
    const { members: expected, ...own } = byCompiler.types[key];
    expect(type).toEqual(own);
    if (expected) expect(places(members!)).toEqual(places(expected));
  }
});

it('without a syntax tree the layout that the compiler wrote counts', () => {
  const bare = structuredClone(build);
  bare.output.sources['contracts/Bank.sol'].ast = undefined;
  const compilation = new Compilation(readBuild(textOfRun(bare)).info!);
  const bank = compilation.contracts.find(({ name }) => name === 'Bank')!;
  expect(compilation.layout(bank)!.storage).toEqual(
    byCompiler.storage.map(({ astId, ...variable }: { readonly astId: number }) => variable),
  );
});

describe.each(['fast', 'ethereumjs'] as const)('with the engine %s', (engine) => {
  it('devnet_storageLayout answers the variables by name, with the keys of mappings that were hashed', async () => {
    await using chain = await start({ engine });
    await chain.send(chain.bank, chain.fill);
    await chain.send(chain.bank, chain.pay(5n));
    const found = await chain.call('devnet_storageLayout', chain.bank);
    expect(found).toMatchObject({
      contract: 'Bank',
      file: 'contracts/Bank.sol',
      implementation: null,
      others: {},
      isComplete: true,
    });
    expect(found.layout.storage[2]).toMatchObject({ label: 'state', slot: '0', offset: 21 });
    const key = pad(toHex(5));
    expect(valuesOf(found.variables)).toEqual({
      owner: chain.from,
      paused: true,
      state: 'Open',
      price: '7',
      tag: '0x01020304',
      name: 'A name that is longer than thirty-one bytes',
      raw: '0xff',
      'list.length': '2',
      'list[0]': '11',
      'list[1]': '12',
      ...Object.fromEntries([1, 2, 3, 4, 5].map((n, i) => [`small[${i}]`, String(n)])),
      'packed.length': '2',
      'packed[0]': '21',
      'packed[1]': '99',
      [`balances[${ALICE}]`]: '5',
      [`limits[${ALICE}][${key}].level`]: '1',
      [`limits[${ALICE}][${key}].change`]: '-1',
      [`limits[${ALICE}][${key}].keeper`]: ALICE,
      'byName["one"].length': '1',
      'byName["one"][0]': '1',
      'texts[Closed]': 'closed',
      'root.id': '1',
      'root.children[4].id': '0',
      'root.children[4].list.length': '0',
      'root.children[4].limit.level': '5',
      'root.children[4].limit.change': '0',
      'root.children[4].limit.keeper': `0x${'0'.repeat(40)}`,
      'root.list.length': '1',
      'root.list[0].id': '0',
      'root.list[0].children[8].id': '6',
      'root.list[0].children[8].list.length': '0',
      'root.list[0].children[8].limit.level': '0',
      'root.list[0].children[8].limit.change': '0',
      'root.list[0].children[8].limit.keeper': `0x${'0'.repeat(40)}`,
      'root.list[0].list.length': '0',
      'root.list[0].limit.level': '0',
      'root.list[0].limit.change': '0',
      'root.list[0].limit.keeper': `0x${'0'.repeat(40)}`,
      'root.limit.level': '0',
      'root.limit.change': '0',
      'root.limit.keeper': `0x${'0'.repeat(40)}`,
      'pair[0].level': '0',
      'pair[0].change': '0',
      'pair[0].keeper': `0x${'0'.repeat(40)}`,
      'pair[1].level': '9',
      'pair[1].change': '-2',
      'pair[1].keeper': '0x0000000000000000000000000000000000000009',
      'lines.length': '1',
      'lines[0]': 'a line that is longer than thirty-one bytes, so it lies elsewhere',
      hook: `${chain.bank}${Bank.evm.methodIdentifiers['fill()']}`,
    });
    // Packed variables share a slot, each with its place in it.
    expect(found.variables.filter(({ slot }: { slot: string }) => BigInt(slot) === 0n)).toMatchObject([
      { name: 'owner', type: 'address', offset: 0, bytes: 20 },
      { name: 'paused', type: 'bool', offset: 20, bytes: 1 },
      { name: 'state', type: 'enum Bank.State', offset: 21, bytes: 1 },
    ]);
    // At an earlier block there were other values, and fewer keys.
    const before = valuesOf((await chain.call('devnet_storageLayout', chain.bank, '0x2')).variables);
    expect(before).toMatchObject({ name: 'Bank', 'packed[1]': '22' });
    expect(before).not.toHaveProperty(`balances[${ALICE}]`);
  });

  it('devnet_stateDiff names what has changed', async () => {
    await using chain = await start({ engine });
    await chain.send(chain.bank, chain.fill);
    await chain.send(chain.bank, chain.pay(5n));
    await chain.send(chain.bank, chain.pay(6n));
    const diff = await chain.call('devnet_stateDiff', '0x2', 'latest');
    expect(diff[chain.bank].contract).toBe('Bank');
    const [five, six] = [pad(toHex(5)), pad(toHex(6))];
    expect(changesOf(diff[chain.bank].variables)).toEqual({
      'packed[1]': ['22', '99'],
      name: ['Bank', 'A name that is longer than thirty-one bytes'],
      [`balances[${ALICE}]`]: ['0', '11'],
      ...Object.fromEntries(
        [five, six].flatMap((key) => [
          [`limits[${ALICE}][${key}].level`, ['0', '1']],
          [`limits[${ALICE}][${key}].change`, ['0', '-1']],
          [`limits[${ALICE}][${key}].keeper`, [`0x${'0'.repeat(40)}`, ALICE]],
        ]),
      ),
    });
    // In the other direction the values change places.
    const back = await chain.call('devnet_stateDiff', 'latest', '0x2');
    expect(changesOf(back[chain.bank].variables)).toMatchObject({ [`balances[${ALICE}]`]: ['11', '0'] });
    // Accounts of no build info have none.
    expect(diff[chain.from]).not.toHaveProperty('variables');
  });
});

it('a proxy has the variables of its implementation', async () => {
  await using chain = await start();
  const constructorArgument = pad(chain.bank as `0x${string}`).slice(2);
  const code = `0x${ProxyContract.evm.bytecode.object}${constructorArgument}`;
  const proxy = (await chain.send(undefined, code)).contractAddress;
  await chain.send(proxy, chain.fill);
  const found = await chain.call('devnet_storageLayout', proxy);
  expect(found).toMatchObject({ contract: 'Bank', implementation: chain.bank });
  expect(valuesOf(found.variables)).toMatchObject({ name: 'Bank', state: 'Open' });
  // The slot of the implementation's address belongs to no variable.
  expect(Object.keys(found.others)).toEqual([
    '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  ]);
  // A minimal proxy (ERC-1167) of the same implementation
  const minimal = `0x363d3d373d3d3d363d73${chain.bank.slice(2)}5af43d82803e903d91602b57fd5bf3`;
  await chain.call('anvil_setCode', ALICE, minimal);
  expect(await chain.call('devnet_storageLayout', ALICE)).toMatchObject({
    contract: 'Bank',
    implementation: chain.bank,
  });
});

it('what no transaction has hashed belongs to no variable', async () => {
  await using chain = await start();
  const slot = pad(stringToHex('somewhere'));
  await chain.call('anvil_setStorageAt', chain.bank, slot, pad('0x07'));
  const found = await chain.call('devnet_storageLayout', chain.bank);
  expect(found.others).toEqual({ [slot]: pad('0x07') });
});

it('pre-confirmed transactions count at pending', async () => {
  const live = await liveNode({ artifacts: folder });
  try {
    const send = async (to: string | undefined, data: string) => {
      const request = { from: live.accounts.first, to, data, gas: '0x600000' };
      const hash = await live.call('eth_sendTransaction', request);
      await live.call('devnet_tick');
      return live.call('eth_getTransactionReceipt', hash);
    };
    const { contractAddress: bank } = await send(undefined, `0x${Bank.evm.bytecode.object}`);
    await send(bank, encodeFunctionData({ abi: Bank.abi, functionName: 'fill' }));
    expect(await live.call('eth_getCode', bank, 'latest')).toBe('0x');
    const { variables } = await live.call('devnet_storageLayout', bank, 'pending');
    expect(valuesOf(variables)).toMatchObject({ 'byName["one"][0]': '1' });
    const diff = await live.call('devnet_stateDiff', 'latest', 'pending');
    expect(changesOf(diff[bank].variables)).toMatchObject({ 'byName["one"].length': ['0', '1'] });
  } finally {
    await live.close();
  }
});

it('code of no build info has no variables', async () => {
  await using chain = await start();
  expect(await chain.call('devnet_storageLayout', chain.from)).toBeNull();
  await chain.call('anvil_setCode', ALICE, '0x6001');
  expect(await chain.call('devnet_storageLayout', ALICE)).toBeNull();
  await using other = await start({ artifacts: join(folder, 'none') });
  expect(await other.call('devnet_storageLayout', other.bank)).toBeNull();
  await expect(chain.call('devnet_storageLayout', '0x12')).rejects.toMatchObject({ code: -32_602 });
});
