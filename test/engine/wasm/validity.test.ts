import { concatBytes, hexToBytes } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALL_RULES, TRANSACTION_RULES } from '../../../src/engine/engine.ts';
import { haltReason } from '../../../src/engine/halt-reason.ts';
import { EXEMPT } from '../../../src/engine/wasm/executor.ts';
import type { Fault } from '../../../src/engine/wasm/faults.ts';
import { finishNow } from '../../../src/engine/wasm/run.ts';
import type { DevnetError } from '../../../src/errors.ts';
import type { HardforkName } from '../../../src/protocol/hardfork.ts';
import type { Message } from '../../../src/protocol/types.ts';
import type { GenesisAccount } from '../../../src/state/genesis.ts';
import { Overlay } from '../../../src/state/overlay.ts';
import { runs } from '../../fuzz.ts';
import { authorize, Counter, ETHER, GWEI, signer } from '../ethereumjs/accounts.ts';
import { at } from '../ethereumjs/scenarios.ts';
import { blockOf, engineOf, hashOfBlock, stockCommon, trieStateOf } from '../ethereumjs/stock.ts';
import { call } from './core-blocks.ts';
import { executorOf, writeAlloc } from './executors.ts';

/** The engine's errors: their names, or what a rejected transaction's reason begins with. */
const ERRORS: Readonly<Partial<Record<Fault, string>>> = {
  unknownType: 'transaction type not supported',
  nonceTooLow: 'nonceTooLow',
  nonceTooHigh: 'nonceTooHigh',
  nonceAtMaximum: 'nonce has max value',
  aboveGasCap: 'transactionGasCap',
  senderHasCode: 'senderNotEOA',
  tipAboveFeeCap: 'tipAboveFeeCap',
  feeCapTooLow: 'feeCapTooLow',
  blobsCreate: 'blob transaction of type create',
  noBlobs: 'blob transaction missing blob hashes',
  tooManyBlobs: 'too many blobs in transaction',
  blobVersion: 'blob 0 has invalid hash version',
  blobFeeTooLow: 'max fee per blob gas less than block blob gas fee',
  authorizationsCreate: 'EIP-7702 transaction cannot be used to create contract',
  noAuthorizations: 'EIP-7702 transaction with empty auth list',
  insufficientFunds: 'insufficientFunds',
  intrinsicGas: 'intrinsicGas',
  initCodeSize: 'initCodeSize',
};
const nameOf = (error: DevnetError) =>
  error.kind === 'transactionRejected' ? error.message.split(/[:(]/)[0]!.trim() : error.kind;

const SENDER = signer('sender').address;
const CODED = signer('coded').address;
const DELEGATED = signer('delegated').address;
const LAST_NONCE = signer('at the last nonce').address;
const TO = at(0x1003);
const ALLOC = new Map<string, GenesisAccount>([
  [SENDER.toString(), { balance: ETHER, nonce: 5n }],
  [CODED.toString(), { balance: ETHER, code: Counter.code, nonce: 5n }],
  [DELEGATED.toString(), { balance: ETHER, nonce: 5n, code: concatBytes(hexToBytes('0xef0100'), TO.bytes) }],
  [LAST_NONCE.toString(), { balance: ETHER, nonce: 2n ** 64n - 1n }],
  [TO.toString(), { balance: 0n, nonce: 1n, code: Counter.code }],
]);
const HASH = Uint8Array.of(1, ...new Uint8Array(31));
const tuple = authorize(signer('authority'), { to: TO.bytes, nonce: 0n });

/** Mostly valid fields; any of them may break a rule. */
const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(usual, ...others) },
  );
const messageOn = (hardfork: HardforkName): fc.Arbitrary<Message> =>
  fc
    .record({
      type: fc.constantFrom(0, 1, 2, 2, 3, 4, 5),
      from: mostly(SENDER, CODED, DELEGATED, LAST_NONCE),
      to: mostly<typeof TO | undefined>(TO, undefined),
      nonce: mostly(5n, 4n, 6n, 2n ** 64n - 1n),
      gasLimit: mostly(200_000n, 20_999n, 21_000n, 46_000n, (1n << 24n) + 1n),
      value: mostly(0n, 1n, ETHER, 2n ** 255n),
      data: mostly(new Uint8Array(), new Uint8Array(49_153), new Uint8Array(3000).fill(1)),
      maxFeePerGas: mostly(2n * GWEI, 1n, 0n, 2n ** 250n),
      maxPriorityFeePerGas: mostly(GWEI, 3n * GWEI, 0n, 2n ** 256n - 1n),
      accessList: mostly<Message['accessList']>([], [{ address: TO, storageKeys: [new Uint8Array(32)] }]),
      blobs: mostly<readonly Uint8Array[]>([HASH, HASH], [], [new Uint8Array(32)], Array(7).fill(HASH)),
      maxFeePerBlobGas: mostly(10n * GWEI, 1n, 0n, 2n ** 250n),
      tuples: mostly([tuple], []),
    })
    .map(({ to, blobs, maxFeePerBlobGas, tuples, ...fields }) => ({
      ...fields,
      // Those have one price.
      ...(fields.type < 2 && { maxPriorityFeePerGas: fields.maxFeePerGas }),
      ...(to && { to }),
      ...(fields.type === 3 && { blobVersionedHashes: blobs, maxFeePerBlobGas }),
      // Before Prague the engine has no gas costs for tuples, and throws.
      ...(fields.type === 4 && hardfork !== 'cancun' && { authorizationList: tuples }),
    }));

const { nonce, fees, sender, gasCap } = EXEMPT;
const RULES = [
  ['a transaction', TRANSACTION_RULES, 0],
  ['a call', CALL_RULES, nonce | fees | sender | gasCap],
] as const;

describe.each<HardforkName>(['cancun', 'prague', 'osaka'])('%s', (hardfork) => {
  const { engine, fork } = engineOf(hardfork);
  const { env } = blockOf(
    {
      coinbase: at(0xc0),
      number: 2n,
      timestamp: 1n,
      gasLimit: 30_000_000n,
      baseFeePerGas: GWEI,
      excessBlobGas: 40_000_000n,
      prevRandao: new Uint8Array(32),
    },
    fork,
    stockCommon(hardfork),
  );
  const state = trieStateOf(ALLOC);
  const executor = executorOf(hardfork);
  writeAlloc(executor, ALLOC);
  executor.setBlock(
    {
      ...env,
      coinbase: env.coinbase.bytes,
      baseFeePerGas: GWEI,
      blobBaseFee: env.blobBaseFee!,
      excessBlobGas: 40_000_000n,
      parentHash: hashOfBlock(1n),
      parentBeaconBlockRoot: new Uint8Array(32),
      extraData: new Uint8Array(0),
    },
    hashOfBlock,
  );

  it.each(RULES)('%s breaks the same rule first, or comes to the same', async (_, rules, exempt) => {
    await fc.assert(
      fc.asyncProperty(messageOn(hardfork), async (given) => {
        const expected = await engine.execute(given, env, new Overlay(state), rules);
        const got = finishNow(call(executor, given, exempt));
        if (expected.kind === 'invalid' || got.kind === 'invalid') {
          const name = got.kind === 'invalid' ? ERRORS[got.fault] : 'none';
          expect(name).toBe(expected.kind === 'invalid' ? nameOf(expected.error) : 'none');
          return;
        }
        expect(got.halt && haltReason(got.halt)).toBe(expected.failure?.reason);
        expect(got.gasUsed).toBe(expected.gasUsed);
        expect(got.gasBeforeRefund).toBe(expected.maxUsedGas);
        expect(got.effectiveGasPrice).toBe(expected.effectiveGasPrice);
        expect(got.blobGasUsed).toBe(expected.blobGasUsed);
        expect(Buffer.from(got.returnData)).toEqual(Buffer.from(expected.returnData));
      }),
      { numRuns: runs(150) },
    );
  });
});
