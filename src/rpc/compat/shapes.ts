import type { DevnetError } from '../../errors.ts';
import type { CallStyle } from '../../execution/call-fees.ts';
import type { Decoded } from '../../sources/abi/decoder.ts';
import { asAnvil } from './anvil-errors.ts';
import { asGeth } from './geth-errors.ts';
import { asHardhat, asHardhat2, type FailedCall } from './hardhat-errors.ts';

/** The node whose answers are imitated where nodes differ. `hardhat` is Hardhat 3, `hardhat2` is Hardhat 2. */
export type Compat = 'anvil' | 'hardhat' | 'hardhat2';
/**
 * A {@link Compat}, or `geth`: the default on an imported chain. It differs from `anvil` in calls, `eth_fillTransaction` and error
 * messages.
 */
export type Dialect = Compat | 'geth';

/** All differences between the nodes' answers, for the RPC handlers. */
export interface Shapes {
  /** The result of a method that has nothing to return. */
  readonly done: null | true;
  pick<A, H>(anvil: A, hardhat: H): A | H;
  /**
   * The gas limit of a sent transaction that has none. `estimate or most`: the estimate; if it fails, the highest possible gas limit, so
   * that the transaction is mined and fails there. `estimate`: the estimate; the highest possible gas limit only if nothing but {@link
   * gasInside} makes the estimate fail. `most`: the highest possible one.
   */
  readonly sendGas: 'estimate' | 'estimate or most' | 'most';
  /** Whether sending fails if the transaction was mined and failed, or if it has neither `to` nor data. */
  readonly sendsThrow: boolean;
  readonly calls: CallStyle;
  /** Whether the gas of a plain transfer is estimated even if the sender can't pay for it. */
  readonly anyoneTransfers: boolean;
  /** Whether an estimate must suffice for all calls inside the transaction: Hardhat 3's `gasEstimationMode` of `noInternalOutOfGas`. */
  readonly gasInside: boolean;
  /**
   * How `eth_fillTransaction` fills in fees and fields. With `anvil` the fee cap is the gas price, and the result has null for the fields
   * that tell a transaction's block.
   */
  readonly fills: 'geth' | 'anvil';
  readonly structLogs: 'geth' | 'hardhat' | 'hardhat2';
  /** The start of `web3_clientVersion`: tools look at the name before the first slash. */
  readonly client: string;
  /**
   * Returns an error with the node's message, code and data.
   * @param custom the custom error that a call reverted with
   * @param inferred Hardhat's message for a failure whose stack trace is known
   */
  reword(error: DevnetError, call?: FailedCall, custom?: Decoded, inferred?: string): DevnetError;
  /** Whether errors of calls and transactions name the Solidity source, as Hardhat's do. */
  readonly tellsSource: boolean;
}

const ANVIL: Shapes = {
  done: null,
  pick: (anvil) => anvil,
  sendGas: 'estimate or most',
  sendsThrow: false,
  calls: 'anvil',
  anyoneTransfers: true,
  gasInside: false,
  fills: 'anvil',
  structLogs: 'geth',
  client: 'anvil/v1.7.1',
  tellsSource: false,
  reword: asAnvil,
};

const HARDHAT: Shapes = {
  done: true,
  pick: (_, hardhat) => hardhat,
  sendGas: 'estimate',
  sendsThrow: true,
  calls: 'hardhat',
  anyoneTransfers: false,
  gasInside: true,
  // Hardhat has no eth_fillTransaction.
  fills: 'geth',
  structLogs: 'hardhat',
  client: 'HardhatNetwork/3.18.0',
  tellsSource: true,
  reword: asHardhat,
};

export const SHAPES: Readonly<Record<Dialect, Shapes>> = {
  geth: { ...ANVIL, calls: 'geth', anyoneTransfers: false, fills: 'geth', reword: asGeth },
  anvil: ANVIL,
  hardhat: HARDHAT,
  hardhat2: {
    ...HARDHAT,
    sendGas: 'most',
    gasInside: false,
    structLogs: 'hardhat2',
    client: 'HardhatNetwork/2.28.6',
    reword: asHardhat2,
  },
};

/** For a network of the OP Stack without `--compat`: its nodes don't estimate a transfer that the sender can't pay for. */
const OP_NETWORK: Shapes = { ...ANVIL, anyoneTransfers: false };

/** @param isOpNetwork whether the chain has a preset and `--compat` isn't given */
export function shapesOf(dialect: Dialect, isOpNetwork: boolean): Shapes {
  return dialect === 'anvil' && isOpNetwork ? OP_NETWORK : SHAPES[dialect];
}
