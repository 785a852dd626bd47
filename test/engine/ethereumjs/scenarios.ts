import type { TypedTxData } from '@ethereumjs/tx';
import {
  Address,
  bytesToHex,
  concatBytes,
  type EOACode7702AuthorizationListBytesItem,
  hexToBytes,
  setLengthLeft,
} from '@ethereumjs/util';
import fc from 'fast-check';
import type { HardforkName } from '../../../src/protocol/hardfork.ts';
import type { GenesisAccount, GenesisAlloc } from '../../../src/state/genesis.ts';
import {
  authorize,
  CHAIN_ID,
  Counter,
  callData,
  Dish,
  ETHER,
  GWEI,
  Kitchen,
  Recipe,
  signer,
  Token,
} from './accounts.ts';
import { deploying, program } from './programs.ts';

export const at = (n: number) => new Address(setLengthLeft(Uint8Array.of(n >> 8, n & 255), 20));
export const RICH = [signer('a'), signer('b'), signer('c')];
const POOR = signer('poor');
const CODED = signer('coded');
const DELEGATED = signer('delegated');
const SENDERS = [...RICH, POOR, CODED, DELEGATED];

export const KITCHEN = at(0x1001);
const TOKEN = at(0x1002);
const COUNTER = at(0x1003);
const RECIPE = at(0x1004);
const DISH = at(0x1005);
const PROGRAMS = [at(0x2001), at(0x2002), at(0x2003)];
const EMPTY = at(0x3001);
const FRESH = [at(0x4001), at(0x4002)];
const PRECOMPILES = [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 0x100].map(at);
const COINBASES = [RICH[0]!.address, at(0), FRESH[0]!, PROGRAMS[0]!, EMPTY, at(3)];
const TARGETS = [
  ...SENDERS.map(({ address }) => address),
  ...[KITCHEN, TOKEN, COUNTER, RECIPE, DISH],
  ...PROGRAMS,
  ...PROGRAMS,
  ...[EMPTY, ...FRESH],
];
export const CALLED = [...TARGETS, ...PRECOMPILES].map(({ bytes }) => bytes);

/** The accounts that the transactions meet. */
export function allocOf(programs: readonly Uint8Array[], withEmpty: boolean): GenesisAlloc {
  const slots = (...values: number[]) =>
    new Map(
      values.map(
        (value, i) => [bytesToHex(setLengthLeft(Uint8Array.of(i), 32)), Uint8Array.of(value)] as const,
      ),
    );
  const code = (to: { code: Uint8Array }, balance = 0n) => ({ balance, nonce: 1n, code: to.code });
  return new Map<string, GenesisAccount>([
    ...RICH.map(({ address }) => [address.toString(), { balance: 10n ** 30n }] as const),
    [POOR.address.toString(), { balance: 3n * 21_000n * GWEI }],
    [CODED.address.toString(), { balance: ETHER, code: Counter.code }],
    [
      DELEGATED.address.toString(),
      { balance: ETHER, nonce: 1n, code: concatBytes(hexToBytes('0xef0100'), KITCHEN.bytes) },
    ],
    [KITCHEN.toString(), { ...code(Kitchen, ETHER), storage: slots(7) }],
    [TOKEN.toString(), code(Token)],
    [COUNTER.toString(), code(Counter)],
    [RECIPE.toString(), code(Recipe)],
    [DISH.toString(), code(Dish, 1000n)],
    ...programs.map(
      (bytes, i) =>
        [
          PROGRAMS[i]!.toString(),
          { ...code({ code: bytes }, 100_000n), storage: slots(1, 2, 0, 1) },
        ] as const,
    ),
    ...(withEmpty ? [[EMPTY.toString(), { balance: 0n }] as const] : []),
  ]);
}

/**
 * The accounts that the library's transactions meet: at amsterdam precompiles exist. Of a call that brings one into being and fails the library
 * gives back the state gas (EIP-8037), which a failure that takes all gas doesn't.
 */
export function stockAllocOf(
  hardfork: HardforkName,
  programs: readonly Uint8Array[],
  withEmpty: boolean,
): GenesisAlloc {
  const funded = hardfork === 'amsterdam' ? PRECOMPILES : [];
  return new Map<string, GenesisAccount>([
    ...allocOf(programs, withEmpty),
    ...funded.map((address) => [address.toString(), { balance: 1n }] as const),
  ]);
}

export const CALLS: readonly (readonly [Address, Uint8Array])[] = [
  [KITCHEN, callData(Kitchen, 'create', 5n)],
  [KITCHEN, callData(Kitchen, 'create2', bytesToHex(new Uint8Array(32)), 6n)],
  [KITCHEN, callData(Kitchen, 'createAndDestroy', FRESH[1]!.toString())],
  [KITCHEN, callData(Kitchen, 'createAndDestroy', EMPTY.toString())],
  [KITCHEN, callData(Kitchen, 'destroy', RICH[1]!.address.toString())],
  [KITCHEN, callData(Kitchen, 'delegate', RECIPE.toString(), 9n)],
  [KITCHEN, callData(Kitchen, 'forward', FRESH[0]!.toString())],
  [
    KITCHEN,
    callData(Kitchen, 'relay', COUNTER.toString(), bytesToHex(callData(Counter, 'incrementAndFail'))),
  ],
  [KITCHEN, callData(Kitchen, 'relayStatic', COUNTER.toString(), bytesToHex(callData(Counter, 'increment')))],
  [KITCHEN, callData(Kitchen, 'tstoreThenLoad', 1n, 5n)],
  [KITCHEN, callData(Kitchen, 'fill', 0n, 8n, 1n)],
  [KITCHEN, callData(Kitchen, 'fill', 0n, 1n, 0n)],
  [KITCHEN, callData(Kitchen, 'emitMany', 3n, '0x1234')],
  [KITCHEN, callData(Kitchen, 'burnAll')],
  [KITCHEN, callData(Kitchen, 'invalid')],
  [KITCHEN, callData(Kitchen, 'sizeAndHash', COUNTER.toString())],
  [DISH, callData(Dish, 'destroy', DISH.toString())],
  [DISH, callData(Dish, 'destroy', FRESH[0]!.toString())],
  [TOKEN, callData(Token, 'transfer', FRESH[0]!.toString(), 0n)],
  [TOKEN, callData(Token, 'transfer', RICH[1]!.address.toString(), 1n)],
  [TOKEN, callData(Token, 'approve', RICH[1]!.address.toString(), 2n ** 256n - 1n)],
  [COUNTER, callData(Counter, 'increment')],
  [COUNTER, callData(Counter, 'failAssert')],
  [COUNTER, callData(Counter, 'hashOf', 299n)],
];

const floorData = fc
  .tuple(fc.integer({ min: 0, max: 400 }), fc.constantFrom(0, 1))
  .map(([length, fill]) => new Uint8Array(length).fill(fill));

/** Where to, and with what data. */
function destination(modern: boolean): fc.Arbitrary<{ to?: Address; data: Uint8Array }> {
  const target = fc.constantFrom(...TARGETS);
  const init = fc.oneof(
    program(CALLED, modern),
    program(CALLED, modern).map(deploying),
    fc.constantFrom(new Uint8Array(), hexToBytes('0xef'), hexToBytes('0x60ef60005360016000f3')),
    // 200 bytes of code, whose deposit may not be affordable
    fc.constant(hexToBytes('0x60c86000f3')),
    // code over the limit of 24,576 bytes
    fc.constant(hexToBytes('0x6160016000f3')),
    ...(modern ? [fc.constantFrom(Counter.initCode, concatBytes(Dish.initCode, new Uint8Array(32)))] : []),
  );
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...CALLS).map(([to, data]) => ({ to, data })) },
    { weight: 2, arbitrary: fc.record({ to: fc.constantFrom(...PROGRAMS), data: floorData }) },
    { weight: 3, arbitrary: fc.record({ to: target, data: floorData }) },
    { weight: 1, arbitrary: fc.record({ to: fc.constantFrom(...PRECOMPILES), data: floorData }) },
    { weight: 3, arbitrary: init.map((data) => ({ data })) },
  );
}

const accessList = fc.array(
  fc.record({
    address: fc.constantFrom(...TARGETS, ...PRECOMPILES.slice(0, 2)).map((address) => address.toString()),
    storageKeys: fc.array(
      fc.integer({ min: 0, max: 4 }).map((n) => bytesToHex(setLengthLeft(Uint8Array.of(n), 32))),
      { maxLength: 3 },
    ),
  }),
  { maxLength: 3 },
);
const authority = fc.constantFrom(...SENDERS, signer('new authority'));
const authorization: fc.Arbitrary<EOACode7702AuthorizationListBytesItem> = fc
  .record({
    by: authority,
    chainId: fc.constantFrom(CHAIN_ID, CHAIN_ID, 0n, 1n),
    to: fc
      .constantFrom(KITCHEN, COUNTER, PROGRAMS[0]!, at(0), at(1), DELEGATED.address)
      .map(({ bytes }) => bytes),
    nonce: fc.constantFrom(0n, 0n, 1n, 2n, 2n ** 64n - 1n),
    spoil: fc.constantFrom('', '', '', '', 's', 'r', 'parity'),
  })
  .map(({ by, spoil, ...fields }) => {
    const tuple = authorize(by, fields);
    if (spoil === 's') tuple[5] = new Uint8Array(32).fill(0xf0);
    if (spoil === 'r') tuple[4] = Uint8Array.of(5);
    if (spoil === 'parity') tuple[3] = Uint8Array.of(2);
    return tuple;
  });

/** Gas limits of transactions. */
const GAS_LIMITS: readonly bigint[] = [
  ...[21_000n, 25_000n, 54_000n, 60_000n, 100_000n, 300_000n, 300_000n, 2_000_000n],
];
/** At amsterdam half of the transactions have a reservoir of state gas: what is above 2^24 (EIP-8037). */
const AMSTERDAM_GAS_LIMITS: readonly bigint[] = [
  ...[21_000n, 60_000n, 204_600n, 300_000n, 2_000_000n],
  ...[1n, 97_920n, 200_000n, 400_000n, 3_000_000n].map((reservoir) => 2n ** 24n + reservoir),
];

/** A transaction before it gets its nonce and its signature. */
export interface Spec {
  readonly from: Address;
  readonly to?: Address;
  readonly nonceOff: bigint;
  readonly fields: TypedTxData;
}

/** @param modern with opcodes of Byzantium to Cancun */
export function spec(types: readonly number[], modern: boolean, hardfork?: HardforkName): fc.Arbitrary<Spec> {
  const gasLimits = hardfork === 'amsterdam' ? AMSTERDAM_GAS_LIMITS : GAS_LIMITS;
  const price = fc.constantFrom(GWEI, 2n * GWEI, 0n, 7n);
  return fc
    .record({
      type: fc.constantFrom(...types),
      from: fc.constantFrom(...RICH, ...RICH, ...SENDERS),
      destination: destination(modern),
      value: fc.constantFrom(0n, 0n, 1n, 1000n, ETHER, 10n ** 31n),
      gasLimit: fc.constantFrom(...gasLimits),
      price,
      tip: price,
      accessList,
      blobs: fc.integer({ min: 1, max: 3 }),
      blobFee: fc.constantFrom(1n, 100n, GWEI),
      authorizations: fc.array(authorization, { minLength: 1, maxLength: 3 }),
      nonceOff: fc.constantFrom(0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, 1n),
    })
    .map(({ type, from, destination, price, tip, blobs, blobFee, authorizations, nonceOff, ...rest }) => {
      const mustCall = type >= 3 && destination.to === undefined;
      const to = mustCall ? PROGRAMS[1]! : destination.to;
      const { accessList, ...common } = rest;
      const fields = {
        type,
        ...common,
        data: mustCall ? new Uint8Array() : destination.data,
        ...(to && { to }),
        ...(type < 2 ? { gasPrice: price } : { maxFeePerGas: price + tip, maxPriorityFeePerGas: tip }),
        ...(type > 0 && { accessList, chainId: CHAIN_ID }),
        ...(type === 3 && {
          maxFeePerBlobGas: blobFee,
          blobVersionedHashes: Array.from({ length: blobs }, (_, i) => `0x01${'ab'.repeat(30)}0${i}`),
        }),
        ...(type === 4 && { authorizationList: authorizations }),
      } as TypedTxData;
      return { from: from.address, ...(to && { to }), nonceOff, fields };
    });
}

export const envFields = fc.record({
  coinbase: fc.constantFrom(...COINBASES),
  number: fc.constant(300n),
  timestamp: fc.constant(1_700_000_000n),
  gasLimit: fc.constant(30_000_000n),
  baseFeePerGas: fc.constantFrom(0n, 7n, GWEI),
  excessBlobGas: fc.constantFrom(0n, 0n, 40_000_000n),
  prevRandao: fc.constant(new Uint8Array(32).fill(0x5a)),
});
