import type { Common } from '@ethereumjs/common';
import { activeCostPerStateByte } from '@ethereumjs/evm';

/** What a new slot costs for the growth of the state (EIP-8037). */
export function slotStateGas(common: Common): bigint {
  return common.param('stateBytesPerStorageSet') * activeCostPerStateByte(common);
}

/** What a new account costs for the growth of the state (EIP-8037). */
export function accountStateGas(common: Common): bigint {
  return common.param('stateBytesPerNewAccount') * activeCostPerStateByte(common);
}
