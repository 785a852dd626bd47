import fc from 'fast-check';
import { signAuthorization } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { CountedChain } from '../../src/coverage/counted-chain.ts';
import { FunctionNames } from '../../src/coverage/gas-functions.ts';
import { gasByLine } from '../../src/coverage/gas-lines.ts';
import { type CallNode, Profile } from '../../src/coverage/profile.ts';
import { profileJson, readProfile } from '../../src/coverage/profile-json.ts';
import { countSources } from '../../src/coverage/source-counts.ts';
import { speedscopeOf } from '../../src/coverage/speedscope.ts';
import type { DevnetOptions } from '../../src/index.ts';
import { startNode } from '../../src/start.ts';
import { keccak256 } from '../../src/state/keccak.ts';
import { runs } from '../fuzz.ts';
import { callsOf } from '../wire.ts';

const [A, B] = ['0x00000000000000000000000000000000000000a1', '0x00000000000000000000000000000000000000b2'];
/** An account whose key is known: it delegates to other accounts (EIP-7702). */
const KEY = `0x${'11'.repeat(32)}` as const;
const DELEGATING = '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a';
const IDENTITY = '0x0000000000000000000000000000000000000004';
const NOBODY = '0x00000000000000000000000000000000000000ee';

// Without PUSH0, which the older hardforks don't have.
const ZERO = '6000';
const [CALL, CALLCODE, DELEGATECALL, STATICCALL] = ['f1', 'f2', 'f4', 'fa'];
const byte = (value: number) => value.toString(16).padStart(2, '0');
const hex = (value: number) => `0x${value.toString(16)}`;
const pushed = (address: string) => `73${address.slice(2)}`;
/** A call with 32 bytes of data, whose answer is dropped. @param to code that pushes an address. @param gas absent: all but one 64th */
const call = (to: string, { opcode = CALL, gas = undefined as number | undefined, value = 0 } = {}) => {
  const amount = opcode === CALL || opcode === CALLCODE ? `60${byte(value)}` : '';
  const given = gas === undefined ? '5a' : `61${gas.toString(16).padStart(4, '0')}`;
  return `${ZERO}${ZERO}6020${ZERO}${amount}${to}${given}${opcode}50`;
};
/** A creation. @param code init code of at most 32 bytes */
const create = (code: string, { salt = undefined as number | undefined } = {}) => {
  const length = code.length / 2;
  const first = salt === undefined ? '' : `60${byte(salt)}`;
  return `${byte(95 + length)}${code}${ZERO}52${first}60${byte(length)}60${byte(32 - length)}${ZERO}${salt === undefined ? 'f0' : 'f5'}50`;
};
const sstore = (key: number, value: number) => `60${byte(value)}60${byte(key)}55`;
const REVERT = `${ZERO}${ZERO}fd`;
const SELFDESTRUCT = `${pushed(NOBODY)}ff`;
const RETURN_A_BYTE = '60016000526001601ff3';

type Hardfork = NonNullable<DevnetOptions['hardfork']>;

interface Authorization {
  readonly to: string;
  readonly nonce: number;
}

interface Asked {
  /** `undefined` for a creation */
  readonly to?: string | undefined;
  readonly gas?: number;
  readonly value?: number;
  /** hex digits */
  readonly data?: string;
  readonly authorizations?: readonly Authorization[] | undefined;
}

interface Sent {
  readonly profile: Profile;
  /** gas of each transaction; `undefined` where it was refused */
  readonly used: readonly (number | undefined)[];
}

/** Runs transactions on contracts with the given codes. */
async function run(options: DevnetOptions, codes: readonly string[], asked: readonly Asked[]): Promise<Sent> {
  const counted = new CountedChain();
  const node = await startNode(
    { automine: true, ...options },
    { counts: true, onExecution: (execution, feed) => counted.follow(execution, feed) },
  );
  try {
    const request = callsOf(node);
    const [from] = await request('eth_accounts');
    for (const [i, to] of [A, B].entries()) {
      await request('anvil_setCode', to, `0x${codes[i]}`);
      await request('anvil_setBalance', to, '0xffff');
      for (const key of ['0x0', '0x1'])
        await request('anvil_setStorageAt', to, key, `0x${'00'.repeat(31)}07`);
    }
    await request('anvil_setBalance', DELEGATING, '0xffff');
    const used: (number | undefined)[] = [];
    for (const { to, gas = 900_000, value = 0, data = '', authorizations } of asked) {
      const authorizationList = authorizations && (await Promise.all(authorizations.map(signed)));
      const hash = await request('eth_sendTransaction', {
        ...{ from, gas: hex(gas), value: hex(value), data: `0x${data}` },
        ...(to && { to }),
        ...(authorizationList && { authorizationList }),
      }).catch(() => undefined);
      used.push(hash && Number((await request('eth_getTransactionReceipt', hash)).gasUsed));
    }
    return { profile: counted.profile, used };
  } finally {
    await node.close();
  }
}

async function signed({ to, nonce }: Authorization): Promise<object> {
  const contractAddress = to as `0x${string}`;
  const { r, s, yParity } = await signAuthorization({
    ...{ privateKey: KEY, chainId: 31337, contractAddress, nonce },
  });
  return { chainId: hex(31337), address: to, nonce: hex(nonce), yParity: hex(yParity!), r, s };
}

const total = (values: Iterable<number>) => [...values].reduce((sum, each) => sum + each, 0);
const opcodes = ({ codes }: Profile) =>
  [...codes]
    .map(([key, { runs: ran, gas }]) => [key, [...ran], [...gas]] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
const nodesIn = ({ calls }: CallNode): CallNode[] =>
  [...calls.values()].flatMap((node) => [node, ...nodesIn(node)]);

/** Runs transactions in both engines, and checks that all sums of their gas are those of the receipts. */
async function check(
  options: DevnetOptions,
  codes: readonly string[],
  asked: readonly Asked[],
): Promise<Sent> {
  const fast = await run(options, codes, asked);
  const reference = await run({ ...options, engine: 'ethereumjs' }, codes, asked);
  const { profile } = fast;
  const { totals, functions, root } = profile;
  const used = total(fast.used.map((each) => each ?? 0));
  const ofOpcodes = total(opcodes(profile).flatMap(([, , gas]) => gas));
  expect(totals.transactions).toBe(fast.used.filter((each) => each !== undefined).length);
  expect([totals.gasUsed, totals.uncounted]).toEqual([used, 0]);
  expect(ofOpcodes + totals.intrinsic + totals.outside + totals.refunds).toBe(used);

  const outermost = [...functions.values()].filter(({ isOutermost }) => isOutermost);
  const gasOf = ({ gas }: { gas: ReadonlyMap<number, number> }) =>
    total([...gas].map(([each, count]) => each * count));
  expect(total(outermost.map(gasOf))).toBe(used);
  // The frames' own gas is that of the opcodes, of each code by itself.
  const byCode = new Map<string | undefined, number>();
  for (const { code, gas } of nodesIn(root)) byCode.set(code, (byCode.get(code) ?? 0) + gas);
  for (const [code, , gas] of opcodes(profile)) expect(byCode.get(code) ?? 0).toBe(total(gas));

  const sources = countSources(profile, [], () => true);
  const { rows } = gasByLine(profile, sources, () => undefined);
  expect(total(rows.map(({ gas }) => gas))).toBe(used);
  const names = await FunctionNames.of(profile, sources, async () => undefined);
  const [{ weights, endValue }] = JSON.parse(speedscopeOf(profile, names)).profiles;
  expect(endValue).toBe(used - totals.refunds);
  expect(total(weights)).toBe(endValue);
  for (const weight of weights) expect(weight).toBeGreaterThan(0);

  const passedOn = new Profile();
  passedOn.merge(readProfile(profileJson(profile)));
  const ranOf = (each: Profile) => opcodes(each).map(([key, ran]) => [key, ran]);
  expect(ranOf(reference.profile)).toEqual(ranOf(profile));
  // EIP-8037: EthereumJS doesn't report how much state gas is left when a frame ends.
  const isSplitAlike = options.hardfork !== 'amsterdam';
  for (const each of [passedOn, ...(isSplitAlike ? [reference.profile] : [])]) {
    expect(each.totals).toEqual(totals);
    expect(opcodes(each)).toEqual(opcodes(profile));
    expect(each.functions).toEqual(functions);
    expect(each.root).toEqual(root);
  }
  expect(reference.used).toEqual(fast.used);
  return fast;
}

const slot = fc.nat(3);
const called = fc.constantFrom(A, B, DELEGATING, NOBODY).map(pushed);
const initCode = fc.constantFrom(
  RETURN_A_BYTE,
  `${ZERO}${ZERO}f3`,
  'fe',
  '',
  REVERT,
  SELFDESTRUCT,
  `${sstore(1, 1)}${sstore(1, 0)}`,
  // Calls A.
  `${ZERO}${ZERO}${ZERO}${ZERO}${ZERO}60a15af1`,
);
/** A piece of code that leaves the stack as it was, or ends its frame. */
const piece = fc.oneof(
  // Written, cleared and written again: refunds.
  fc.tuple(slot, fc.nat(2)).map(([key, value]) => sstore(key, value)),
  slot.map((key) => `60${byte(key)}5450`),
  fc.nat(255).map((at) => `60${byte(at)}${ZERO}52`),
  fc.constant(`6020${ZERO}20506000${ZERO}a0`),
  // Precompiles, with more gas and with less than they need.
  fc
    .tuple(fc.integer({ min: 1, max: 10 }), fc.nat(0xffff), fc.constantFrom(CALL, STATICCALL, DELEGATECALL))
    .map(([number, gas, opcode]) => call(`60${byte(number)}`, { opcode: opcode!, gas })),
  fc
    .tuple(
      called,
      fc.option(fc.nat(0xffff), { nil: undefined }),
      fc.nat(1),
      fc.constantFrom(CALL, CALLCODE, DELEGATECALL, STATICCALL),
    )
    .map(([to, gas, value, opcode]) => call(to, { opcode: opcode!, gas, value })),
  fc
    .tuple(initCode, fc.option(fc.nat(1), { nil: undefined }))
    .filter(([code]) => code !== '')
    .map(([code, salt]) => create(code, { salt })),
);
const end = fc.constantFrom('', '00', REVERT, 'fe', '01', `5b${ZERO}56`, SELFDESTRUCT);
const code = fc
  .tuple(fc.array(piece, { maxLength: 12 }), end)
  .map(([pieces, last]) => `${pieces.join('')}${last}`);
// Not to itself: EthereumJS reports no opcode of code that is a delegation.
const authorization = fc.record({
  to: fc.constantFrom(A, B, IDENTITY, `0x${'00'.repeat(20)}`),
  nonce: fc.nat(2),
});
const data = fc.oneof(
  fc.constant(''),
  fc.nat(1000).map((length) => '01'.repeat(length)),
  fc.nat(1000).map((length) => '00'.repeat(length)),
);
const gas = fc.integer({ min: 60_000, max: 900_000 });
const transactions = fc.array(
  fc.oneof(
    fc.record({ gas, data: code }),
    fc.record({
      ...{ gas, data, value: fc.nat(1), to: fc.constantFrom(A, B, IDENTITY, DELEGATING, NOBODY) },
      authorizations: fc.option(fc.array(authorization, { minLength: 1, maxLength: 3 }), { nil: undefined }),
    }),
  ),
  { minLength: 1, maxLength: 4 },
);
const hardfork = fc.constantFrom('berlin', 'shanghai', 'prague', 'osaka', 'amsterdam');

it('all sums of gas are those of the receipts, by both engines alike', async () => {
  await fc.assert(
    fc.asyncProperty(hardfork, fc.tuple(code, code), transactions, async (fork, codes, asked) => {
      await check({ hardfork: fork as Hardfork }, codes, asked);
    }),
    { numRuns: runs(10) },
  );
}, 120_000);

const keyOf = (code: string) => Buffer.from(keccak256(Buffer.from(code, 'hex'))).toString('hex');
const gasOfCode = ({ codes }: Profile, code: string) => total(codes.get(keyOf(code))!.gas);
const calledOf = (profile: Profile, code: string) =>
  [...profile.functions.values()].filter((each) => each.code === keyOf(code) && !each.isOutermost);
const CLEAR_AND_REVERT = `${sstore(0, 0)}${REVERT}`;

describe.each(['prague', 'amsterdam'] as const)('at %s the gas of', (hardfork) => {
  it('DELEGATECALL and CALLCODE counts for the code that runs', async () => {
    const callee = `${sstore(2, 1)}00`;
    const caller = `${call(pushed(B), { opcode: DELEGATECALL })}${call(pushed(B), { opcode: CALLCODE })}00`;
    const { profile } = await check({ hardfork }, [caller, callee], [{ to: A }]);
    expect(gasOfCode(profile, callee)).toBeGreaterThan(22_100);
    expect(calledOf(profile, callee)[0]!.failed).toBe(0);
    expect(total(profile.codes.get(keyOf(callee))!.runs)).toBe(8);
  });

  it('authorizations and of delegated code adds up (EIP-7702)', async () => {
    const target = `${sstore(2, 1)}00`;
    const authorizations = [{ to: B, nonce: 0 }];
    const { profile, used } = await check(
      { hardfork },
      [call(pushed(DELEGATING)), target],
      [
        { to: DELEGATING, authorizations },
        { to: A },
        // The second and third authorization are refunded: the account exists already, and a nonce is wrong.
        {
          to: NOBODY,
          authorizations: [
            { to: B, nonce: 1 },
            { to: A, nonce: 1 },
            { to: A, nonce: 2 },
          ],
        },
        { to: DELEGATING },
      ],
    );
    expect(used).not.toContain(undefined);
    expect(profile.totals.intrinsic).toBeGreaterThan(4 * 21_000);
    expect(total(profile.codes.get(keyOf(target))!.runs)).toBe(8);
  });

  it('transactions that pay the floor for their call data adds up (EIP-7623)', async () => {
    const { profile, used } = await check({ hardfork }, ['00', ''], [{ to: A, data: '01'.repeat(900) }]);
    const { intrinsic, outside } = profile.totals;
    expect(outside).toBeGreaterThan(10_000);
    expect(intrinsic + outside).toBe(used[0]);
  });

  it('code with refunds adds up, in several contracts and where one reverts', async () => {
    const [first, second] = [`${sstore(0, 0)}${sstore(1, 0)}${call(pushed(B))}`, `${sstore(0, 0)}00`];
    const cleared = await check({ hardfork }, [first, second], [{ to: A }]);
    expect(cleared.profile.totals.refunds).toBeLessThan(-6_000);
    const reverted = await check({ hardfork }, [call(pushed(B)), CLEAR_AND_REVERT], [{ to: A }]);
    expect(reverted.profile.totals.refunds).toBe(0);
    expect(calledOf(reverted.profile, CLEAR_AND_REVERT)[0]!.failed).toBe(1);
  });

  it('transactions whose refund is greater than the gas of their code adds up', async () => {
    const authorizations = [0, 1, 2].map((nonce) => ({ to: B, nonce }));
    const { profile, used } = await check({ hardfork }, ['00', ''], [{ to: NOBODY, authorizations }]);
    const { intrinsic, outside, refunds } = profile.totals;
    expect(intrinsic + outside + refunds).toBe(used[0]);
    if (hardfork === 'prague') expect([intrinsic, outside]).toEqual([21_000 + 3 * 25_000, 0]);
  });

  it('creations inside of calls, which call, fail or deploy, adds up', async () => {
    const inner = `${create(RETURN_A_BYTE)}${create('fe')}${create(REVERT)}${create(RETURN_A_BYTE, { salt: 1 })}${create(RETURN_A_BYTE, { salt: 1 })}`;
    const caller = `${call(pushed(B))}${create(`${ZERO}${ZERO}${ZERO}${ZERO}${ZERO}60b25af1`)}`;
    const { profile } = await check({ hardfork }, [caller, inner], [{ to: A, gas: 9_000_000 }]);
    const creations = [...profile.functions.values()].filter(({ isCreation }) => isCreation);
    const calls = total(creations.flatMap(({ gas }) => [...gas.values()]));
    // At Amsterdam the last one's address is taken before it begins.
    expect(calls).toBeGreaterThanOrEqual(4);
  });

  it('creations by transactions, which deploy, revert or halt, adds up, and no opcode has less than none', async () => {
    const { profile } = await check(
      { hardfork },
      ['', ''],
      [
        { data: `${sstore(0, 1)}${RETURN_A_BYTE}` },
        { data: `6001${REVERT}` },
        { data: `6002${REVERT.replace('fd', 'fe')}` },
        { data: '' },
      ],
    );
    for (const [, , gas] of opcodes(profile)) expect(Math.min(...gas)).toBeGreaterThanOrEqual(0);
    expect(profile.totals.outside).toBeGreaterThanOrEqual(0);
  });

  it('calls that run out of gas, and of precompiles that succeed or fail, adds up', async () => {
    const pieces = [
      call(pushed(B), { gas: 5_000 }),
      call('6002', { gas: 0xffff }),
      call('6002', { gas: 10 }),
      call('6008', { gas: 0xffff }),
      call('6004', { gas: 0xffff, opcode: STATICCALL }),
    ];
    const looping = `5b${ZERO}56`;
    const asked = [{ to: A }, { to: IDENTITY, data: '01' }];
    const { profile } = await check({ hardfork }, [pieces.join(''), looping], asked);
    expect(calledOf(profile, looping)[0]).toMatchObject({ failed: 1 });
    expect([...calledOf(profile, looping)[0]!.gas.keys()]).toEqual([5_000]);
  });

  it('code that destroys itself, in a call and in a creation, adds up', async () => {
    const codes = [`${call(pushed(B))}${create(SELFDESTRUCT)}`, SELFDESTRUCT];
    const { profile } = await check({ hardfork }, codes, [{ to: A }, { to: B }]);
    expect(gasOfCode(profile, SELFDESTRUCT)).toBeGreaterThan(2 * 5_000);
  });

  it('a function that clears what its caller stored adds up', async () => {
    const caller = `${sstore(2, 1)}${call(pushed(B), { opcode: DELEGATECALL })}`;
    await check({ hardfork }, [caller, sstore(2, 0)], [{ to: A }]);
    await check(
      { hardfork },
      [`${call(pushed(B), { opcode: DELEGATECALL })}${sstore(2, 0)}`, sstore(2, 1)],
      [{ to: A }],
    );
  });
});
