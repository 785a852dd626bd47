import { test as base, inject, type TestAPI } from 'vitest';
import { type Account, type ChainActions, chainActions } from '../api/chain-actions.ts';
import type { DevnetOptions } from '../index.ts';
import { forSuites } from '../options/for-suites.ts';
import { checkPeer } from '../peer-version.ts';
import { type EthereumProvider, httpProvider } from './http-provider.ts';
import { tellingSource } from './solidity-errors.ts';
import type { SetupAnswer } from './vitest-setup.ts';

checkPeer('vitest');

/** The URL at which the globalSetup `devnet/vitest/setup` gives workers their chains. */
const setup = inject('devnet' as never) as string | undefined;
// Loaded before the tests, because it would count towards their time limit. With the globalSetup, a worker doesn't need it.
const api = setup === undefined ? await import('../index.ts') : undefined;

/** The chain of a test. */
export interface Chain extends ChainActions {
  /** EIP-1193; for ethers' `BrowserProvider` and viem's `custom(provider)` */
  readonly provider: EthereumProvider;
  /** `http://host:port`; `undefined` for a chain in the test's process without the option `port` */
  readonly url: string | undefined;
  /** the dev accounts, funded in the genesis block */
  readonly accounts: readonly Account[];
}

/** The fixtures that tests can use. */
export interface DevnetFixtures {
  /** the worker's chain; changes made by a test are reverted after it */
  readonly chain: Chain;
  /** the worker's chain for `beforeAll`: changes made there are seen by all tests of the file */
  readonly devnet: Chain;
}

/**
 * Vitest's `test` with a chain for each worker: the one from the globalSetup `devnet/vitest/setup`, else one in the worker's own process.
 * Not for concurrent tests, which would revert each other's changes.
 * @param options options of chains in the worker's process; a block for each transaction unless they give a mining mode
 */
export function devnetTest(options: DevnetOptions = {}): TestAPI<DevnetFixtures> {
  return base.extend<DevnetFixtures>({
    devnet: [
      // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures it needs
      async ({}, use) => {
        const { chain, close } = await openChain(options);
        try {
          // Afterwards, the next file that uses this chain finds it in the same state.
          await takingBack(chain, () => use(chain));
        } finally {
          await close();
        }
      },
      { scope: 'worker' },
    ],
    chain: async ({ devnet }, use) => {
      await takingBack(devnet, () => use(devnet));
      await (devnet as OpenChain).printLog?.();
    },
  }) as TestAPI<DevnetFixtures>;
}

/** {@link devnetTest} without options. */
export const test = devnetTest();
export const it = test;

/** The output of a chain in Vitest's own process is printed when a worker requests it. */
type OpenChain = Chain & { readonly printLog?: () => Promise<void> };

async function takingBack({ provider }: Chain, run: () => Promise<void>): Promise<void> {
  const id = await provider.request({ method: 'evm_snapshot' });
  await run();
  if (!(await provider.request({ method: 'evm_revert', params: [id] })))
    throw new Error(
      'the chain can not be reverted to its state before the test: the test itself reverted to an earlier snapshot',
    );
}

async function openChain(options: DevnetOptions): Promise<{ chain: OpenChain; close: () => Promise<void> }> {
  if (!api) {
    const ask = async (): Promise<SetupAnswer> => {
      const response = await fetch(`${setup}/${process.env.VITEST_POOL_ID ?? 1}`);
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      return JSON.parse(text) as SetupAnswer;
    };
    const printLog = async () => {
      // biome-ignore lint/suspicious/noConsole: Vitest shows it under the test
      for (const lines of (await ask()).log) console.log(lines);
    };
    const { url, accounts } = await ask();
    const provider = tellingSource(httpProvider(url), options.artifacts);
    const actions = chainActions(provider, () => accounts[0]!.address);
    return { chain: { ...actions, provider, url, accounts, printLog }, close: printLog };
  }
  const devnet = await api.createDevnet(forSuites(options));
  const { url, accounts } = devnet;
  const provider = tellingSource(devnet.provider, options.artifacts);
  const actions = chainActions(provider, () => accounts[0]!.address);
  return { chain: { ...devnet, ...actions, provider, url, accounts }, close: () => devnet.close() };
}
