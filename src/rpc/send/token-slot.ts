import { type Address, concatBytes, hexToBytes, setLengthLeft } from '@ethereumjs/util';
import type { BlockView } from '../../chain/block.ts';
import type { Accessed } from '../../engine/engine.ts';
import { DevnetError } from '../../errors.ts';
import { onOverlay } from '../../sequencer/dev-write.ts';
import { addressOfKey, keyBytes } from '../../state/hex-key.ts';
import { integerOf, integerWord } from '../../state/integers.ts';
import type { RpcContext } from '../context.ts';

/** Calldata of ERC-20's `balanceOf`. */
export function balanceOf(account: Address): Uint8Array {
  return concatBytes(hexToBytes('0x70a08231'), setLengthLeft(account.bytes, 32));
}

/** Calldata of ERC-20's `allowance`. */
export function allowance(owner: Address, spender: Address): Uint8Array {
  return concatBytes(
    hexToBytes('0xdd62ed3e'),
    setLengthLeft(owner.bytes, 32),
    setLengthLeft(spender.bytes, 32),
  );
}

/**
 * Writes `amount` into the storage slot from which a token's getter reads its result. The slot is found by overriding each slot that the
 * call touches, until the getter returns `amount`.
 * @param getter the getter's calldata
 * @throws DevnetError -32602 for a token without such a slot (it computes its balances, or packs them)
 */
export async function dealToken(
  context: RpcContext,
  token: Address,
  getter: Uint8Array,
  amount: bigint,
): Promise<void> {
  const value = integerWord(amount);
  let found: Awaited<ReturnType<typeof findSlot>>;
  await context.sequencer.patch(context.cause, async (block) => {
    found ??= await findSlot(context, block, token, getter, amount);
    if (!found)
      throw new DevnetError('invalidParams', {
        reason: `no storage slot of ${token} holds the amount as it is`,
      });
    const { account, slot } = found;
    return onOverlay(async (state) => {
      if (await state.getAccount(account)) state.setStorage(account, slot, value);
    })(block.state);
  });
}

async function findSlot(
  { caller }: RpcContext,
  view: BlockView,
  token: Address,
  getter: Uint8Array,
  amount: bigint,
): Promise<{ account: Address; slot: Uint8Array } | undefined> {
  const call = { to: token, data: getter };
  let touched: Accessed = new Map();
  await caller.call(view, call, {}, { onAccessList: (accessed) => (touched = accessed) });
  for (const [address, slots] of touched) {
    const account = addressOfKey(address);
    for (const key of slots) {
      const stateDiff = new Map([[key, integerWord(amount)]]);
      const executed = await caller.call(view, call, {
        state: new Map([[account.toString(), { stateDiff }]]),
      });
      const answers = executed.success && executed.returnData.length === 32;
      if (answers && integerOf(executed.returnData) === amount) return { account, slot: keyBytes(key) };
    }
  }
  return undefined;
}
