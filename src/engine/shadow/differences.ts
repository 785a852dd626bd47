import { bytesToHex, equalsBytes } from '@ethereumjs/util';
import type { Executed, Outcome } from '../../protocol/types.ts';
import { addressOfKey, keyBytes } from '../../state/hex-key.ts';
import type { Overlay } from '../../state/overlay.ts';
import { accessesOf } from '../access-cells.ts';
import type { Estimate } from '../estimate.ts';
import type { Accesses } from '../workspace.ts';

/** A value as text, for comparison and display. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, name, part) {
    if (typeof part === 'bigint') return `${part}`;
    // A Buffer, which some precompiles return, has a `toJSON` that would have replaced the value already.
    const own = this[name];
    return own instanceof Uint8Array ? bytesToHex(own) : part;
  });
}

/** A part of a transaction's outcome. */
export type Part = Pick<Executed, 'kind'> & Partial<Executed>;

/**
 * The first field in which two outcomes differ, as text. Bloom filter, state root and counts aren't compared, since only one outcome has
 * them.
 * @param options.only the fields that are compared; by default all
 * @param options.hasAccessLists whether blocks have access lists (EIP-7928), see {@link haltAlike}
 */
export function outcomeDifference(
  wanted: Outcome,
  got: Outcome | Part,
  { only, hasAccessLists = false }: { only?: readonly string[]; hasAccessLists?: boolean } = {},
): string | undefined {
  const [a, b] = [fieldsOf(wanted), fieldsOf(got)];
  if (hasAccessLists && haltAlike(wanted, got)) b.failure = a.failure;
  const names = new Set(only ?? [...Object.keys(a), ...Object.keys(b)]);
  const different = [...names].find((name) => textOf(a[name]) !== textOf(b[name]));
  return different && `${different}: ${textOf(a[different])} and ${textOf(b[different])}`;
}

/** The difference between two estimates, as text. @param options see {@link outcomeDifference} */
export function estimateDifference(
  wanted: Estimate,
  got: Estimate,
  { hasAccessLists }: { hasAccessLists: boolean },
): string | undefined {
  const haveFailed = typeof wanted === 'object' && typeof got === 'object';
  if (hasAccessLists && haveFailed && haltAlike(wanted, got)) return undefined;
  const [a, b] = [wanted, got].map((estimate) =>
    typeof estimate === 'object' && estimate.kind === 'invalid' ? estimate.error.message : textOf(estimate),
  );
  return a === b ? undefined : `${a} and ${b}`;
}

/** Reasons of a halt of which several may apply to one opcode at once. Which of them is detected first affects only the reported reason. */
const FOUND_FIRST = new Set(['out of gas', 'max initcode size exceeded', 'write protection']);

/**
 * Whether both halted for such reasons. With access lists (EIP-7928) the library checks a creation's size before its gas, and the write
 * protection of a call after the gas.
 */
function haltAlike(...both: readonly (Outcome | Part | Exclude<Estimate, bigint>)[]): boolean {
  return both.every((one) => 'failure' in one && one.failure && FOUND_FIRST.has(one.failure.reason));
}

function fieldsOf(outcome: Outcome | Part): Record<string, unknown> {
  return outcome.kind === 'invalid'
    ? { refused: outcome.error.message }
    : { refused: undefined, ...outcome, logsBloom: undefined, stateRoot: undefined, ran: undefined };
}

/** The first account whose accesses or changes differ between two blocks (EIP-7928), as text. */
export function accessDifference(
  wanted: Accesses | undefined,
  got: Accesses | undefined,
): string | undefined {
  const [a, b] = [wanted, got].map(
    (accesses) =>
      new Map(accesses && accessesOf(accesses.cells).map((of) => [of.address.toString(), textOf(of)])),
  ) as [Map<string, string>, Map<string, string>];
  const different = [...new Set([...a.keys(), ...b.keys()])].find((key) => a.get(key) !== b.get(key));
  return different && `access list: ${a.get(different)} and ${b.get(different)} of ${different}`;
}

/** The first written account or slot that differs between two overlays, as text. */
export async function stateDifference(expected: Overlay, actual: Overlay): Promise<string | undefined> {
  const all = [expected.writes(), actual.writes()];
  for (const key of new Set(all.flatMap(({ accounts }) => [...accounts.keys()]))) {
    const address = addressOfKey(key);
    const [a, b] = [await expected.getAccount(address), await actual.getAccount(address)];
    const fields = [a, b].map((account) =>
      textOf(account && [account.nonce, account.balance, account.codeHash]),
    );
    if (fields[0] !== fields[1]) return `account ${key}: ${fields.join(' and ')}`;
    if (!equalsBytes(await expected.getCode(address), await actual.getCode(address))) return `code of ${key}`;
  }
  for (const { storage } of all)
    for (const [key, { slots }] of storage)
      for (const slot of slots.keys()) {
        const [a, b] = await Promise.all(
          [expected, actual].map((state) => state.getStorage(addressOfKey(key), keyBytes(slot))),
        );
        if (!equalsBytes(a!, b!)) return `slot ${slot} of ${key}: ${textOf(a)} and ${textOf(b)}`;
      }
  return undefined;
}
