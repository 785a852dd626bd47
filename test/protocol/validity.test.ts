import { Address, concatBytes, hexToBytes } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { CALL_RULES, TRANSACTION_RULES } from '../../src/engine/engine.ts';
import type { DevnetError } from '../../src/errors.ts';
import type { HardforkName } from '../../src/protocol/hardfork.ts';
import type { BlockEnv, Message, Rules } from '../../src/protocol/types.ts';
import { Overlay } from '../../src/state/overlay.ts';
import { authorize, Counter, ETHER, GWEI, signer } from '../engine/ethereumjs/accounts.ts';
import { blockOf, engineOf, stockCommon, trieStateOf } from '../engine/ethereumjs/stock.ts';

const FROM = signer('sender').address;
const CODED = signer('coded').address;
const DELEGATED = signer('delegated').address;
const LAST_NONCE = signer('at the last nonce').address;
const TO = signer('receiver').address;
const DELEGATION = concatBytes(hexToBytes('0xef0100'), TO.bytes);
const STATE = trieStateOf(
  new Map([
    [FROM.toString(), { balance: ETHER, nonce: 5n }],
    [CODED.toString(), { balance: ETHER, code: Counter.code }],
    [DELEGATED.toString(), { balance: ETHER, code: DELEGATION }],
    [LAST_NONCE.toString(), { balance: ETHER, nonce: 2n ** 64n - 1n }],
  ]),
);
const HASH = Uint8Array.of(1, ...new Uint8Array(31));
const BLOBS = { type: 3, blobVersionedHashes: [HASH], maxFeePerBlobGas: GWEI };

const MESSAGE: Message = {
  type: 2,
  from: FROM,
  to: TO,
  nonce: 5n,
  gasLimit: 21_000n,
  value: 0n,
  data: new Uint8Array(),
  maxFeePerGas: 2n * GWEI,
  maxPriorityFeePerGas: GWEI,
  accessList: [],
};

async function errorOf(
  fields: Partial<Message>,
  { hardfork = 'osaka', rules = TRANSACTION_RULES }: { hardfork?: HardforkName; rules?: Rules } = {},
): Promise<string | undefined> {
  const { engine, fork } = engineOf(hardfork);
  const block = {
    coinbase: new Address(new Uint8Array(20)),
    number: 1n,
    timestamp: 1n,
    gasLimit: 30_000_000n,
    baseFeePerGas: GWEI,
    excessBlobGas: 40_000_000n,
    prevRandao: new Uint8Array(32),
  };
  const env: BlockEnv = blockOf(block, fork, stockCommon(hardfork)).env;
  const overlay = new Overlay(STATE);
  const outcome = await engine.execute({ ...MESSAGE, ...fields }, env, overlay, rules);
  if (outcome.kind === 'executed') return undefined;
  expect(overlay.writes().accounts.size).toBe(0);
  return nameOf(outcome.error);
}

/** A rejected transaction has one code and many reasons. */
function nameOf(error: DevnetError): string {
  return error.kind === 'transactionRejected' ? error.message.split(/[:(]/)[0]!.trim() : error.kind;
}

/**
 * Every rule, in geth's order (core/state_transition.go: preCheck, buyGas, execute). Each breaks its own and none of
 * those before it; together with the next it must still be the one that is named.
 */
const RULES: readonly (readonly [string, Partial<Message>])[] = [
  ['nonceTooLow', { nonce: 4n }],
  ['transactionGasCap', { gasLimit: (1n << 24n) + 1n }],
  ['tipAboveFeeCap', { maxPriorityFeePerGas: 3n * GWEI }],
  ['feeCapTooLow', { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }],
  ['blob transaction missing blob hashes', { ...BLOBS, blobVersionedHashes: [] }],
  ['too many blobs in transaction', { ...BLOBS, blobVersionedHashes: Array.from({ length: 7 }, () => HASH) }],
  ['blob 0 has invalid hash version', { ...BLOBS, blobVersionedHashes: [new Uint8Array(32)] }],
  ['max fee per blob gas less than block blob gas fee', { ...BLOBS, maxFeePerBlobGas: 1n }],
  ['insufficientFunds', { value: ETHER }],
  ['intrinsicGas', { gasLimit: 20_999n }],
];

describe('a transaction that breaks a rule is invalid and writes nothing', () => {
  it.each(RULES)('%s', async (name, fields) => {
    expect(await errorOf(fields)).toBe(name);
  });

  it.each([
    ['nonceTooHigh', { nonce: 6n }],
    ['senderNotEOA', { from: CODED, nonce: 0n }],
    ['nonce has max value', { from: LAST_NONCE, nonce: 2n ** 64n - 1n }],
    ['transaction type not supported', { type: 5 }],
    ['EIP-7702 transaction with empty auth list', { type: 4, authorizationList: [] }],
    ['initCodeSize', { to: undefined, data: new Uint8Array(49_153), gasLimit: 3_000_000n }],
    ['intrinsicGas', { data: new Uint8Array(100).fill(1), gasLimit: 24_999n }],
    ['insufficientFunds', { ...BLOBS, maxFeePerBlobGas: ETHER }],
  ] as const)('%s: %#', async (name, fields) => {
    expect(await errorOf(fields as Partial<Message>)).toBe(name);
  });

  it('creates with blobs or authorizations', async () => {
    const { to: _, ...create } = MESSAGE;
    const { engine, fork } = engineOf('osaka');
    const block = { coinbase: TO, number: 1n, timestamp: 1n, gasLimit: 30_000_000n };
    const more = { baseFeePerGas: 7n, excessBlobGas: 0n, prevRandao: new Uint8Array(32) };
    const { env } = blockOf({ ...block, ...more }, fork, stockCommon('osaka'));
    const tuple = authorize(signer('a'), { to: TO.bytes, nonce: 0n });
    for (const [reason, fields] of [
      ['blob transaction of type create', BLOBS],
      ['EIP-7702 transaction cannot be used to create contract', { type: 4, authorizationList: [tuple] }],
    ] satisfies [string, Partial<Message>][]) {
      const outcome = await engine.execute(
        { ...create, ...fields },
        env,
        new Overlay(STATE),
        TRANSACTION_RULES,
      );
      expect(outcome).toMatchObject({ kind: 'invalid', error: { message: reason } });
    }
  });
});

describe('of two rules broken, the one that geth checks first is named', () => {
  const pairs = RULES.flatMap(([name, fields], i) =>
    RULES.slice(i + 1)
      // Both must be able to stand side by side: no field of one may undo the other.
      .filter(([, later]) => Object.keys(later).every((key) => key === 'type' || !(key in fields)))
      .map(([other, later]) => [name, other, { ...later, ...fields }] as const),
  );
  it.each(pairs)('%s before %s', async (name, _, fields) => {
    expect(await errorOf(fields)).toBe(name);
  });
});

describe('a type is refused before its fork', () => {
  it.each([
    [1, 'istanbul'],
    [2, 'berlin'],
    [3, 'shanghai'],
    [4, 'cancun'],
  ] as const)('type %i at %s', async (type, hardfork) => {
    expect(await errorOf({ type, nonce: 0n }, { hardfork })).toBe('transaction type not supported');
  });
});

it('a sender whose code only delegates may send', async () => {
  expect(await errorOf({ from: DELEGATED, nonce: 0n })).toBeUndefined();
  expect(await errorOf({ from: DELEGATED, nonce: 0n }, { hardfork: 'cancun' })).toBe('senderNotEOA');
});

describe('a call', () => {
  const free = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };

  it('needs no nonce, fee or key, and may ask for more gas', async () => {
    const gasLimit = (1n << 24n) + 1n;
    expect(
      await errorOf({ ...free, from: CODED, nonce: 77n, gasLimit }, { rules: CALL_RULES }),
    ).toBeUndefined();
    expect(await errorOf({ ...BLOBS, ...free, maxFeePerBlobGas: 0n }, { rules: CALL_RULES })).toBeUndefined();
  });

  it('that offers a fee must offer enough and be able to pay it', async () => {
    expect(await errorOf({ maxFeePerGas: 1n, maxPriorityFeePerGas: 0n }, { rules: CALL_RULES })).toBe(
      'feeCapTooLow',
    );
    expect(await errorOf({ maxFeePerGas: ETHER }, { rules: CALL_RULES })).toBe('insufficientFunds');
  });

  it('must afford its value and its intrinsic gas', async () => {
    expect(await errorOf({ ...free, value: ETHER + 1n }, { rules: CALL_RULES })).toBe('insufficientFunds');
    expect(await errorOf({ ...free, gasLimit: 20_999n }, { rules: CALL_RULES })).toBe('intrinsicGas');
  });
});
