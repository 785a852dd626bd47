// What is warm (EIP-2929): accounts that the running transaction has accessed.
import { epoch, PRECOMPILE, WARM } from './accounts.ts';
import { warmAccount } from './journal.ts';

export const COLD_ACCOUNT: i64 = 2600;
export const WARM_ACCOUNT: i64 = 100;

/* @inline */ export function isWarm(account: usize): bool {
  return load<u32>(account, WARM) == epoch || load<u32>(account, PRECOMPILE) != 0;
}

/** EIP-2929: what an access costs. The account is warm from now on. */
export function access(account: usize): i64 {
  if (isWarm(account)) return WARM_ACCOUNT;
  warmAccount(account);
  return COLD_ACCOUNT;
}
