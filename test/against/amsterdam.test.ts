import { describe, expect, test } from 'vitest';
import type { AgainstFields } from '../../src/against/tally.ts';
import { createDevnet } from '../../src/index.ts';
import { type Call, callsOf, type Wire } from '../wire.ts';
import { callWith, comparedNode, orRevert, push } from './compared.ts';

const CONTRACT = '0x00000000000000000000000000000000000000c1';
const CALLEE = '0x00000000000000000000000000000000000000c2';
const NEW = '0x00000000000000000000000000000000000000aa';
const WEI = '0x1';
const CALL_LENGTH = 8 + 1 + 21 + 4 + 1;

/** What a scenario does on a chain. */
interface Played {
  place(address: string, code: string): Promise<unknown>;
  /** Sends a transaction. @returns its receipt */
  send(transaction: object): Promise<Wire>;
  /** Asks for the gas of a transaction first, as most tools do. @param margin percent of that */
  sendEstimated(transaction: object, margin: bigint): Promise<Wire>;
}

/**
 * Plays a scenario on a chain of Osaka, compared with Amsterdam, and once more on a chain of Amsterdam: there each transaction must come to
 * what the comparison says.
 */
async function confirmed(play: (chain: Played) => Promise<Wire[]>) {
  const node = await comparedNode('osaka', 'amsterdam');
  const before: Wire[] = await play(played(node.call));
  const fields = await node.end();
  const later = await createDevnet({
    hardfork: 'amsterdam',
    automine: true,
    manualClock: true,
    timestamp: 1_700_000_000,
  });
  try {
    const after: Wire[] = await play(played(callsOf(later)));
    expect(before.map(({ status }) => status)).toEqual(before.map(() => '0x1'));
    for (const [i, { transactionHash }] of before.entries()) {
      const told = fields.different.find(({ hash }) => hash === transactionHash);
      const fails = told?.verdict.startsWith('fails') ?? false;
      expect(after[i].status).toBe(fails ? '0x0' : '0x1');
      if (told?.gasThen !== undefined) expect(Number(after[i].gasUsed)).toBe(told.gasThen);
      const sameLogs = after[i].logs.length === before[i].logs.length;
      if (!fails) expect(told?.verdict === 'other logs').toBe(!sameLogs);
    }
    return { fields, before, after };
  } finally {
    await later.close();
  }
}

function played(call: Call): Played {
  const from = call('eth_accounts').then(([first]: string[]) => first);
  const send = async (transaction: object) => {
    const hash = await call('eth_sendTransaction', { from: await from, ...transaction });
    return call('eth_getTransactionReceipt', hash);
  };
  return {
    place: (address, code) => call('anvil_setCode', address, code),
    send,
    sendEstimated: async (transaction, margin) => {
      const least = BigInt(await call('eth_estimateGas', { from: await from, ...transaction }));
      return send({ ...transaction, gas: `0x${((least * margin) / 100n).toString(16)}` });
    },
  };
}

const hex = (value: number) => `0x${value.toString(16)}`;

describe('against amsterdam', () => {
  test('a fixed limit of 21,000 to a new address fails with it, and needs 204,600', async () => {
    const { fields, after } = await confirmed(async ({ send }) => [
      await send({ to: NEW, value: WEI, gas: hex(21_000) }),
    ]);
    expect(fields.different).toMatchObject([
      {
        verdict: 'fails with this limit',
        gasLimit: 21_000,
        needs: 204_600,
        reason: 'out of gas: the recipient is a new account (EIP-8037)',
      },
    ]);
    expect(after[0].gasUsed).toBe(hex(21_000));
  });

  test('a deposit with a limit of 150,000 that sets two slots fails with it, at the SSTORE', async () => {
    // SSTORE(0, CALLVALUE), SSTORE(1, CALLER)
    const { fields } = await confirmed(async ({ place, send }) => {
      await place(CONTRACT, '0x3460005533600155');
      return [await send({ to: CONTRACT, value: WEI, gas: hex(150_000) })];
    });
    const [only] = fields.different;
    expect(only).toMatchObject({
      verdict: 'fails with this limit',
      at: { opcode: 'SSTORE', pc: 7, endsThen: 'out of gas' },
    });
    // 21,000 and two slots of 12,100 and 97,920 each
    expect(only!.needs).toBeGreaterThanOrEqual(21_000 + 2 * 110_020);
    expect(only!.needs).toBeLessThan(250_000);
  });

  test('a call with {gas: 30000} that sets a slot fails, at the SSTORE of the callee', async () => {
    const { fields } = await confirmed(async ({ place, send }) => {
      await place(CALLEE, '0x600160005500');
      await place(CONTRACT, `0x${callWith(30_000, CALLEE)}${orRevert(CALL_LENGTH)}00`);
      return [await send({ to: CONTRACT, gas: hex(500_000) })];
    });
    // A reservoir above 2^24 would pay for the slot.
    expect(fields.different).toMatchObject([
      {
        verdict: 'fails with this limit',
        reason: 'reverted with no reason',
        at: {
          ...{ address: CALLEE, opcode: 'SSTORE', depth: 1, endsThen: 'out of gas' },
          given: { address: CONTRACT, opcode: 'CALL', gas: 30_000 },
        },
      },
    ]);
    expect(fields.different[0]!.needs).toBeGreaterThan(2 ** 24);
  });

  test('transfer() to a contract that reads a slot and a code with 2,300 gas fails with any limit', async () => {
    const { fields } = await confirmed(async ({ place, send }) => {
      // SLOAD(0), EXTCODESIZE(CALLER): 2,100 and 100 now, 2,100 and 200 then
      await place(CALLEE, '0x60005450333b5000');
      await place(CONTRACT, `0x${callWith(0, CALLEE)}${orRevert(CALL_LENGTH)}00`);
      return [await send({ to: CONTRACT, value: WEI, gas: hex(200_000) })];
    });
    expect(fields.different).toMatchObject([
      {
        verdict: 'fails with any',
        at: { address: CALLEE, depth: 1, endsThen: 'out of gas', given: { address: CONTRACT, gas: 2_300 } },
      },
    ]);
  });

  test('transfers of ETH leave other logs: of a transaction, and by an opcode, which is named', async () => {
    const { fields } = await confirmed(async ({ place, send }) => {
      await place(CALLEE, '0x00');
      await place(CONTRACT, `0x${callWith(0, CALLEE)}00`);
      const to = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
      return [
        await send({ to, value: WEI, gas: hex(21_000) }),
        await send({ to, gas: hex(21_000) }),
        await send({ to: CONTRACT, value: WEI, gas: hex(100_000) }),
      ];
    });
    expect(fields.verdicts).toMatchObject({ 'other logs': 2, cheaper: 1 });
    const [plain, byCode] = fields.different;
    expect(plain).toMatchObject({ reason: '0 logs now, 1 log then' });
    expect(plain!.at).toBeUndefined();
    expect(byCode).toMatchObject({ reason: '0 logs now, 2 logs then' });
  });

  test('a transfer by an opcode alone names that opcode', async () => {
    const { fields } = await confirmed(async ({ place, send }) => {
      await place(CALLEE, '0x00');
      // CALL(GAS, CALLEE, 1, 0, 0, 0, 0): 1 wei that the account has already
      await place(CONTRACT, `0x60006000600060006001${push(CALLEE)}5af100`);
      await send({ to: CONTRACT, value: '0x2', gas: hex(100_000) });
      return [await send({ to: CONTRACT, gas: hex(100_000) })];
    });
    expect(fields.different).toMatchObject([
      { reason: '0 logs now, 2 logs then' },
      { verdict: 'other logs', reason: '0 logs now, 1 log then', at: { opcode: 'CALL', pc: 32 } },
    ]);
  });

  test.each([100n, 120n])(
    'a limit of %s percent of what the node has estimated is estimated anew: dearer, and no failure',
    async (margin) => {
      const { fields, after } = await confirmed(async ({ place, sendEstimated }) => {
        await place(CONTRACT, '0x600160005500');
        return [await sendEstimated({ to: CONTRACT }, margin)];
      });
      expect(fields.different).toEqual([]);
      const [only] = fields.functions;
      expect(only).toMatchObject({ verdict: 'dearer', count: 1, stateGasThen: { average: 97_920 } });
      expect(only!.gasThen!.average).toBe(Number(after[0].gasUsed));
      expect(only!.gasLimitThen!.average).toBeGreaterThanOrEqual(only!.gasThen!.average);
    },
  );

  test('a transaction without a limit gets the estimate of its own hardfork on either chain', async () => {
    const { fields } = await confirmed(async ({ send }) => [await send({ to: NEW, value: WEI })]);
    expect(fields.different).toMatchObject([
      { verdict: 'other logs', gasThen: 204_600, gasLimitThen: 204_600 },
    ]);
  });

  test('a deployment of 24,576 bytes needs more than a block of 30 million gas has, and a block of Amsterdam has it', async () => {
    const { fields } = await confirmed(async ({ send }) => [
      // PUSH2 24576 PUSH0 RETURN
      await send({ data: '0x6160005ff3', gas: hex(6_000_000) }),
    ]);
    const [only] = fields.different;
    expect(only).toMatchObject({ function: 'deployment', verdict: 'fails with this limit' });
    expect(only!.needs).toBeGreaterThan(37_000_000);
  });

  test('state gas stands beside the gas of now on a chain of Amsterdam', async () => {
    const { place, send, end } = await comparedNode('amsterdam', 'osaka');
    await place(CONTRACT, '0x600160005500');
    await send({ to: CONTRACT });
    const { functions }: AgainstFields = await end();
    expect(functions).toMatchObject([
      {
        verdict: 'cheaper',
        gasNow: { average: 125_026 },
        stateGasNow: { average: 97_920 },
        gasThen: { average: 43_106 },
      },
    ]);
    expect(functions[0]).not.toHaveProperty('stateGasThen');
  });
});
