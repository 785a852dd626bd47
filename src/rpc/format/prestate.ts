import type { TouchedAccount, TouchedState } from '../../engine/tracers/prestate.ts';
import { hasCode } from '../../state/account.ts';
import { type Hex, hex, quantity, word } from '../codec/hex.ts';
import { JsonMembers } from '../json-pieces.ts';

/** Accounts by address, in the format of geth's prestateTracer: balances in wei. */
type RpcPrestate = JsonMembers<ReturnType<typeof changes>>;

export interface PrestateOptions {
  readonly disableCode: boolean;
  readonly disableStorage: boolean;
  /** include accounts that were empty before the transaction */
  readonly includeEmpty: boolean;
}

/** Formats the touched accounts and slots with their values before the transaction. */
export function formatPrestate(before: TouchedState, options: PrestateOptions): RpcPrestate {
  return new JsonMembers(function* () {
    for (const [address, touched] of before) {
      if (isEmpty(touched) && !options.includeEmpty) continue;
      yield [address, formatTouched(touched, options, () => true)];
    }
  });
}

/** Formats the changed accounts: `pre` with their values before the transaction, `post` with the changed values after it. */
export function formatPrestateDiff(
  before: TouchedState,
  after: TouchedState,
  options: PrestateOptions,
): { post: RpcPrestate; pre: RpcPrestate } {
  function* changed() {
    for (const [address, was] of before) {
      const is = after.get(address)!;
      const changedSlot = (slot: string) => word(was.storage.get(slot)!) !== word(is.storage.get(slot)!);
      const isDeleted = was.account !== undefined && is.account === undefined;
      const post = changes(was, is, options, changedSlot);
      if (isDeleted || Object.keys(post).length > 0) yield { address, was, changedSlot, post, isDeleted };
    }
  }
  return {
    post: new JsonMembers(function* () {
      for (const { address, post, isDeleted } of changed()) if (!isDeleted) yield [address, post];
    }),
    pre: new JsonMembers(function* () {
      for (const { address, was, changedSlot } of changed())
        if (!isEmpty(was) || options.includeEmpty)
          yield [
            address,
            formatTouched(was, options, (slot, value) => value.length > 0 && changedSlot(slot)),
          ];
    }),
  };
}

function changes(
  was: TouchedAccount,
  is: TouchedAccount,
  options: PrestateOptions,
  changedSlot: (slot: string) => boolean,
) {
  const balance = is.account?.balance ?? 0n;
  const nonce = is.account?.nonce ?? 0n;
  const codeChanged = hex(was.code) !== hex(is.code);
  const slots = options.disableStorage ? [] : [...is.storage].filter(([slot]) => changedSlot(slot));
  return {
    ...(balance !== (was.account?.balance ?? 0n) && { balance: quantity(balance) }),
    ...(nonce !== (was.account?.nonce ?? 0n) && { nonce: Number(nonce) }),
    ...(codeChanged && !options.disableCode && { code: hex(is.code) }),
    ...(codeChanged && is.account && { codeHash: hex(is.account.codeHash) }),
    // As in geth, a cleared slot is only in `pre`.
    ...(slots.length > 0 && { storage: formatSlots(slots.filter(([, value]) => value.length > 0)) }),
  };
}

function formatTouched(
  { account, code, storage }: TouchedAccount,
  options: PrestateOptions,
  wanted: (slot: string, value: Uint8Array) => boolean,
) {
  const slots = options.disableStorage ? [] : [...storage].filter(([slot, value]) => wanted(slot, value));
  return {
    balance: quantity(account?.balance ?? 0n),
    ...(code.length > 0 && !options.disableCode && { code: hex(code) }),
    ...(account && hasCode(account) && { codeHash: hex(account.codeHash) }),
    ...(account && account.nonce > 0n && { nonce: Number(account.nonce) }),
    ...(slots.length > 0 && { storage: formatSlots(slots) }),
  };
}

function formatSlots(slots: readonly (readonly [string, Uint8Array])[]): JsonMembers<Hex> {
  return new JsonMembers(function* () {
    for (const [slot, value] of slots) yield [slot, word(value)];
  });
}

function isEmpty({ account, code }: TouchedAccount): boolean {
  return !account || (account.nonce === 0n && account.balance === 0n && code.length === 0);
}

type Change = '=' | { '+': Hex } | { '-': Hex } | { '*': { from: Hex; to: Hex } };

/** Formats OpenEthereum's `stateDiff`, by address: `=` unchanged, `+` created, `-` removed, `*` changed. */
export function formatStateDiff(before: TouchedState, after: TouchedState): JsonMembers {
  return new JsonMembers(function* () {
    for (const address of [...before.keys()].sort()) {
      const was = before.get(address)!;
      const is = after.get(address)!;
      const change = (from: Hex, to: Hex): Change => {
        if (isEmpty(was)) return { '+': to };
        if (!is.account) return { '-': from };
        return from === to ? '=' : { '*': { from, to } };
      };
      const slots = [...was.storage].map(
        ([slot, value]) => [slot, word(value), word(is.storage.get(slot)!)] as const,
      );
      const changed = slots.filter(([, from, to]) => from !== to);
      const [balance, nonce, code] = [
        change(quantity(was.account?.balance ?? 0n), quantity(is.account?.balance ?? 0n)),
        change(quantity(was.account?.nonce ?? 0n), quantity(is.account?.nonce ?? 0n)),
        change(hex(was.code), hex(is.code)),
      ];
      if (isEmpty(was) && isEmpty(is)) continue;
      if ([balance, nonce, code].every((part) => part === '=') && changed.length === 0) continue;
      const storage = new JsonMembers(function* () {
        for (const [slot, from, to] of changed) yield [slot, change(from, to)];
      });
      yield [address, { balance, code, nonce, storage }];
    }
  });
}
