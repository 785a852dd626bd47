import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeFunctionData, getAddress, parseAbi } from 'viem';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDevnet, type Devnet, type DevnetOptions, followDevnet } from '../../src/index.ts';

const artifacts = 'fixtures/contracts';
const { abi, bytecode } = JSON.parse(readFileSync(`${artifacts}/Token.json`, 'utf8'));
const data = encodeFunctionData({
  abi: parseAbi(['function transfer(address to, uint256 value)']),
  args: [`0x${'22'.repeat(20)}`, 5n],
});

const open: Devnet[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  // A follower and a fork are closed before the chain that they read.
  for (const chain of open.splice(0).reverse()) await chain.close();
});

async function start(options: DevnetOptions, onLog?: (text: string) => void): Promise<Devnet> {
  const chain = await createDevnet({ automine: true, artifacts, ...options }, { onLog });
  open.push(chain);
  return chain;
}

/** The same contract, on the chain itself, on a fork of it, and on a follower of it: a chain that prints traces to a list. */
const PLACES = {
  'on the chain itself': (options: DevnetOptions, lines: string[]) =>
    start({ ...options, printTraces: true }, (text) => lines.push(text)),
  'on a fork': async (options: DevnetOptions, lines: string[], origin: Devnet) =>
    start({ ...options, forkUrl: origin.url!, printTraces: true }, (text) => lines.push(text)),
  'on a follower': async ({ compat }: DevnetOptions, lines: string[], origin: Devnet) => {
    const options = { artifacts, printTraces: true, ...(compat && { compat }) };
    const stream = `${origin.url!.replace('http', 'ws')}/flashblocks`;
    const follower = await followDevnet(stream, options, { onLog: (text) => lines.push(text) });
    open.push(follower);
    return follower;
  },
};

describe.each(Object.entries(PLACES))('%s', (_, open_) => {
  it.each([
    [{}, (holder: string) => `execution reverted: InsufficientBalance(${holder}, 0, 5)`],
    [
      { compat: 'hardhat' },
      (holder: string) =>
        `VM Exception while processing transaction: reverted with custom error 'InsufficientBalance("${holder}", 0, 5)'`,
    ],
    [
      { compat: 'hardhat2' },
      (holder: string) =>
        `Error: VM Exception while processing transaction: reverted with custom error 'InsufficientBalance("${holder}", 0, 5)'`,
    ],
  ] as const)('traces and messages name contract, function and error: %o', async (options, message) => {
    const origin = await start({ ...options, port: 0 });
    const token = { abi, bytecode, args: ['Token', 'TKN', 10n ** 24n] };
    let { address: to } = await origin.deploy(token);
    const lines: string[] = [];
    const chain = await open_(options, lines, origin);
    const holder = getAddress(chain.accounts[1]?.address ?? origin.accounts[1]!.address);
    const code = await chain.provider.request({ method: 'eth_getCode', params: [to] });
    if (code === '0x') ({ address: to } = await chain.deploy(token));
    lines.length = 0;
    const call = { from: holder, to, data };
    const error = chain.provider.request({ method: 'eth_call', params: [call] });
    await expect(error).rejects.toMatchObject({ message: message(holder) });
    expect(lines.join('\n')).toContain('Token::transfer(');
    expect(lines.join('\n')).toContain('InsufficientBalance(');
  });
});

it('console.log has the name of its contract, and is printed before the request is answered', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  // Passes its input on to the console.
  const runtime = '365f5f375f5f365f73000000000000000000636f6e736f6c652e6c6f675afa5000';
  const folder = mkdtempSync(join(tmpdir(), 'devnet-names-'));
  try {
    const artifact = { contractName: 'Printer', abi: [], deployedBytecode: `0x${runtime}` };
    writeFileSync(join(folder, 'Printer.json'), JSON.stringify(artifact));
    const { provider, deploy } = await start({ artifacts: folder });
    const { address } = await deploy({ bytecode: `0x60218060095f395ff3${runtime}` });
    const says = encodeFunctionData({ abi: parseAbi(['function log(string)']), args: ['hi'] });
    await provider.request({ method: 'eth_call', params: [{ to: address, data: says }] });
    expect(log.mock.calls).toEqual([['Printer: hi']]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
