// Warm accounts (EIP-2929): those that the current transaction has accessed.
import { epoch, PRECOMPILE, WARM } from './accounts.ts';
import { PRECOMPILE_PLACE } from './entries.ts';
import { warmAccount } from './journal.ts';
import { COLD_ACCOUNT_RULE, WARM_ACCOUNT_RULE } from '../tables/rule.ts';

/* @inline */ export function isWarm(account: usize): bool {
  return load<u32>(account, WARM) == epoch || load<u32>(account, PRECOMPILE) >= PRECOMPILE_PLACE;
}

/** EIP-2929: returns the cost of an access, and makes the account warm. */
export function access(account: usize): i64 {
  if (isWarm(account)) return load<i64>(WARM_ACCOUNT_RULE);
  warmAccount(account);
  return load<i64>(COLD_ACCOUNT_RULE);
}
