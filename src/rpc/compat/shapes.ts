import type { DevnetError } from '../../errors.ts';
import type { CallStyle } from '../../execution/call.ts';
import { asAnvil } from './anvil-errors.ts';
import { asHardhat, asHardhat2, type FailedCall } from './hardhat-errors.ts';

/** The node whose answers are given where nodes differ. `hardhat` is Hardhat 3, `hardhat2` is Hardhat 2. */
export type Compat = 'anvil' | 'hardhat' | 'hardhat2';
/** `geth` is the default on an imported chain; it differs from `anvil` in calls and error messages only. */
export type Dialect = Compat | 'geth';

/** All differences between the answers of the nodes, for the RPC handlers. */
export interface Shapes {
  /** The result of a method that has nothing to return. */
  readonly done: null | true;
  pick<A, H>(anvil: A, hardhat: H): A | H;
  /**
   * Gas limit of a send without one. `estimate or most`: when the estimate fails, the highest possible gas limit, so
   * that the transaction is mined and fails there.
   */
  readonly sendGas: 'estimate' | 'estimate or most' | 'most';
  /** Whether a send fails if its transaction was mined and failed, or has neither `to` nor data. */
  readonly sendsThrow: boolean;
  readonly calls: CallStyle;
  readonly structLogs: 'geth' | 'hardhat' | 'hardhat2';
  /** What `web3_clientVersion` begins with: tools look at the name before the first slash. */
  readonly client: string;
  /** Gives an error the node's message, code and data. */
  reword(error: DevnetError, call?: FailedCall): DevnetError;
}

const ANVIL: Shapes = {
  done: null,
  pick: (anvil) => anvil,
  sendGas: 'estimate or most',
  sendsThrow: false,
  calls: 'anvil',
  structLogs: 'geth',
  client: 'anvil/v1.7.1',
  reword: asAnvil,
};

const HARDHAT: Shapes = {
  done: true,
  pick: (_, hardhat) => hardhat,
  sendGas: 'estimate',
  sendsThrow: true,
  calls: 'hardhat',
  structLogs: 'hardhat',
  client: 'HardhatNetwork/3.18.0',
  reword: asHardhat,
};

export const SHAPES: Readonly<Record<Dialect, Shapes>> = {
  geth: { ...ANVIL, calls: 'geth', reword: (error) => error },
  anvil: ANVIL,
  hardhat: HARDHAT,
  hardhat2: {
    ...HARDHAT,
    sendGas: 'most',
    structLogs: 'hardhat2',
    client: 'HardhatNetwork/2.28.6',
    reword: asHardhat2,
  },
};
