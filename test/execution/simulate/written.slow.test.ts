import {
  bytesToHex,
  concatBytes,
  type EOACode7702AuthorizationListBytes,
  hexToBytes,
  setLengthLeft,
  utf8ToBytes,
} from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BlockView } from '../../../src/chain/block.ts';
import { ManualClock } from '../../../src/clock.ts';
import type { DevnetError } from '../../../src/errors.ts';
import { callError } from '../../../src/execution/call-error.ts';
import type { CallRequest } from '../../../src/execution/call-request.ts';
import type { SimulationRequest } from '../../../src/execution/simulate/plan.ts';
import { Simulator } from '../../../src/execution/simulate/simulator.ts';
import type { HardforkName } from '../../../src/protocol/hardfork.ts';
import { MAINNET_CONTRACT } from '../../../src/protocol/requests.ts';
import { formatSimulatedBlock } from '../../../src/rpc/format/simulation.ts';
import { Contracts } from '../../../src/sources/contracts.ts';
import { addressOfKey } from '../../../src/state/hex-key.ts';
import { integerBytes } from '../../../src/state/integers.ts';
import { MemorySource } from '../../../src/state/node-cache.ts';
import { parentOf, SYSTEM } from '../../chain/both-ways.ts';
import { deploying, program, push } from '../../engine/ethereumjs/programs.ts';
import { allocOf, at, CALLED, CALLS, RICH, spec } from '../../engine/ethereumjs/scenarios.ts';
import { engineOf, hashOfBlock } from '../../engine/ethereumjs/stock.ts';
import { FUZZ, runs } from '../../fuzz.ts';
import { fetched } from '../../state/fetched.ts';

const FORKS: readonly HardforkName[] = ['cancun', 'prague', 'osaka', 'amsterdam'];
/** Copies its input to memory, then does something with all of it. */
const withInput = (...opcodes: number[]) => Uint8Array.of(0x36, 0x5f, 0x5f, 0x37, ...opcodes);
/** Reverts with its input, returns it, logs it with four topics, and logs it and fails. */
const REVERTS = at(0x6001);
const RETURNS = at(0x6002);
const LOGS = at(0x6003);
const FAILS = at(0x6004);
/** Calls FAILS, logs, and returns the hash of block 301. */
const GOES_ON = at(0x6005);
const CODES = new Map([
  [REVERTS, withInput(0x36, 0x5f, 0xfd)],
  [RETURNS, withInput(0x36, 0x5f, 0xf3)],
  [LOGS, withInput(0x43, 0x42, 0x41, 0x30, 0x36, 0x5f, 0xa4, 0x00)],
  // Calls the console contract with its input.
  [
    at(0x6006),
    concatBytes(
      withInput(0x5f, 0x5f, 0x36, 0x5f, 0x5f),
      push(0x636f6e736f6c652e6c6f67n),
      hexToBytes('0x5af100'),
    ),
  ],
  [FAILS, withInput(0x36, 0x5f, 0xa0, 0x36, 0x5f, 0xa0, 0xfe)],
  [
    GOES_ON,
    concatBytes(
      ...[0n, 0n, 4n, 0n, 1n, BigInt(FAILS.toString()), 10_000n].map(push),
      hexToBytes('0xf15f5fa061012d405f5260205ff3'),
    ),
  ],
]);
const OWN: readonly (readonly [string, { balance: bigint; nonce: bigint; code: Uint8Array }])[] = [
  ...CODES,
].map(([address, code]) => [address.toString(), { balance: 9n, nonce: 1n, code }]);

/** `Error(string)` */
const reason = (text: string) => {
  const bytes = utf8ToBytes(text);
  return concatBytes(
    hexToBytes('0x08c379a0'),
    setLengthLeft(Uint8Array.of(32), 32),
    setLengthLeft(Uint8Array.of(bytes.length), 32),
    bytes,
    new Uint8Array(32),
  );
};

const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const often = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 20 });
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const data = fc.oneof(
  fc.uint8Array({ maxLength: 70 }),
  fc.uint8Array({ maxLength: 70 }),
  fc.constant(new Uint8Array(5000).fill(7)),
  fc.constantFrom('', 'no', 'zu groß', '"\\\n\u2028 �').map(reason),
);
const target = fc.constantFrom(...CODES.keys(), ...RICH.map(({ address }) => address), at(0x4001), at(4));

interface SpecFields {
  readonly type: number;
  readonly gasLimit: bigint;
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly gasPrice: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly accessList?: readonly { readonly address: string; readonly storageKeys: readonly string[] }[];
  readonly blobVersionedHashes?: readonly `0x${string}`[];
  readonly maxFeePerBlobGas?: bigint;
  readonly authorizationList?: EOACode7702AuthorizationListBytes;
}
const byScenario = spec([0, 1, 2, 3, 4], true).map(({ from, to, fields }): CallRequest => {
  const { type, gasLimit, value, data, ...rest } = fields as unknown as SpecFields;
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList = [] } = rest;
  return {
    from,
    ...(to && { to }),
    gas: gasLimit,
    value,
    data,
    ...(type >= 2 ? { maxFeePerGas, maxPriorityFeePerGas } : { gasPrice }),
    ...(type > 0 && {
      accessList: accessList.map(({ address, storageKeys }) => ({
        address: addressOfKey(address),
        storageKeys: storageKeys.map((key) => hexToBytes(key as `0x${string}`)),
      })),
    }),
    ...(type === 3 && {
      blobVersionedHashes: rest.blobVersionedHashes!.map((hash) => hexToBytes(hash)),
      maxFeePerBlobGas: rest.maxFeePerBlobGas!,
    }),
    ...(type === 4 && { authorizationList: rest.authorizationList! }),
  };
});
const plain: fc.Arbitrary<CallRequest> = fc
  .record({
    from: often(fc.constantFrom(RICH[0]!.address, RICH[0]!.address, RICH[1]!.address, REVERTS)),
    call: fc.oneof(
      fc.record({ to: often(target), data: some(data) }),
      fc.record({ to: fc.constantFrom(...CODES.keys()), data }),
      fc.constantFrom(...CALLS).map(([to, data]) => ({ to, data })),
      program(CALLED, true).map((code) => ({ to: undefined, data: deploying(code) })),
    ),
    gas: fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(500_000n, 700_000n, 900_000n) },
      { weight: 1, arbitrary: fc.constantFrom(21_000n, 60_000n, 40_000_000n, undefined) },
    ),
    value: some(fc.constantFrom(0n, 1n, 10n ** 18n)),
    nonce: rarely(fc.constantFrom(0n, 1n, 300n, 2n ** 64n - 1n)),
    price: rarely(fc.constantFrom(0n, 10n ** 9n, 10n ** 10n)),
  })
  .map(({ from, call, gas, value, nonce, price }) =>
    present({ from, ...call, gas, value, nonce, gasPrice: price }),
  );

/** Without the members that are undefined. */
function present<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never;
}

const word = fc.integer({ min: 0, max: 4 }).map((n) => setLengthLeft(Uint8Array.of(n), 32));
const slots = fc
  .array(fc.tuple(word, word), { maxLength: 3 })
  .map((entries) => new Map(entries.map(([key, value]) => [bytesToHex(key) as string, value])));
const override = fc
  .record({
    balance: some(fc.constantFrom(0n, 5n, 10n ** 24n)),
    nonce: rarely(fc.constantFrom(0n, 4n, 2n ** 64n - 1n)),
    code: some(fc.oneof(fc.constantFrom(...CODES.values()), program(CALLED, true))),
    stateDiff: some(slots),
  })
  .map(present);
const blockOverrides = fc
  .record({
    number: fc.constantFrom(undefined, undefined, 2n),
    gasLimit: rarely(fc.constantFrom(1_000_000n, 30_000_000n, 2n ** 40n)),
    feeRecipient: some(fc.constantFrom(at(0), at(0x7777), RICH[1]!.address)),
    prevRandao: some(word),
    baseFeePerGas: rarely(fc.constantFrom(0n, 7n, 2n ** 70n)),
    blobBaseFee: some(fc.constantFrom(0n, 9n)),
    beaconRoot: some(word),
    withdrawals: some(
      fc.array(
        fc.record({
          index: fc.bigInt(0n, 300n),
          validatorIndex: fc.constantFrom(0n, 2n ** 64n - 1n),
          address: fc.constantFrom(at(0x4001), at(0x3001), RICH[0]!.address),
          amount: fc.bigInt(0n, 99n),
        }),
        { maxLength: 2 },
      ),
    ),
  })
  .map(present);
const block = fc
  .record({
    calls: fc.array(fc.oneof({ weight: 5, arbitrary: plain }, { weight: 1, arbitrary: byScenario }), {
      maxLength: 5,
    }),
    stateOverrides: some(
      fc
        .array(fc.tuple(fc.oneof(target, fc.constant(at(0x2001))), override), { maxLength: 3 })
        .map((entries) => new Map(entries.map(([address, fields]) => [address.toString(), fields]))),
    ),
    blockOverrides: some(blockOverrides),
  })
  .map(present);
const scenario = fc.record({
  programs: fc.tuple(program(CALLED, true), program(CALLED, true), program(CALLED, true)),
  withEmpty: fc.boolean(),
  isRemote: fc.boolean(),
  blockStateCalls: fc.array(block, { minLength: 1, maxLength: 4 }),
  traceTransfers: fc.boolean(),
  validation: fc.constantFrom(false, false, false, true),
  returnFullTransactions: fc.boolean(),
});

/** Without artifacts, which are looked for at the first custom error. */
const contracts = new Contracts({ artifacts: 'nowhere' }, { clock: new ManualClock() });
await contracts.decoder();

function simulatorOf(
  hardfork: HardforkName,
  {
    gasLimit = 50_000_000n,
    onConsole,
    writes = true,
  }: { gasLimit?: bigint; onConsole?: (line: string) => void; writes?: boolean } = {},
) {
  const { engine } = engineOf(hardfork, 'fast', undefined, onConsole);
  if (!writes) engine.simulationWriter = () => undefined;
  const options = { gasLimit, stateRoot: false, timeIncrement: () => 12n };
  return new Simulator(options, { engine, hashOf: hashOfBlock, headerOf: () => undefined, contracts });
}

/** One whose blocks the core writes, and one whose blocks are objects. */
const simulatorsOf = (hardfork: HardforkName, options: { gasLimit?: bigint } = {}) =>
  [simulatorOf(hardfork, options), simulatorOf(hardfork, { ...options, writes: false })] as const;

const outcomeOf = (text: Promise<string>) =>
  text.catch(({ code, message }: DevnetError) => ({ code, message }));

const written = async (...[simulator, view, request]: [Simulator, BlockView, SimulationRequest]) => {
  const json = await simulator.simulate(view, request);
  if (typeof json === 'string') return json;
  if (json instanceof Uint8Array) return new TextDecoder().decode(json);
  const blocks = json.map((it) =>
    formatSimulatedBlock(
      it,
      it.calls.map((call) => callError(call)),
      request.returnFullTransactions,
    ),
  );
  return JSON.stringify(blocks);
};

/** The JSON that the core writes, and the objects that the same engine makes, formatted. */
async function bothWays(
  simulators: readonly [Simulator, Simulator],
  view: BlockView,
  request: SimulationRequest,
) {
  const [byCore, byObjects] = simulators;
  const expected = await outcomeOf(written(byObjects, view, request));
  return { expected, written: await outcomeOf(written(byCore, view, request)) };
}

describe.each(FORKS)('%s: the JSON that the core writes', (hardfork) => {
  const simulators = simulatorsOf(hardfork);

  it('is that of the blocks that are made as objects', { timeout: 120_000 * FUZZ }, async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async ({ programs, withEmpty, isRemote, ...payload }) => {
        const alloc = new Map([...allocOf(programs, withEmpty), ...SYSTEM, ...OWN]);
        const local = parentOf(alloc, new MemorySource(), 300n);
        const parent = isRemote ? { ...local, state: fetched(local.state) } : local;
        let request = offset(payload as unknown as SimulationRequest, 300n);
        for (let left = 3; left > 0; left--) {
          const { expected, written } = await bothWays(simulators, parent, request);
          expect(written).toEqual(expected);
          if (typeof written === 'string') count++;
          if (typeof expected === 'string') break;
          // Without some of the calls, one of which was invalid.
          request = {
            ...request,
            blockStateCalls: request.blockStateCalls.map((it, i) => ({
              ...it,
              calls: it.calls.filter((_, j) => (i + j) % left > 0),
            })),
          };
        }
      }),
      { numRuns: runs(80) },
    );
    expect(count).toBeGreaterThan(40);
  });
});

describe('the JSON that the core writes', () => {
  const alloc = new Map([...allocOf([], false), ...SYSTEM, ...OWN]);
  const parent = parentOf(alloc, new MemorySource(), 300n);
  const request = (...calls: CallRequest[][]): SimulationRequest => ({
    blockStateCalls: calls.map((list) => ({ calls: list })),
    traceTransfers: true,
    validation: false,
    returnFullTransactions: false,
  });

  it('is taken out of the core in pieces when it is long', async () => {
    const long = { to: RETURNS, data: new Uint8Array(5000).fill(0xab), gas: 400_000n };
    const failing = { to: REVERTS, data: reason('zu groß'), gas: 400_000n };
    const simulators = simulatorsOf('prague', { gasLimit: 10n ** 10n });
    const blocks = Array.from({ length: 9 }, (_, i) => [
      ...Array.from({ length: 40 }, () => long),
      ...(i === 5 ? [failing] : []),
    ]);
    const { expected, written } = await bothWays(simulators, parent, request(...blocks));
    expect((written as string).length).toBeGreaterThan(3 * 2 ** 20);
    expect(written === expected).toBe(true);
  });

  it('of one block is at most 64 MiB long', async () => {
    const long = { to: RETURNS, data: new Uint8Array(500_000), gas: 20_000_000n };
    const simulator = simulatorOf('prague', { gasLimit: 10n ** 10n });
    const blocks = (calls: number) => ({
      ...request(),
      blockStateCalls: [
        { calls: Array.from({ length: calls }, () => long), blockOverrides: { gasLimit: 10n ** 10n } },
      ],
    });
    expect(await outcomeOf(written(simulator, parent, blocks(68)))).toEqual({
      code: -38026,
      message: 'the results of one block are longer than 64 MiB',
    });
  });

  it('is made where a contract prints, and each line is told once', async () => {
    const lines: string[] = [];
    const simulator = simulatorOf('prague', { onConsole: (line) => lines.push(line) });
    // console.log('hi')
    const data = concatBytes(hexToBytes('0x41304fac'), reason('hi').subarray(4));
    const to = addressOfKey('0x000000000000000000636f6e736f6c652e6c6f67');
    const relay = { to: at(0x6006), data, gas: 400_000n };
    for (const call of [{ to, data, gas: 400_000n }, relay]) {
      await written(simulator, parent, request([{ to: LOGS }], [call]));
      expect(lines.splice(0)).toEqual(['hi']);
    }
  });

  it('has the requests of deposits (EIP-6110)', async () => {
    const contract = MAINNET_CONTRACT;
    const log = concatBytes(
      ...[0xa0, 0x100, 0x140, 0x180, 0x200].map((offset) => setLengthLeft(integerBytes(BigInt(offset)), 32)),
      ...[48, 32, 8, 96, 8].flatMap((size) => [
        setLengthLeft(Uint8Array.of(size), 32),
        new Uint8Array(32 * Math.ceil(size / 32)).fill(size),
      ]),
    );
    const topic = hexToBytes('0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5');
    // Logs its input.
    const code = concatBytes(hexToBytes('0x365f5f377f'), topic, hexToBytes('0x365fa100'));
    const stateOverrides = new Map([[bytesToHex(contract), { code }]]);
    const to = addressOfKey(bytesToHex(contract));
    for (const [hardfork, data] of [
      ['prague', log],
      ['prague', log.subarray(1)],
      ['cancun', log],
    ] as const) {
      const payload = {
        ...request(),
        blockStateCalls: [{ calls: [{ to, data }, { to: LOGS }], stateOverrides }],
      };
      const { expected, written } = await bothWays(simulatorsOf(hardfork), parent, payload);
      expect(written).toEqual(expected);
      expect(JSON.stringify(written)).toContain(data === log ? 'logsBloom' : 'invalid deposit log');
    }
  });
});

/** The payload with numbers of blocks that are given as gaps behind the parent. */
function offset(request: SimulationRequest, parent: bigint): SimulationRequest {
  let number = parent;
  const blockStateCalls = request.blockStateCalls.map((block) => {
    const { number: gap, ...rest } = block.blockOverrides ?? {};
    number += gap ?? 1n;
    return gap === undefined ? block : { ...block, blockOverrides: { ...rest, number } };
  });
  return { ...request, blockStateCalls };
}
