import type { DevnetError } from '../../errors.ts';
import type { CallStyle } from '../../execution/call-fees.ts';
import type { Decoded } from '../../sources/abi/decoder.ts';
import { asAnvil } from './anvil-errors.ts';
import { asGeth } from './geth-errors.ts';
import { asHardhat, asHardhat2, type FailedCall } from './hardhat-errors.ts';

/** The node whose answers are given where nodes differ. `hardhat` is Hardhat 3, `hardhat2` is Hardhat 2. */
export type Compat = 'anvil' | 'hardhat' | 'hardhat2';
/** `geth` is the default on an imported chain; it differs from `anvil` in calls, in `eth_fillTransaction` and in error messages. */
export type Dialect = Compat | 'geth';

/** All differences between the answers of the nodes, for the RPC handlers. */
export interface Shapes {
  /** The result of a method that has nothing to return. */
  readonly done: null | true;
  pick<A, H>(anvil: A, hardhat: H): A | H;
  /**
   * Gas limit of a send without one. `estimate or most`: when the estimate fails, the highest possible gas limit, so
   * that the transaction is mined and fails there. `estimate`: the highest possible one where the only failure is that of {@link gasInside}.
   */
  readonly sendGas: 'estimate' | 'estimate or most' | 'most';
  /** Whether a send fails if its transaction was mined and failed, or has neither `to` nor data. */
  readonly sendsThrow: boolean;
  readonly calls: CallStyle;
  /** Whether a plain transfer is estimated even if the sender can't pay for it. */
  readonly anyoneTransfers: boolean;
  /** Whether an estimate has to be enough for all calls inside the transaction: Hardhat 3's `gasEstimationMode` of `noInternalOutOfGas`. */
  readonly gasInside: boolean;
  /**
   * The fees and the fields of `eth_fillTransaction`: anvil's fee cap is the gas price, and its result has the fields of a place in a
   * block, which are null.
   */
  readonly fills: 'geth' | 'anvil';
  readonly structLogs: 'geth' | 'hardhat' | 'hardhat2';
  /** What `web3_clientVersion` begins with: tools look at the name before the first slash. */
  readonly client: string;
  /**
   * Gives an error the node's message, code and data.
   * @param custom the custom error that a call reverted with
   * @param inferred Hardhat's sentence for a failure, where its stack trace is known
   */
  reword(error: DevnetError, call?: FailedCall, custom?: Decoded, inferred?: string): DevnetError;
  /** Whether errors of calls and transactions tell the Solidity source, as Hardhat's do. */
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

/** Of a network of the OP Stack whose node isn't named: its nodes estimate no transfer that the sender can't pay for. */
const OP_NETWORK: Shapes = { ...ANVIL, anyoneTransfers: false };

/** @param isOpNetwork whether the chain has a preset, and `--compat` names no node */
export function shapesOf(dialect: Dialect, isOpNetwork: boolean): Shapes {
  return dialect === 'anvil' && isOpNetwork ? OP_NETWORK : SHAPES[dialect];
}
