import type { DevnetError } from '../../errors.ts';
import type { CallStyle } from '../../execution/call.ts';
import { asAnvil } from './anvil-errors.ts';
import { asHardhat, asHardhat2, type FailedCall } from './hardhat-errors.ts';

/** Whose answers the node gives where they differ: `hardhat` is Hardhat 3, `hardhat2` is Hardhat 2. */
export type Compat = 'anvil' | 'hardhat' | 'hardhat2';
/** On a chain from outside geth's answers hold where nothing else is asked for; its shapes are anvil's. */
export type Dialect = Compat | 'geth';

/** The one place where handlers meet the differences between nodes. */
export interface Shapes {
  /** Done, with nothing to say: null, or true. */
  readonly done: null | true;
  pick<A, H>(anvil: A, hardhat: H): A | H;
  /** The gas of a send that names none: `or most` where the estimate fails, so that it is mined and fails there. */
  readonly sendGas: 'estimate' | 'estimate or most' | 'most';
  /** A send that was mined and failed is answered with its error, not with its hash; so is one without `to` and data. */
  readonly sendsThrow: boolean;
  readonly calls: CallStyle;
  readonly structLogs: 'geth' | 'hardhat2';
  /** Puts an error in the node's words. */
  reword(error: DevnetError, call?: FailedCall): DevnetError;
}

const ANVIL: Shapes = {
  done: null,
  pick: (anvil) => anvil,
  sendGas: 'estimate or most',
  sendsThrow: false,
  calls: 'anvil',
  structLogs: 'geth',
  reword: asAnvil,
};

const HARDHAT: Shapes = {
  done: true,
  pick: (_, hardhat) => hardhat,
  sendGas: 'estimate',
  sendsThrow: true,
  calls: 'hardhat',
  structLogs: 'geth',
  reword: asHardhat,
};

export const SHAPES: Readonly<Record<Dialect, Shapes>> = {
  geth: { ...ANVIL, calls: 'geth', reword: (error) => error },
  anvil: ANVIL,
  hardhat: HARDHAT,
  hardhat2: { ...HARDHAT, sendGas: 'most', structLogs: 'hardhat2', reword: asHardhat2 },
};
