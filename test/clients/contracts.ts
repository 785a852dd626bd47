import type { Abi, Hex } from 'viem';
import counter from '../../fixtures/contracts/Counter.json' with { type: 'json' };
import token from '../../fixtures/contracts/Token.json' with { type: 'json' };

interface Contract {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

// A JSON import knows its strings as `string` only.
export const Counter = counter as unknown as Contract;
export const Token = token as unknown as Contract;

/** Arguments of Token's constructor: name, symbol, supply. */
export const TOKEN_ARGS = ['Test Token', 'TST', 1_000_000n] as const;
