import type { Common } from '@ethereumjs/common';
import { activeCostPerStateByte } from '@ethereumjs/evm';

/** State gas of a new slot (EIP-8037). */
export function slotStateGas(common: Common): bigint {
  return common.param('stateBytesPerStorageSet') * activeCostPerStateByte(common);
}

/** State gas of a new account (EIP-8037). */
export function accountStateGas(common: Common): bigint {
  return common.param('stateBytesPerNewAccount') * activeCostPerStateByte(common);
}
