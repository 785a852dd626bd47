import { createDevnet } from '../../src/index.ts';

/** Blocks every 2 s, partial blocks every 200 ms, on a clock that stands still between the calls. */
export async function startIntervalNode() {
  const node = await createDevnet({ port: 0, blockTime: 2, flashblockInterval: 200, manualClock: true });
  const { clock } = node;
  const height = () => node.provider.request({ method: 'eth_blockNumber', params: [] });
  return {
    url: node.url!,
    /** One partial block: what waits in the mempool is pre-confirmed. */
    preconfirm: () => clock.advance(200),
    /** On to the next block boundary: the block that is being built is sealed, and nothing of the next one is there. */
    seal: async () => {
      const before = await height();
      for (let index = 0; index < 10 && (await height()) === before; index++) await clock.advance(200);
    },
    close: () => node.close(),
  };
}

/** A block per transaction, sealed before the send is answered. */
export async function startAutomineNode() {
  const node = await createDevnet({ port: 0, automine: true });
  return { url: node.url!, close: () => node.close() };
}

/** Keys of the first dev accounts: mnemonic `test test test test test test test test test test test junk`. */
export const KEYS = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
] as const;

/** Accounts that nobody has used before. */
export const ALICE = '0x00000000000000000000000000000000000A11cE';
export const BOB = '0x0000000000000000000000000000000000000B0b';
export const CAROL = '0x00000000000000000000000000000000000ca201';
