import { expect, it } from 'vitest';
import {
  A,
  ACCOUNT,
  B,
  CODE_BYTE,
  callOf,
  DELEGATION,
  hex,
  NEW,
  onEachEngine,
  push,
  pushed,
  SLOT,
  TELL,
  word,
} from './chain.ts';

/** SSTORE(0, 1), cold: two pushes and 12,100 execution gas */
const SET = '60015f55';
const SET_GAS = 2n + 3n + 12_100n;
/** SSTORE(0, 0) once it is warm: two pushes and 100 */
const CLEAR = '5f5f55';
const CLEAR_GAS = 4n + 100n;
/** SSTORE(1, 1) */
const SET_ANOTHER = '6001600155';
const CAP = 2n ** 24n;
const BASE = 15_000n;
/** GAS as a word in memory, returned */
const RETURN_GAS = '5a5f5260205ff3';
/** CALL, DELEGATECALL, CALLCODE or STATICCALL of an account with all gas, its output to 0..32; then LOG0 of that */
const askedBy = (opcode: string, to: string) =>
  `60205f5f5f${opcode === 'f1' || opcode === 'f2' ? '5f' : ''}${pushed(to)}5a${opcode}5060205fa0`;

onEachEngine('EIP-8037, state gas', (chain) => {
  it('costs 1,530 a byte: a slot 64, an account 120, a delegation 23', () => {
    expect([SLOT, ACCOUNT, DELEGATION]).toEqual([64n * CODE_BYTE, 120n * CODE_BYTE, 23n * CODE_BYTE]);
  });

  it.each<[string, number[], string, bigint, bigint]>([
    ['from 0', [0], SET, SET_GAS, SLOT],
    ['that had a value', [7], SET, SET_GAS, 0n],
    ['that is cleared: none', [7], '5f5f55', 4n + 12_100n, 0n],
    ['that keeps its value: none', [1], SET, 5n + 2_100n, 0n],
    ['that keeps 0: none', [0], '5f5f55', 4n + 2_100n, 0n],
    ['0 -> 1 -> 0: it comes back at once', [0], SET + CLEAR, SET_GAS + CLEAR_GAS, 0n],
    ['0 -> 1 -> 2: once', [0], `${SET}60025f55`, SET_GAS + 5n + 100n, SLOT],
    ['0 -> 1 -> 0 -> 1: once', [0], SET + CLEAR + SET, SET_GAS + CLEAR_GAS + 5n + 100n + 10_000n, SLOT],
    ['1 -> 0 -> 1: none', [1], `5f5f55${SET}`, 4n + 12_100n + 5n + 100n, 0n],
  ])('of a slot %s', async (_, slots, code, execution, state) => {
    await chain.put(A, code, slots);
    expect(await chain.send({ to: A })).toMatchObject({ status: 1, execution: BASE + execution, state });
  });

  it.each<[string, bigint]>([
    ['without a reservoir', 0n],
    ['with a reservoir of one less', SLOT - 1n],
    ['with a reservoir of all of it', SLOT],
  ])('of a slot, exactly enough and one too little, %s', async (_, reservoir) => {
    // In the last case no state gas comes out of the frame's gas, so that only execution gas may be short.
    const spill = SLOT - reservoir;
    const needed = SET_GAS + spill;
    const outer = (gas: bigint) => `${callOf(B, { gas: push(gas) })}${TELL}`;
    await chain.put(B, SET);
    for (const [gas, success] of [
      [needed, 1n],
      [needed - 1n, 0n],
    ] as const) {
      await chain.put(A, outer(gas));
      const { told, state } = await chain.send({ to: A, gas: CAP + reservoir });
      expect(told).toEqual([success]);
      expect(state).toBe(success ? SLOT : 0n);
      await chain.call('anvil_setStorageAt', B, '0x0', word(0));
    }
  });

  it('needs more for a moment than it uses, where it comes back', async () => {
    await chain.put(A, SET + CLEAR);
    // Two PUSH0, and more than the 2,300 of the sentry: then it comes back.
    const peak = BASE + SET_GAS + SLOT + 4n + 2_301n;
    const used = BASE + SET_GAS + CLEAR_GAS;
    // 10,000 are refunded for the value that came back, a fifth at most.
    expect(await chain.send({ to: A, gas: peak })).toMatchObject({ status: 1, gas: used - used / 5n });
    // An estimate is at most 1.5 % above what is needed, as in geth.
    const estimate = BigInt(await chain.call('eth_estimateGas', { from: chain.from, to: A }));
    expect([estimate >= peak, estimate <= (peak * 1_015n) / 1_000n]).toEqual([true, true]);
    expect(await chain.send({ to: A, gas: peak - 1n })).toMatchObject({ status: 0, gas: peak - 1n });
  });

  it('is taken from the reservoir first, which GAS does not show', async () => {
    await chain.put(A, `5a${SET}5a9003${TELL}`);
    const spent = 2n + SET_GAS;
    const without = await chain.send({ to: A, gas: CAP });
    expect(without.told).toEqual([spent + SLOT]);
    await chain.reset();
    await chain.put(A, `5a${SET}5a9003${TELL}`);
    expect((await chain.send({ to: A, gas: CAP + SLOT })).told).toEqual([spent]);
    await chain.reset();
    await chain.put(A, `5a${SET}5a9003${TELL}`);
    expect((await chain.send({ to: A, gas: CAP + 1_000n })).told).toEqual([spent + SLOT - 1_000n]);
  });

  it('has a reservoir of what the limit is above 2^24: the first opcode sees 2^24 less the intrinsic gas', async () => {
    await chain.put(A, `5a${TELL}`);
    expect((await chain.send({ to: A, gas: CAP - 1n })).told).toEqual([CAP - 1n - BASE - 2n]);
    expect((await chain.send({ to: A, gas: CAP })).told).toEqual([CAP - BASE - 2n]);
    expect((await chain.send({ to: A, gas: 2n ** 27n })).told).toEqual([CAP - BASE - 2n]);
  });

  it('comes back unused: only what was used is paid', async () => {
    await chain.put(A, SET);
    expect(await chain.send({ to: A, gas: 190_000_000n })).toMatchObject({ gas: BASE + SET_GAS + SLOT });
  });

  it('gives the reservoir back where the transaction halts since a call can not pay for the account it brings into being', async () => {
    // Two calls burn what they get, so that about 110,000 gas is left: enough for the call, and not for the account.
    await chain.put(B, 'fe');
    await chain.put(
      A,
      `${callOf(B)}50${callOf(B, { gas: push(150_000) })}50${callOf(NEW, { value: 1 })}`,
      [],
      1,
    );
    const ended = await chain.send({ to: A, gas: CAP + 1_000n });
    expect(ended).toMatchObject({ status: 0, gas: CAP, execution: CAP, state: 0n });
    const { structLogs } = await chain.call('debug_traceTransaction', ended.receipt.transactionHash, {});
    expect(structLogs.at(-1)).toMatchObject({ op: 'CALL', gasCost: 0, stateGasCost: 0, error: 'out of gas' });
  });

  it.each(['f1', 'f2', 'f4', 'fa'])(
    'all but 1/64 of the gas goes to the callee of opcode %s, and the whole reservoir',
    async (opcode) => {
      // What GAS shows in the callee is the same with a reservoir, and SSTORE there takes from it.
      await chain.put(B, RETURN_GAS);
      await chain.put(A, askedBy(opcode, B));
      const { told: without } = await chain.send({ to: A, gas: CAP });
      const { told: with_ } = await chain.send({ to: A, gas: CAP + 5n * SLOT });
      expect(with_).toEqual(without);
      if (opcode === 'fa') return;
      // GAS before and after SSTORE in the callee
      await chain.put(B, `5a${SET}5a90035f5260205ff3`);
      expect((await chain.send({ to: A, gas: CAP + 5n * SLOT })).told).toEqual([2n + SET_GAS]);
    },
  );

  it('goes to the init code of CREATE and CREATE2 whole', async () => {
    // The init code sets a slot and reads GAS before and after, and LOG0s the difference.
    const init = `5a${SET}5a9003${TELL}00`;
    const size = init.length / 2;
    for (const create of ['f0', 'f5']) {
      await chain.put(
        A,
        `${push(BigInt(`0x${init}`))}5f52${create === 'f5' ? '5f' : ''}${push(size)}${push(32 - size)}5f${create}00`,
      );
      const { told, state } = await chain.send({ to: A, gas: CAP + ACCOUNT + SLOT });
      expect(told).toEqual([2n + SET_GAS]);
      expect(state).toBe(ACCOUNT + SLOT);
    }
  });

  it('of a callee that reverts comes back: spilled gas to the caller, the rest to the reservoir', async () => {
    // B sets a slot and reverts; A then sets one, and tells what both took of its gas.
    await chain.put(B, `${SET}5f5ffd`);
    await chain.put(A, `5a${callOf(B)}50${SET}5a9003${TELL}`);
    const call = 5n * 2n + 3n + 2n + 3_000n;
    const both = 2n + call + SET_GAS + 4n + 2n + SET_GAS;
    const { told: spilled, state } = await chain.send({ to: A, gas: CAP });
    // What B spilled came back, what A spilled not.
    expect([spilled, state]).toEqual([[both + SLOT], SLOT]);
    await chain.call('anvil_setStorageAt', A, '0x0', word(0));
    // A reservoir for one slot: B's came back to it, so that A takes it.
    expect((await chain.send({ to: A, gas: CAP + SLOT })).told).toEqual([both]);
  });

  it('of a callee that halts: its gas is burnt, the reservoir is as before it', async () => {
    await chain.put(B, `${SET}fe`);
    await chain.put(A, `${callOf(B, { gas: push(150_000) })}505a${SET}5a9003${TELL}`);
    const { told, state, status } = await chain.send({ to: A, gas: CAP + SLOT });
    // A's slot takes what B's had: nothing of its gas.
    expect([status, told, state]).toEqual([1, [2n + SET_GAS], SLOT]);
    await chain.call('anvil_setStorageAt', A, '0x0', word(0));
    // Without a reservoir B's spill is burnt with the rest: A pays 150,000 for the call.
    const { execution, state: own } = await chain.send({ to: A, gas: CAP });
    expect(own).toBe(SLOT);
    const around = BASE + 5n * 2n + 3n + 3n + 3_000n + 150_000n + 2n + 2n + SET_GAS + 2n + 3n + 3n;
    const tell = 2n + 3n + 3n + 3n + 2n + 375n + 256n - 0n;
    expect(execution).toBe(around + tell);
  });

  it('of a slot that a callee clears, set by its caller, comes back to the callee’s frame', async () => {
    // A sets slot 0 and delegates to B, which clears it and then sets slot 1: the state gas moves on.
    await chain.put(B, `${CLEAR}5a${SET_ANOTHER}5a9003${TELL}`);
    await chain.put(A, `${SET}5f5f5f5f${pushed(B)}5af4`);
    const { told, state } = await chain.send({ to: A, gas: CAP + SLOT });
    expect([told, state]).toEqual([[2n + 6n + 12_100n], SLOT]);
  });

  it('of a transaction that reverts comes back, and the gas that it spilled too', async () => {
    await chain.put(A, `${SET}5f5ffd`);
    for (const gas of [1_000_000n, CAP + SLOT, CAP + 10n])
      expect(await chain.send({ to: A, gas })).toMatchObject({
        status: 0,
        gas: BASE + SET_GAS + 4n,
        state: 0n,
      });
  });

  it('of a transaction that halts: the reservoir comes back, all else is gone', async () => {
    await chain.put(A, `${SET}fe`);
    expect(await chain.send({ to: A, gas: CAP + 5n * SLOT })).toMatchObject({
      status: 0,
      gas: CAP,
      state: 0n,
    });
    // Spilled gas is gone with the frame's.
    expect(await chain.send({ to: A, gas: CAP + 10n })).toMatchObject({ status: 0, gas: CAP });
  });

  it('of an account, by a call with value: only where it does not exist', async () => {
    await chain.put(A, callOf(NEW, { value: 1 }), [], 10);
    const execution = BASE + 4n * 2n + 3n + 3n + 2n + 3_000n + 9_000n;
    expect(await chain.send({ to: A })).toMatchObject({ status: 1, execution, state: ACCOUNT });
    expect(await chain.send({ to: A })).toMatchObject({ status: 1, execution, state: 0n });
  });

  it('of an account, by a call without value: none', async () => {
    await chain.put(A, callOf(NEW));
    expect(await chain.send({ to: A })).toMatchObject({ status: 1, state: 0n });
  });

  it('of an account comes back where the value is more than the caller has', async () => {
    await chain.put(A, `${callOf(NEW, { value: 1 })}${TELL}`);
    expect(await chain.send({ to: A })).toMatchObject({ status: 1, state: 0n, told: [0n] });
  });

  it('of an account, by SELFDESTRUCT with a balance', async () => {
    await chain.put(A, `${pushed(NEW)}ff`, [], 1);
    expect(await chain.send({ to: A })).toMatchObject({
      execution: BASE + 3n + 5_000n + 3_000n + 9_000n,
      state: ACCOUNT,
    });
    // Its balance is gone: nobody new comes into being.
    expect(await chain.send({ to: A })).toMatchObject({ execution: BASE + 3n + 5_000n + 3_000n, state: 0n });
  });

  it.each<[string, string, bigint]>([
    ['of 1 byte', '60015ff3', 1n],
    ['of 32 bytes', '60205ff3', 32n],
    ['of 33 bytes: 12 for two words', '60215ff3', 33n],
  ])('of code %s: 1,530 a byte, and 6 execution gas a word', async (_, data, size) => {
    const words = (size + 31n) / 32n;
    const memory = 3n * words;
    const init = 24_000n + 64n + 2n + 3n + 2n + memory + 6n * words;
    const gas = init + ACCOUNT + size * CODE_BYTE;
    expect(await chain.send({ data, gas })).toMatchObject({
      status: 1,
      execution: init,
      state: ACCOUNT + size * CODE_BYTE,
    });
    // One too little: the creation fails, with all its gas, and its account comes back.
    expect(await chain.send({ data, gas: gas - 1n })).toMatchObject({ status: 0, state: 0n });
  });

  it('of a contract that CREATE makes: account and code; none where init code reverts', async () => {
    const created = (init: string) => {
      const size = init.length / 2;
      return `${push(BigInt(`0x${init}`))}5f52${push(size)}${push(32 - size)}5ff0${TELL}`;
    };
    await chain.put(A, created('60015ff3'));
    expect((await chain.send({ to: A })).state).toBe(ACCOUNT + CODE_BYTE);
    await chain.put(A, created('60005ffd'));
    expect(await chain.send({ to: A })).toMatchObject({ status: 1, state: 0n, told: [0n] });
    // A nonce of 2^64 - 1: the creation doesn't begin.
    await chain.call('anvil_setNonce', A, hex(2n ** 64n - 1n));
    await chain.put(A, created('60015ff3'));
    expect(await chain.send({ to: A })).toMatchObject({ status: 1, state: 0n, told: [0n] });
  });

  it('a creation onto an account with a balance takes no account, onto one with code it collides', async () => {
    // CREATE2 with salt 0 and no init code
    const code = `5f5f5f5ff5${TELL}`;
    await chain.put(A, code);
    const { told, state } = await chain.send({ to: A });
    expect(state).toBe(ACCOUNT);
    const address = `0x${told[0]!.toString(16).padStart(40, '0')}`;
    // Again: its nonce is 1.
    const again = await chain.send({ to: A, gas: 200_000n });
    expect(again).toMatchObject({ status: 1, told: [0n], state: 0n });
    await chain.reset();
    await chain.put(A, code);
    await chain.call('anvil_setBalance', address, '0x1');
    expect(await chain.send({ to: A })).toMatchObject({ told, state: 0n });
  });

  it('the sentry of SSTORE looks at the gas of the frame alone', async () => {
    await chain.put(B, '60025f55', [1]);
    const status = async (gas: bigint) => {
      await chain.put(A, `${callOf(B, { gas: push(gas) })}${TELL}`);
      return (await chain.send({ to: A, gas: CAP + 10n * SLOT })).told;
    };
    expect(await status(5n + 12_100n)).toEqual([1n]);
    // A warm slot that changes back for 100: 2,300 or less halt it.
    await chain.put(B, '60015f55', [1]);
    expect(await status(5n + 2_300n)).toEqual([0n]);
    expect(await status(5n + 2_301n)).toEqual([1n]);
  });
});

onEachEngine('EIP-8037, traces', (chain) => {
  const traced = ({ receipt }: { receipt: { transactionHash: string } }, config: object) =>
    chain.call('debug_traceTransaction', receipt.transactionHash, config);

  it('stateGasTracer has both dimensions, and what was refunded', async () => {
    // SSTORE(1, 1), SSTORE(0, 0)
    await chain.put(A, '60016001555f5f55', [1]);
    const ended = await chain.send({ to: A });
    const execution = BASE + 6n + 12_100n + 4n + 12_100n;
    expect(await traced(ended, { tracer: 'stateGasTracer' })).toEqual({
      gasUsed: hex(execution + SLOT - 11_616n),
      executionGasUsed: hex(execution),
      stateGasUsed: hex(SLOT),
      gasRefund: hex(11_616n),
    });
  });

  it('where the floor is more, it is the execution gas', async () => {
    const ended = await chain.send({ to: A, data: '00'.repeat(100) });
    expect(await traced(ended, { tracer: 'stateGasTracer' })).toEqual({
      ...{ gasUsed: hex(21_400), executionGasUsed: hex(21_400), stateGasUsed: '0x0', gasRefund: '0x0' },
    });
  });

  it('a step tells of the reservoir before it, and of what it takes or gives back', async () => {
    await chain.put(A, SET + CLEAR);
    const ended = await chain.send({ to: A, gas: CAP + 100_000n });
    const { structLogs } = await traced(ended, {});
    const stores = structLogs.filter(({ op }: { op: string }) => op === 'SSTORE');
    expect(stores).toMatchObject([
      { gasCost: 12_100, stateGasReservoir: 100_000, stateGasCost: Number(SLOT) },
      { gasCost: 100, stateGasReservoir: 100_000 - Number(SLOT), stateGasCost: -Number(SLOT) },
    ]);
  });
});

onEachEngine(
  'EIP-8037, the gas of a block',
  (chain) => {
    it('a transaction has to fit into both dimensions', async () => {
      await chain.call('evm_setAutomine', false);
      // Sets 300 slots of its own: 29,376,000 state gas.
      const slots = Array.from({ length: 300 }, (_, i) => `6001${push(i + 1)}55`).join('');
      await chain.put(A, slots);
      const send = (transaction: object) =>
        chain.call('eth_sendTransaction', { from: chain.from, to: A, ...transaction });
      const limit = 60_000_000n;
      const first = await send({ gas: hex(50_000_000) });
      // 2^24 execution gas are left, and state gas of 60 M less what the first one took: not 35 M.
      const second = await send({ gas: hex(35_000_000), to: B });
      await chain.call('evm_mine');
      const { gasUsed, gasLimit, transactions } = await chain.call('eth_getBlockByNumber', 'latest', false);
      expect([BigInt(gasLimit), transactions]).toEqual([limit, [first]]);
      expect(BigInt(gasUsed)).toBe(300n * SLOT);
      await chain.call('evm_mine');
      expect((await chain.call('eth_getBlockByNumber', 'latest', false)).transactions).toEqual([second]);
      await chain.call('evm_setAutomine', true);
    });

    it('a simulated call has to fit into both, too: -38015 otherwise', async () => {
      // Two slots: 195,840 state gas of 300,000
      await chain.put(A, `${SET}${SET_ANOTHER}`);
      const call = { from: chain.from, to: A };
      const simulated = (gas: bigint) =>
        chain.call(
          'eth_simulateV1',
          {
            blockStateCalls: [
              {
                blockOverrides: { gasLimit: hex(300_000) },
                calls: [
                  { ...call, gas: hex(290_000) },
                  { ...call, gas: hex(gas) },
                ],
              },
            ],
          },
          'latest',
        );
      const left = 300_000n - 2n * SLOT;
      expect((await simulated(left))[0].calls).toHaveLength(2);
      await expect(simulated(left + 1n)).rejects.toMatchObject({ code: -38_015 });
    });
  },
  { gasLimit: 60_000_000n },
);

onEachEngine(
  'EIP-8037, the largest limit',
  (chain) => {
    it('is 2^32 - 1', async () => {
      await chain.call('anvil_setBalance', chain.from, hex(10n ** 24n));
      expect(await chain.send({ to: A, gas: 2n ** 32n - 1n })).toMatchObject({ status: 1, gas: BASE });
      await expect(chain.send({ to: A, gas: 2n ** 32n })).rejects.toThrow(/gas/);
    });
  },
  { gasLimit: 5_000_000_000n, enableTxGasLimit: true },
);
