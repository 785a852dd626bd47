import { type Abi, encodeDeployData, encodeFunctionData, type Hex } from 'viem';
import { afterEach } from 'vitest';
import token from '../../../fixtures/contracts/Token.json' with { type: 'json' };
import { createDevnet, type DevnetOptions } from '../../../src/index.ts';
import { callsOf, type Wire } from '../../wire.ts';

const open: { close(): Promise<void> }[] = [];
/** Registers the hook of a test file: chains are closed after each test. */
export function closeChainsAfterEachTest(): void {
  afterEach(async () => {
    // A fork before the chain that it reads from.
    for (const node of open.splice(0).toReversed()) await node.close();
  });
}

export const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`;
const abi = token.abi as Abi;
export const encode = (functionName: string, ...args: unknown[]): Hex =>
  encodeFunctionData({ abi, functionName, args });

/** A chain on a clock that stands still, sealing each send, with what tests do to one. */
export async function chain(options: DevnetOptions = {}) {
  // Chains of several tests have the same hashes, and what one of them fetched would be missing in another's count of requests.
  const fork = options.forkUrl !== undefined && options.forkCache === undefined ? { noForkCache: true } : {};
  const node = await createDevnet({ automine: true, manualClock: true, port: 0, ...fork, ...options });
  open.push(node);
  const call = callsOf(node);
  const accounts = node.accounts.map(({ address }) => address.toLowerCase());
  const send = (request: object): Promise<Hex> =>
    call('eth_sendTransaction', { from: accounts[0], gas: '0x2dc6c0', ...request });
  return {
    node,
    url: node.url!,
    call,
    accounts,
    send,
    receipt: (hash: string): Promise<Wire> => call('eth_getTransactionReceipt', hash),
    block: (ref: string, full = false): Promise<Wire> => call('eth_getBlockByNumber', ref, full),
    deploy: async (): Promise<Hex> => {
      const data = encodeDeployData({
        abi,
        bytecode: token.bytecode as Hex,
        args: ['Token', 'TKN', 10n ** 24n],
      });
      return (await call('eth_getTransactionReceipt', await send({ data }))).contractAddress;
    },
  };
}

export type TestChain = Awaited<ReturnType<typeof chain>>;

/** A chain with a token whose first holder has sent some of it, at block 3. */
export async function original(options: DevnetOptions = {}) {
  const one = await chain({ timestamp: 1_700_000_000, ...options });
  const at = await one.deploy();
  const [, second, third] = one.accounts;
  const sent = [
    await one.send({ to: at, data: encode('transfer', second, 700n) }),
    await one.send({ to: at, data: encode('transfer', third, 50n) }),
  ];
  return { ...one, token: at, sent };
}

/** A chain that goes on from another one. */
export function forkOf(one: { url: string }, options: DevnetOptions = {}) {
  return chain({ forkUrl: one.url, ...options });
}
