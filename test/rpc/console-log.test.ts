import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet, type DevnetOptions, type ManualClock } from '../../src/index.ts';
import { type Call, callsOf } from '../wire.ts';

/** console.log('hi'), as Hardhat's library encodes it. */
const SAYS_HI = `41304fac${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}${'6869'.padEnd(64, '0')}`;
/** Code that prints `hi` and goes on with other code. */
function printing(then: string): string {
  const begin = (at: number) =>
    `6064 60${at.toString(16).padStart(2, '0')} 5f39 5f5f60645f73000000000000000000636f6e736f6c652e6c6f675afa50`;
  const at = begin(0).replaceAll(' ', '').length / 2 + then.length / 2;
  return `0x${begin(at).replaceAll(' ', '')}${then}${SAYS_HI}`;
}

/** Prints; then reverts if it is called with data. */
const PRINTER = '0x1000000000000000000000000000000000000001';
/** Prints, and emits a log, which makes the block's only transaction a deposit: the core leaves such a block to the other way. */
const DEPOSIT_CONTRACT = '0x00000000219ab540356cbb839cbe05303d7705fa';

const GAS = '0x100000';

describe.each(['fast', 'ethereumjs', 'shadow'] as const)(
  'engine %s prints a line of console.log',
  (engine) => {
    let node: Devnet;
    let call: Call;
    let from: string;
    const lines: string[] = [];
    const traced: string[] = [];
    const start = async (options: DevnetOptions, isTraced: boolean) => {
      node = await createDevnet(
        { automine: true, engine, ...options },
        {
          onConsole: (line, contract) => lines.push(`${contract}: ${line}`),
          ...(isTraced && { onTrace: ({ to }) => traced.push(to!) }),
        },
      );
      call = callsOf(node);
      from = node.accounts[0]!.address;
      // At its end: CALLDATASIZE, and a revert unless that is 0.
      await call('anvil_setCode', PRINTER, printing('3615602b575f5ffd5b00'));
      await call('anvil_setCode', DEPOSIT_CONTRACT, printing('5f5fa000'));
    };
    /** How often a request prints, whether it fails or not. */
    const times = async (method: string, ...params: unknown[]) => {
      lines.length = traced.length = 0;
      const error: unknown = await call(method, ...params).then(
        () => undefined,
        (thrown) => thrown,
      );
      return [lines.length, error === undefined ? 'ok' : 'error'];
    };

    // The engines have nothing to do with the dialects, so one of them is enough for most.
    const dialects = engine === 'fast' ? (['anvil', 'hardhat', 'hardhat2'] as const) : (['anvil'] as const);
    describe.each(dialects)('in the dialect of %s', (compat) => {
      beforeAll(() => start({ compat }, false));
      afterAll(() => node.close());

      it.each([
        ['once', 1, 'eth_call', { to: PRINTER }],
        ['once', 1, 'eth_sendTransaction', { to: PRINTER, gas: GAS }],
        ['once, without gas of its own', 1, 'eth_sendTransaction', { to: PRINTER }],
        ['not in an estimate, whose transaction will print it', 0, 'eth_estimateGas', { to: PRINTER }],
        ['nor with gas', 0, 'eth_estimateGas', { to: PRINTER, gas: GAS }],
        ['nor at a block', 0, 'eth_estimateGas', { to: PRINTER }, 'latest'],
        ['nor in eth_fillTransaction', 0, 'eth_fillTransaction', { to: PRINTER }],
        ['once in a block of its own way', 1, 'eth_sendTransaction', { to: DEPOSIT_CONTRACT, gas: GAS }],
      ])('%s', async (_, expected, method, given, ...rest) => {
        expect(await times(method, { from, ...given }, ...rest)).toEqual([expected, 'ok']);
        if (expected > 0) expect(lines).toEqual([`${given.to}: hi`]);
      });

      it.each([
        ['eth_call', { to: PRINTER, data: '0x01' }, 'error'],
        ['eth_estimateGas', { to: PRINTER, data: '0x01' }, 'error'],
        ['eth_fillTransaction', { to: PRINTER, data: '0x01' }, 'error'],
        ['eth_sendTransaction', { to: PRINTER, data: '0x01', gas: GAS }, compat === 'anvil' ? 'ok' : 'error'],
        ['eth_sendTransaction', { to: PRINTER, data: '0x01' }, compat === 'anvil' ? 'ok' : 'error'],
      ])('once where %s fails: %o', async (method, given, outcome) => {
        expect(await times(method, { from, ...given })).toEqual([1, outcome]);
      });

      it('once where it is sent to the console itself, and not in its estimate', async () => {
        const sent = { from, to: '0x000000000000000000636F6e736F6c652e6c6f67', data: `0x${SAYS_HI}` };
        expect(await times('eth_estimateGas', sent)).toEqual([0, 'ok']);
        expect(await times('eth_sendTransaction', sent)).toEqual([1, 'ok']);
        expect(lines).toEqual([`${from.toLowerCase()}: hi`]);
      });
    });

    it('before the calls of its transaction, and each once', async () => {
      await start({}, true);
      expect(await times('eth_sendTransaction', { from, to: PRINTER, data: '0x01' })).toEqual([1, 'ok']);
      expect(traced).toEqual([PRINTER]);
      expect(await times('eth_sendTransaction', { from, to: DEPOSIT_CONTRACT })).toEqual([1, 'ok']);
      expect(await times('eth_estimateGas', { from, to: PRINTER })).toEqual([0, 'ok']);
      expect(traced).toEqual([PRINTER]);
      await node.close();
    });

    it('once where it is pre-confirmed, and its block is then sealed', async () => {
      await start({ automine: false, blockTime: 2, manualClock: true }, false);
      await times('eth_sendTransaction', { from, to: PRINTER });
      for (const _ of ['pre-confirmed', 'sealed']) {
        await (node.clock as ManualClock).advance(2_000);
        expect(lines).toEqual([`${PRINTER}: hi`]);
      }
      await node.close();
    });
  },
);
