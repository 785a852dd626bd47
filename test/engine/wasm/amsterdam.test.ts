import { type Address, bytesToHex, hexToBytes } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { EXEMPT, type Executor } from '../../../src/engine/wasm/executor.ts';
import { finishNow } from '../../../src/engine/wasm/run.ts';
import type { Execution, Refusal } from '../../../src/engine/wasm/types.ts';
import type { Message } from '../../../src/protocol/types.ts';
import { authorize, ETHER, signer } from '../ethereumjs/accounts.ts';
import { at } from '../ethereumjs/scenarios.ts';
import { call } from './core-blocks.ts';
import { executorOf } from './executors.ts';

const SENDER = signer('sender').address;
const OTHER = at(0x1001);
const NEW = at(0x1002);
const CONTRACT = at(0x1003);
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const SYSTEM = '0xfffffffffffffffffffffffffffffffffffffffe';
const SLOT_STATE = 97_920n;
const ACCOUNT_STATE = 183_600n;

const code = (hex: string) => hexToBytes(`0x${hex}`);

/** An executor with a sender, an account that exists, and a contract of this code. */
function executorWith(contract = ''): Executor {
  const executor = executorOf('amsterdam');
  executor.setBalance(executor.account(SENDER.bytes), 1000n * ETHER);
  executor.setBalance(executor.account(OTHER.bytes), 1n);
  const account = executor.account(CONTRACT.bytes);
  executor.setNonce(account, 1n);
  executor.setBalance(account, 5n);
  if (contract) executor.setCode(account, code(contract));
  return executor;
}

type Fields = Partial<Omit<Message, 'to'>> & { readonly to?: Address | undefined };

function run(executor: Executor, fields: Fields): Execution | Refusal {
  const { to, ...rest } = { to: OTHER, ...fields };
  const message: Message = {
    type: 2,
    from: SENDER,
    nonce: 0n,
    gasLimit: 1_000_000n,
    value: 0n,
    data: new Uint8Array(0),
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    accessList: [],
    ...(to && { to }),
    ...rest,
  };
  return finishNow(call(executor, message, EXEMPT.fees));
}

/** Gas used, and how much of it is state gas. */
function gas(executor: Executor, fields: Fields): [bigint, bigint] {
  const { gasUsed, dimensions } = ended(run(executor, fields));
  return [gasUsed, dimensions!.state];
}

function ended(result: Execution | Refusal): Execution {
  if (result.kind === 'invalid') throw new Error(result.fault);
  return result;
}

describe('EIP-2780, the intrinsic gas', () => {
  it.each<[string, Fields, bigint, bigint]>([
    ['a call to oneself: 12,000', { to: SENDER, value: 1n }, 12_000n, 0n],
    ['no value: 15,000', {}, 15_000n, 0n],
    ['value to an account that exists: 21,000', { value: 1n }, 21_000n, 0n],
    [
      'value to a new account: 21,000 and 183,600 of state gas',
      { to: NEW, value: 1n },
      204_600n,
      ACCOUNT_STATE,
    ],
    ['no value to a new account: 15,000', { to: NEW }, 15_000n, 0n],
    ['a creation without code: 24,000 and an account', { to: undefined }, 207_600n, ACCOUNT_STATE],
  ])('%s', (_, fields, used, state) => {
    expect(gas(executorWith(), fields)).toEqual([used, state]);
  });

  it('a transaction whose gas ends before its first opcode is included, and has failed with all of it', () => {
    const { halt, gasUsed, counted } = ended(run(executorWith(), { to: NEW, value: 1n, gasLimit: 21_000n }));
    expect({ halt, gasUsed, counted }).toEqual({
      halt: 'out of gas',
      gasUsed: 21_000n,
      counted: { execution: 21_000n, state: 0n },
    });
  });

  it('the target of the recipient’s delegation costs 3,000', () => {
    const executor = executorWith();
    executor.setCode(executor.account(OTHER.bytes), code(`ef0100${CONTRACT.toString().slice(2)}`));
    expect(gas(executor, {})).toEqual([18_000n, 0n]);
  });
});

describe('EIP-7976, EIP-7981: the floor', () => {
  it('100 zero bytes and no value: 21,400', () => {
    expect(gas(executorWith(), { data: new Uint8Array(100) })).toEqual([21_400n, 0n]);
  });

  it('a byte that isn’t zero counts as much', () => {
    expect(gas(executorWith(), { data: new Uint8Array(100).fill(1) })).toEqual([21_400n, 0n]);
  });

  it('an address of an access list costs 2,900 and 1,280, a slot 2,000 and 2,048', () => {
    const accessList = [{ address: NEW, storageKeys: [new Uint8Array(32)] }];
    expect(gas(executorWith(), { accessList })).toEqual([15_000n + 4_180n + 4_048n, 0n]);
  });

  it('one gas less than the larger figure is refused', () => {
    const fields = { data: new Uint8Array(100), gasLimit: 21_399n };
    expect(run(executorWith(), fields)).toEqual({ kind: 'invalid', fault: 'intrinsicGas' });
  });
});

describe('the gas limit', () => {
  const rich = (gasLimit: bigint) => run(executorWith(), { gasLimit });

  it('may be above 2^24, up to 2^32 - 1', () => {
    expect(rich(2n ** 32n - 1n)).toMatchObject({ gasUsed: 15_000n });
    expect(rich(2n ** 32n)).toEqual({ kind: 'invalid', fault: 'aboveGasCap' });
  });

  it('GAS shows what is left of 2^24 and not the reservoir', () => {
    // GAS PUSH0 MSTORE PUSH1 32 PUSH0 RETURN
    const executor = executorWith('5a5f5260205ff3');
    const { returnData } = ended(run(executor, { to: CONTRACT, gasLimit: 50_000_000n }));
    expect(BigInt(bytesToHex(returnData))).toBe(2n ** 24n - 15_000n - 2n);
  });

  it('state gas comes out of the reservoir first', () => {
    // GAS; PUSH1 1 PUSH0 SSTORE; GAS SWAP1 SUB; PUSH0 MSTORE PUSH1 32 PUSH0 RETURN
    const executor = executorWith('5a60015f555a90035f5260205ff3');
    const spent = (gasLimit: bigint) =>
      BigInt(bytesToHex(ended(run(executor, { to: CONTRACT, gasLimit })).returnData));
    expect(spent(1_000_000n) - spent(50_000_000n)).toBe(SLOT_STATE);
  });
});

describe('EIP-8037, EIP-8038: storage', () => {
  it.each<[string, string, number, bigint, bigint]>([
    ['a cold slot from 0: 12,100 and 97,920 of state gas', '60015f55', 0, 12_105n, SLOT_STATE],
    ['a cold slot that had a value: 12,100', '60025f55', 1, 12_105n, 0n],
    ['the value that a cold slot has: 2,100', '60015f55', 1, 2_105n, 0n],
    ['a warm slot: 10,100', '5f5450600260005550', 1, 0n, 0n],
  ])('%s', (name, program, before, used, state) => {
    const executor = executorWith(name.startsWith('a warm') ? '5f545060025f55' : program);
    if (before) executor.setSlot(executor.account(CONTRACT.bytes), 0n, BigInt(before));
    // PUSH0 SLOAD POP cost 2,104 with the cold access; PUSH1 and PUSH0 5.
    const expected = name.startsWith('a warm') ? 2n + 2_100n + 2n + 5n + 10_100n : used;
    expect(gas(executor, { to: CONTRACT })).toEqual([15_000n + expected + state, state]);
  });

  it('clearing a slot refunds 11,616, a fifth of the gas used at most', () => {
    const executor = executorWith('5f5f55');
    executor.setSlot(executor.account(CONTRACT.bytes), 0n, 1n);
    const { gasUsed, dimensions, counted } = ended(run(executor, { to: CONTRACT }));
    const before = 15_000n + 4n + 12_100n;
    expect({ gasUsed, dimensions, counted }).toEqual({
      gasUsed: before - before / 5n,
      dimensions: { execution: before, state: 0n, refund: before / 5n },
      // EIP-7778: the block counts it before the refund.
      counted: { execution: before, state: 0n },
    });
  });

  it('0 to 1 and back to 0 gives all its state gas back at once', () => {
    const executor = executorWith('60015f555f5f55');
    expect(gas(executor, { to: CONTRACT })[1]).toBe(0n);
    // It needs it for a moment, though.
    expect(run(executor, { to: CONTRACT, gasLimit: 100_000n })).toMatchObject({ halt: 'out of gas' });
  });

  it('a frame that reverts gives its state gas back', () => {
    const { gasUsed, dimensions } = ended(run(executorWith('60015f555f5ffd'), { to: CONTRACT }));
    expect([gasUsed, dimensions!.state]).toEqual([15_000n + 12_105n + 4n, 0n]);
  });
});

describe('EIP-8038: accounts', () => {
  const operand = (address: Address) => `73${address.toString().slice(2)}`;
  it.each<[string, string, bigint]>([
    ['BALANCE, cold: 3,000', `${operand(OTHER)}31`, 3_003n],
    ['EXTCODESIZE, cold: 3,100', `${operand(OTHER)}3b`, 3_103n],
    ['EXTCODEHASH, cold: 3,000', `${operand(OTHER)}3f`, 3_003n],
    ['SELFDESTRUCT to a cold account that exists: 8,000', `${operand(OTHER)}ff`, 8_003n],
  ])('%s', (_, program, used) => {
    expect(gas(executorWith(program), { to: CONTRACT })).toEqual([15_000n + used, 0n]);
  });

  it('SELFDESTRUCT that brings its heir into being: 17,000 and an account', () => {
    const [used, state] = gas(executorWith(`${operand(NEW)}ff`), { to: CONTRACT });
    expect([used - state, state]).toEqual([15_000n + 17_003n, ACCOUNT_STATE]);
  });

  it('a call with value: 11,300, of which an account without code gives 2,300 back', () => {
    // PUSH0 x 4, PUSH1 1, address, PUSH0, CALL
    const program = `5f5f5f5f6001${operand(OTHER)}5ff1`;
    expect(gas(executorWith(program), { to: CONTRACT })).toEqual([15_000n + 16n + 3_000n + 9_000n, 0n]);
  });

  it('a call with value to a new account: 183,600 of state gas besides', () => {
    const [used, state] = gas(executorWith(`5f5f5f5f6001${operand(NEW)}5ff1`), { to: CONTRACT });
    expect([used - state, state]).toEqual([15_000n + 16n + 3_000n + 9_000n, ACCOUNT_STATE]);
  });

  it('CREATE: 12,000 and an account', () => {
    const [used, state] = gas(executorWith('5f5f5ff0'), { to: CONTRACT });
    expect([used - state, state]).toEqual([15_000n + 6n + 12_000n, ACCOUNT_STATE]);
  });

  it('each byte of code: 1,530 of state gas, and 6 a word', () => {
    // PUSH1 32 PUSH0 RETURN
    const [used, state] = gas(executorWith(), { to: undefined, data: code('60205ff3') });
    expect(state).toBe(ACCOUNT_STATE + 32n * 1_530n);
    // 24,000, data 4 x 16 (PUSH0 isn't a zero byte), a word of init code 2, opcodes and memory 5 + 3, 6 for the word of code
    expect(used - state).toBe(24_000n + 64n + 2n + 8n + 6n);
  });
});

describe('EIP-7702 at Amsterdam', () => {
  const authority = signer('authority');
  const list = [authorize(authority, { to: CONTRACT.bytes, nonce: 0n })];

  it('an authority that doesn’t exist: 7,816 and 9,000, an account and a delegation of state gas', () => {
    const [used, state] = gas(executorWith(), { type: 4, authorizationList: list });
    expect(state).toBe(ACCOUNT_STATE + 35_190n);
    expect(used - state).toBe(15_000n + 7_816n + 9_000n);
  });

  it('one that exists: only the delegation', () => {
    const executor = executorWith();
    executor.setBalance(executor.account(authority.address.bytes), 1n);
    const [used, state] = gas(executor, { type: 4, authorizationList: list });
    expect([used - state, state]).toEqual([15_000n + 7_816n + 9_000n, 35_190n]);
  });
});

describe('EIP-7708: logs of transfers', () => {
  it('a transfer leaves one in the name of the protocol', () => {
    const { logs } = ended(run(executorWith(), { value: 7n }));
    expect(logs.map(({ address, topics, data }) => [address, ...topics, data].map(bytesToHex))).toEqual([
      [
        SYSTEM,
        TRANSFER,
        `0x${SENDER.toString().slice(2).padStart(64, '0')}`,
        `0x${OTHER.toString().slice(2).padStart(64, '0')}`,
        `0x${'7'.padStart(64, '0')}`,
      ],
    ]);
  });

  it.each<[string, Fields]>([
    ['a transfer to oneself', { to: SENDER, value: 1n }],
    ['a transfer of nothing', {}],
  ])('%s leaves none', (_, fields) => {
    expect(ended(run(executorWith(), fields)).logs).toEqual([]);
  });
});

describe('EIP-8246: nothing is burnt', () => {
  it('a contract that destroys itself in its creation, to itself, keeps its balance', () => {
    const executor = executorWith();
    // ADDRESS SELFDESTRUCT
    const message: Fields = { to: undefined, data: code('30ff'), value: 9n };
    const { createdAddress, logs } = ended(run(executor, message));
    expect(logs).toHaveLength(1);
    const offset = executor.core.mark();
    const result = executor.apply(
      {
        type: 2,
        from: SENDER,
        nonce: 0n,
        gasLimit: 1_000_000n,
        value: 9n,
        data: code('30ff'),
        maxFeePerGas: 0n,
        maxPriorityFeePerGas: 0n,
        accessList: [],
      },
      EXEMPT.fees,
    );
    expect(result).toMatchObject({ kind: 'executed' });
    expect(executor.fieldsOf(executor.account(createdAddress!))).toMatchObject({ nonce: 0n, balance: 9n });
    executor.core.revertTo(offset);
  });
});

describe('EIP-8024: DUPN, SWAPN, EXCHANGE; EIP-7843: SLOTNUM', () => {
  const word = (executor: Executor) => BigInt(bytesToHex(ended(run(executor, { to: CONTRACT })).returnData));
  const result = '5f5260205ff3';
  const pushes = (count: number) =>
    Array.from({ length: count }, (_, i) => `60${(i + 1).toString(16).padStart(2, '0')}`).join('');

  it.each<[string, string, bigint]>([
    ['e680 copies item 17', `${pushes(20)}e680${result}`, 4n],
    ['e7db swaps the top with item 109', `${pushes(110)}e7db${result}`, 2n],
    ['e89d swaps items 3 and 4', `${pushes(5)}e89d5050${result}`, 2n],
    ['e850 swaps items 15 and 17', `${pushes(20)}e850${'50'.repeat(14)}${result}`, 4n],
  ])('%s', (_, program, expected) => {
    expect(word(executorWith(program))).toBe(expected);
  });

  it.each(['e65b', 'e67f', 'e760', 'e852', 'e87f'])('%s isn’t valid', (program) => {
    expect(run(executorWith(`${pushes(100)}${program}`), { to: CONTRACT })).toMatchObject({
      halt: 'invalid opcode',
    });
  });

  it('a stack that isn’t so high halts', () => {
    expect(run(executorWith(`${pushes(16)}e680`), { to: CONTRACT })).toMatchObject({
      halt: 'stack underflow',
    });
  });

  it('SLOTNUM is the slot of the block', () => {
    const executor = executorWith(`4b${result}`);
    const fields = { number: 1n, timestamp: 1n, gasLimit: 30_000_000n, coinbase: new Uint8Array(20) };
    const rest = { baseFeePerGas: 0n, blobBaseFee: 1n, excessBlobGas: 0n, difficulty: 0n };
    const hash = new Uint8Array(32);
    executor.setBlock(
      {
        ...fields,
        ...rest,
        prevRandao: hash,
        parentHash: hash,
        parentBeaconBlockRoot: hash,
        extraData: new Uint8Array(0),
        slotNumber: 1234n,
      },
      () => undefined,
    );
    expect(word(executor)).toBe(1234n);
  });
});
