import { createTx, type TypedTxData } from '@ethereumjs/tx';
import { type Address, bytesToHex } from '@ethereumjs/util';
import { OUT_OF_BOUNDS } from '../../../src/engine/halt-reason.ts';
import type { Execution, Refusal } from '../../../src/engine/wasm/types.ts';
import { signer } from '../ethereumjs/accounts.ts';
import type { stockCommon } from '../ethereumjs/stock.ts';

const KEYS = new Map(
  ['a', 'b', 'c', 'poor', 'coded', 'delegated'].map((name) => {
    const { address, key } = signer(name);
    return [address.toString(), key];
  }),
);

/** A transaction signed by one of the accounts of `scenarios.ts`. */
export function signed(from: Address, data: TypedTxData, common: ReturnType<typeof stockCommon>) {
  return createTx(data, { common }).sign(KEYS.get(from.toString())!);
}

/** What the executor and the library must agree on. */
export function summaryOf(outcome: Execution | Refusal) {
  if (outcome.kind === 'invalid') return 'refused';
  return {
    // The library's name of it.
    halt: outcome.halt === OUT_OF_BOUNDS ? 'out of gas' : outcome.halt,
    gasUsed: outcome.gasUsed,
    returnData: bytesToHex(outcome.returnData),
    created: outcome.createdAddress && bytesToHex(outcome.createdAddress),
    logs: outcome.logs.map(({ address, topics, data }) => [
      bytesToHex(address),
      topics.map(bytesToHex),
      bytesToHex(data),
    ]),
  };
}
