import type { Address } from '@ethereumjs/util';
import { asksForDeposit, toMessage } from '../execution/call-request.ts';
import { depositOf } from '../mempool/sign.ts';
import { encodeTransaction } from '../protocol/encode-transaction.ts';
import { type Codec, invalid, object, optional } from '../rpc/codec/codec.ts';
import { transactionRequest } from '../rpc/codec/transaction.ts';
import { address, quantity } from '../rpc/codec/values.ts';

/** A transaction of a state file. */
export interface DumpedTransaction {
  /** EIP-2718 bytes, or a legacy transaction's RLP */
  readonly raw: Uint8Array;
  /** the sender if it was impersonated, since the signature doesn't give it */
  readonly impersonated?: Address;
}

const signature = object('a signature', {
  r: quantity,
  s: quantity,
  v: optional(quantity),
  yParity: optional(quantity),
});

const signed: Codec<Uint8Array> = {
  decode: (value, path) => {
    const request = transactionRequest.decode(value, path);
    const { type = 0n, from, gas, data, gasPrice, chainId, ...rest } = request;
    const need = <T>(name: string, given: T | undefined): T =>
      given ?? invalid(`${path}.${name}`, 'a value', undefined);
    if (asksForDeposit(request)) {
      need('from', from);
      const message = toMessage(request, { gas: need('gas', gas), nonce: 0n, chainId: 0n });
      return depositOf(message, message.deposit!).raw;
    }
    const { r, s, v, yParity } = signature.decode(value, path);
    if (type > 4n)
      return invalid(`${path}.type`, 'a type from 0 to 4, or 0x7e', (value as { type: unknown }).type);
    const price = gasPrice ?? rest.maxFeePerGas;
    return encodeTransaction(
      {
        ...rest,
        type: Number(type),
        nonce: need('nonce', rest.nonce),
        gasLimit: need('gas', gas),
        value: rest.value ?? 0n,
        data: data ?? new Uint8Array(),
        maxFeePerGas: need(type < 2n ? 'gasPrice' : 'maxFeePerGas', price),
        maxPriorityFeePerGas: type < 2n ? price! : need('maxPriorityFeePerGas', rest.maxPriorityFeePerGas),
        accessList: rest.accessList ?? [],
      },
      type === 0n ? 0n : need('chainId', chainId),
      [type === 0n ? need('v', v) : need('yParity', yParity ?? v), r, s],
    );
  },
};

const wrapped = object('a transaction', {
  transaction: signed,
  impersonated_sender: optional(address),
});

/** The current format of anvil's files, or that of older versions: the transaction alone, without `impersonated_sender`. */
export const dumpedTransaction: Codec<DumpedTransaction> = {
  decode: (value, path) => {
    if (typeof value === 'object' && value !== null && 'transaction' in value) {
      const { transaction: raw, impersonated_sender: impersonated } = wrapped.decode(value, path);
      return { raw, ...(impersonated && { impersonated }) };
    }
    return { raw: signed.decode(value, path) };
  },
};
