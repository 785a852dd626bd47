import {
  concat,
  decodeFunctionResult,
  domainSeparator,
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  getCreate2Address,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  parseAbi,
} from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PREINSTALLS } from '../../../src/state/preinstalls.ts';
import { liveNode } from '../../live-node.ts';
import type { Wire } from '../../wire.ts';

const ABI = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function VERSION() view returns (string)',
  'function computeAddress(bytes32, bytes32) view returns (address)',
  'function getNonce(address, uint192) view returns (uint256)',
  'function depositTo(address) payable',
  'function balanceOf(address) view returns (uint256)',
  'function createSender(bytes) returns (address)',
  'function multiSend(bytes) payable',
]);
type Name = Extract<(typeof ABI)[number], { type: 'function' }>['name'];
const BOB = '0x0000000000000000000000000000000000000b0b';
const ZERO = `0x${'0'.repeat(64)}` as const;

let live: Awaited<ReturnType<typeof liveNode>>;
beforeAll(async () => {
  live = await liveNode({ optimism: true, automine: true });
});
afterAll(() => live.close());

async function ask(to: string, functionName: Name, ...args: unknown[]): Promise<unknown> {
  const data = encodeFunctionData({ abi: ABI, functionName, args } as never);
  const answer = await live.call('eth_call', { to, data }, 'latest');
  return decodeFunctionResult({ abi: ABI, functionName, data: answer } as never);
}
async function send(to: string, data: string, rest: object = {}): Promise<Wire> {
  const hash = await live.send(live.accounts.first, { to, data, value: '0x0', gas: '0x1e8480', ...rest });
  return live.call('eth_getTransactionReceipt', hash);
}

it.each(Object.entries(PREINSTALLS))('%s stands in the genesis block', async (_, address) => {
  expect(await live.call('eth_getCode', address, '0x0')).not.toBe('0x');
  expect(await live.call('eth_getTransactionCount', address, '0x0')).toBe('0x1');
});

it('have the code that they have on the public networks', async () => {
  const hashes = {
    Permit2: '0xc67d1657868aa5146eaf24fb879fb1fdec3d2d493b3683a61c9c2f4fb2851131',
    Safe: '0xbba688fbdb21ad2bb58bc320638b43d94e7d100f6f3ebaab0a4e4de6304b1c2e',
    SafeL2: '0x21842597390c4c6e3c1239e434a682b054bd9548eee5e9b1d6a4482731023c0f',
    MultiSend: '0x81db0e4afdf5178583537b58c5ad403bd47a4ac7f9bde2442ef3e341d433126a',
    MultiSendCallOnly: '0xa9865ac2d9c7a1591619b188c4d88167b50df6cc0c5327fcbd1c8c75f7c066ad',
    EntryPointV06: '0xc93c806e738300b5357ecdc2e971d6438d34d8e4e17b99b758b1f9cac91c8e70',
    EntryPointV07: '0x8db5ff695839d655407cc8490bb7a5d82337a86a6b39c3f0258aa6c3b582fc58',
  };
  // Permit2 holds the chain's id: this is mainnet's.
  const other = await liveNode({ optimism: true, chainId: 1 });
  for (const [name, hash] of Object.entries(hashes)) {
    const address = PREINSTALLS[name as keyof typeof hashes];
    expect([name, keccak256(await other.call('eth_getCode', address, 'latest'))]).toEqual([name, hash]);
  }
  await other.close();
});

it('Permit2 signs for the chain, also when its id changes', async () => {
  const verifyingContract = PREINSTALLS.Permit2 as `0x${string}`;
  const separator = (chainId: number) =>
    domainSeparator({ domain: { name: 'Permit2', chainId, verifyingContract } });
  const other = await liveNode({ optimism: true, chainId: 8453 });
  const code = await other.call('eth_getCode', verifyingContract, 'latest');
  expect(code).toContain(separator(8453).slice(2));
  await other.close();
  expect(await live.call('eth_getCode', verifyingContract, 'latest')).toContain(separator(31337).slice(2));
  expect(await ask(verifyingContract, 'DOMAIN_SEPARATOR')).toBe(separator(31337));
  await live.call('anvil_setChainId', 4);
  expect(await ask(verifyingContract, 'DOMAIN_SEPARATOR')).toBe(separator(4));
  await live.call('anvil_setChainId', 31337);
});

it('the Safe singletons are of version 1.3.0', async () => {
  expect(await ask(PREINSTALLS.Safe, 'VERSION')).toBe('1.3.0');
  expect(await ask(PREINSTALLS.SafeL2, 'VERSION')).toBe('1.3.0');
});

it('MultiSend is for delegate calls', async () => {
  const data = encodeFunctionData({ abi: ABI, functionName: 'multiSend', args: ['0x'] });
  await expect(live.call('eth_call', { to: PREINSTALLS.MultiSend, data }, 'latest')).rejects.toThrow(
    /MultiSend should only be called via delegatecall/,
  );
});

it('both factories create at the addresses of CREATE2', async () => {
  // An empty contract.
  const initCode = '0x00';
  const hash = keccak256(initCode);
  const create2Deployer = PREINSTALLS.Create2Deployer as `0x${string}`;
  const expected = getCreate2Address({ from: create2Deployer, salt: ZERO, bytecodeHash: hash });
  expect(await ask(create2Deployer, 'computeAddress', ZERO, hash)).toBe(expected);
  const factory = PREINSTALLS.SafeSingletonFactory as `0x${string}`;
  const returnsOneByte = '0x600160005360016000f3';
  const data = concat([ZERO, returnsOneByte]);
  expect(getAddress(await live.call('eth_call', { to: factory, data }, 'latest'))).toBe(
    getCreate2Address({ from: factory, salt: ZERO, bytecodeHash: keccak256(returnsOneByte) }),
  );
});

it.each(['EntryPointV06', 'EntryPointV07'] as const)('%s keeps deposits of accounts', async (name) => {
  const entryPoint = PREINSTALLS[name];
  const data = encodeFunctionData({ abi: ABI, functionName: 'depositTo', args: [BOB] });
  expect((await send(entryPoint, data, { value: '0x64' })).status).toBe('0x1');
  expect(await ask(entryPoint, 'balanceOf', BOB)).toBe(100n);
  expect(await ask(entryPoint, 'getNonce', BOB, 3n)).toBe(3n << 64n);
});

it.each(['SenderCreatorV06', 'SenderCreatorV07'] as const)('%s calls a factory', async (name) => {
  // There is no factory, so there is no sender.
  expect(await ask(PREINSTALLS[name], 'createSender', BOB)).toBe(getAddress(`0x${'0'.repeat(40)}`));
});

describe('CreateX', () => {
  const X = getAddress(PREINSTALLS.CreateX);
  /** Returns one byte of code, 0x2a. */
  const INIT_CODE = '0x602a60005360016000f3';
  const CREATE3_PROXY = '0x67363d3d37363d34f03d5260086018f3';
  /** Returns STOP: takes what it is called with, and what it is paid. */
  const TAKES_ALL = '0x600060005360016000f3';
  const CREATEX_ABI = parseAbi([
    'error FailedContractCreation(address)',
    'error FailedContractInitialisation(address, bytes)',
    'error InvalidSalt(address)',
    'error InvalidNonceValue(address)',
    'event ContractCreation(address indexed, bytes32 indexed)',
    'event ContractCreation(address indexed)',
    'event Create3ProxyContractCreation(address indexed, bytes32 indexed)',
    'function deployCreate(bytes) payable returns (address)',
    'function deployCreateClone(address, bytes) payable returns (address)',
    'function deployCreate2(bytes32, bytes) payable returns (address)',
    'function deployCreate2(bytes) payable returns (address)',
    'function deployCreate3(bytes32, bytes) payable returns (address)',
    'function deployCreate3AndInit(bytes32, bytes, bytes, (uint256, uint256), address) payable returns (address)',
    'function computeCreateAddress(address, uint256) view returns (address)',
    'function computeCreate2Address(bytes32, bytes32) view returns (address)',
    'function computeCreate3Address(bytes32) view returns (address)',
  ]);
  type XName = Extract<(typeof CREATEX_ABI)[number], { type: 'function' }>['name'];
  const call = (functionName: XName, args: readonly unknown[], from: string = BOB): Promise<Wire> => {
    const data = encodeFunctionData({ abi: CREATEX_ABI, functionName, args } as never);
    return live.call('eth_call', { from, to: X, data }, 'latest');
  };
  const addressOf = async (...[functionName, args, from]: Parameters<typeof call>) =>
    getAddress(`0x${((await call(functionName, args, from)) as string).slice(-40)}`);
  const hashed = (types: readonly string[], values: readonly unknown[]) =>
    keccak256(encodeAbiParameters(types.map((type) => ({ type })) as never, values as never));
  const create2 = (salt: Hex, initCode: Hex) =>
    getCreate2Address({ from: X, salt, bytecodeHash: keccak256(initCode) });
  const create3 = (salt: Hex) => getContractAddress({ from: create2(salt, CREATE3_PROXY), nonce: 1n });
  const deploy = async (functionName: XName, args: readonly unknown[], value = '0x0') => {
    const data = encodeFunctionData({ abi: CREATEX_ABI, functionName, args } as never);
    return send(X, data, { value });
  };
  const topic = (signature: string) => keccak256(new TextEncoder().encode(signature));

  it.each([0n, 1n, 127n, 128n, 255n, 256n, 65_535n, 65_536n, 2n ** 32n, 2n ** 64n - 2n])(
    'computes the address that CREATE gives at nonce %s',
    async (nonce) => {
      expect(await addressOf('computeCreateAddress', [BOB, nonce])).toBe(
        getContractAddress({ from: BOB, nonce }),
      );
    },
  );

  it('refuses the highest nonce, which EIP-2681 forbids', async () => {
    await expect(call('computeCreateAddress', [BOB, 2n ** 64n - 1n])).rejects.toThrow();
  });

  it('creates by CREATE, and tells of it', async () => {
    const nonce = BigInt(await live.call('eth_getTransactionCount', X, 'latest'));
    const receipt = await deploy('deployCreate', [INIT_CODE]);
    const expected = getContractAddress({ from: X, nonce });
    expect(await live.call('eth_getCode', expected, 'latest')).toBe('0x2a');
    expect(receipt.logs.map(({ topics }: Wire) => topics)).toEqual([
      [topic('ContractCreation(address)'), pad(expected).toLowerCase()],
    ]);
  });

  const sender = '0x00000000000000000000000000000000000000aa';
  const rest = '00000000000000000000bb';
  it.each<[string, Hex, (salt: Hex) => Hex]>([
    ['any', pad('0x77', { dir: 'right' }), (salt) => hashed(['bytes32'], [salt])],
    ['any chain', `0x${'0'.repeat(40)}00${rest}`, (salt) => hashed(['bytes32'], [salt])],
    ['this chain', `0x${'0'.repeat(40)}01${rest}`, (salt) => hashed(['uint256', 'bytes32'], [31337n, salt])],
    ['a sender', `${sender}00${rest}`, (salt) => hashed(['address', 'bytes32'], [sender, salt])],
    [
      'a sender on this chain',
      `${sender}01${rest}`,
      (salt) => hashed(['address', 'uint256', 'bytes32'], [sender, 31337n, salt]),
    ],
  ])('makes its own salt of one for %s', async (_, salt, guarded) => {
    expect(await addressOf('deployCreate2', [salt, INIT_CODE], sender)).toBe(
      create2(guarded(salt), INIT_CODE),
    );
    expect(await addressOf('deployCreate3', [salt, INIT_CODE], sender)).toBe(create3(guarded(salt)));
  });

  it('lets others use the salt of a sender as any, and refuses one that says neither 0 nor 1', async () => {
    const salt: Hex = `${sender}01${rest}`;
    expect(await addressOf('deployCreate2', [salt, INIT_CODE])).toBe(
      create2(hashed(['bytes32'], [salt]), INIT_CODE),
    );
    await expect(call('deployCreate2', [`${sender}02${rest}`, INIT_CODE], sender)).rejects.toMatchObject({
      data: encodeErrorResult({ abi: CREATEX_ABI, errorName: 'InvalidSalt', args: [X] }),
    });
  });

  it('creates by CREATE3 at an address that the code has no part in, pays, and gives back the rest', async () => {
    const salt = numberToHex(99n << 96n, { size: 32 });
    const guarded = hashed(['bytes32'], [salt]);
    const created = create3(guarded);
    expect(await addressOf('computeCreate3Address', [guarded])).toBe(created);
    const args = [salt, TAKES_ALL, '0x', [1n, 0n], BOB];
    const before = BigInt(await live.call('eth_getBalance', BOB, 'latest'));
    const receipt = await deploy('deployCreate3AndInit', args, '0x8');
    expect(await live.call('eth_getBalance', created, 'latest')).toBe('0x1');
    expect(BigInt(await live.call('eth_getBalance', BOB, 'latest')) - before).toBe(7n);
    expect(receipt.logs.map(({ topics }: Wire) => topics)).toEqual([
      [
        topic('Create3ProxyContractCreation(address,bytes32)'),
        pad(create2(guarded, CREATE3_PROXY)).toLowerCase(),
        guarded,
      ],
      [topic('ContractCreation(address)'), pad(created).toLowerCase()],
    ]);
    // There is one already.
    expect((await deploy('deployCreate3AndInit', args, '0x8')).status).toBe('0x0');
  });

  it('makes a minimal proxy (ERC-1167), and refuses one of an address without code', async () => {
    const nonce = BigInt(await live.call('eth_getTransactionCount', X, 'latest'));
    await deploy('deployCreateClone', [PREINSTALLS.EntryPointV06, '0x']);
    const clone = getContractAddress({ from: X, nonce });
    expect(await live.call('eth_getCode', clone, 'latest')).toBe(
      `0x363d3d373d3d3d363d73${PREINSTALLS.EntryPointV06.slice(2)}5af43d82803e903d91602b57fd5bf3`,
    );
    expect((await deploy('deployCreateClone', [BOB, '0x'])).status).toBe('0x0');
  });
});
