import type { Transaction } from '../../chain/block.ts';
import { messageOf } from '../../engine/message.ts';
import { transactionOf } from '../../mempool/decode.ts';
import { signTransaction } from '../../mempool/sign.ts';
import { DEPOSIT_TYPE, DepositTransaction } from '../../protocol/op-stack/deposit-transaction.ts';
import type { Message } from '../../protocol/types.ts';
import { keccak256 } from '../../state/keccak.ts';
import type { RpcContext } from '../context.ts';

/** INVALID (EIP-141) as initcode: the creation fails and uses all its gas. */
const FAILING_CODE = new Uint8Array([0xfe]);
/** More than the creation's intrinsic gas. */
const ENOUGH_GAS = 60_000n;

/**
 * Creates a transaction with the same sender, nonce and fees that fails when it is executed. It is signed if the node has the sender's
 * private key, else impersonated, with a signature that isn't the sender's.
 */
export function failingTransaction(
  transaction: Transaction,
  { accounts, decoder, member }: Pick<RpcContext, 'accounts' | 'decoder' | 'member'>,
): Transaction {
  const { tx, from } = transaction;
  if (tx.type === DEPOSIT_TYPE) {
    const { sourceHash, gasLimit } = tx;
    const failing = { from, gasLimit: enough(gasLimit), value: 0n, data: FAILING_CODE };
    return transactionOf(
      new DepositTransaction({ ...failing, sourceHash, mint: 0n, isSystemTransaction: false }),
    );
  }
  const { maxFeePerGas, maxPriorityFeePerGas, gasLimit, nonce } = messageOf(transaction);
  const message: Message = {
    type: tx.type < 2 ? 0 : 2,
    from,
    nonce,
    gasLimit: enough(gasLimit),
    value: 0n,
    data: FAILING_CODE,
    maxFeePerGas,
    maxPriorityFeePerGas,
    accessList: [],
  };
  // Nodes that share a chain may have different keys.
  const account = member ? undefined : accounts.find(({ address }) => address.equals(from));
  const signer = account ?? { address: from, privateKey: keccak256(from.bytes) };
  return { ...signTransaction(message, signer, decoder.common), impersonated: !account };
}

function enough(gasLimit: bigint): bigint {
  return gasLimit > ENOUGH_GAS ? gasLimit : ENOUGH_GAS;
}
