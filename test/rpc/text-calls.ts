import { type Abi, encodeDeployData, encodeFunctionData, type Hex } from 'viem';
import kitchen from '../../fixtures/contracts/Kitchen.json' with { type: 'json' };
import type { Random } from '../random.ts';
import type { Call, Wire } from '../wire.ts';

const ABI = kitchen.abi as Abi;

/** The contract that console.sol calls: `console.log` in ASCII. */
export const CONSOLE = '0x000000000000000000636f6e736f6c652e6c6f67';
/** The precompile that hashes with SHA-256. */
export const SHA256 = '0x0000000000000000000000000000000000000002';
/** An account without code. */
export const NOBODY = `0x${'4e'.repeat(20)}`;
/** A contract that reverts with 32 bytes, once {@link deployContracts} has made it. */
export const REVERTING = `0x${'5e'.repeat(20)}`;

/** Data of a call of the contract in fixtures/contracts/Kitchen.sol. */
export const encode = (functionName: string, ...args: unknown[]): Hex =>
  encodeFunctionData({ abi: ABI, functionName, args });

/** @returns the address of the contract that {@link encode} is for */
export async function deployContracts(rpc: Call, from: Hex): Promise<Hex> {
  const data = encodeDeployData({ abi: ABI, bytecode: kitchen.bytecode as Hex, args: [] });
  const hash = await rpc('eth_sendTransaction', { from, data });
  // PUSH1 9, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, REVERT
  await rpc('anvil_setCode', REVERTING, '0x600960005260206000fd');
  return (await rpc('eth_getTransactionReceipt', hash)).contractAddress;
}

/** What a request is answered: its result, or what is told of the error. */
export function outcomeOf(answer: Promise<Wire>): Promise<unknown> {
  return answer.then(
    (result) => ({ result }),
    ({ code, message, data }) => ({ code, message, data }),
  );
}

/** Changes, inserts or deletes a character of a text, as often as `share` says. */
export function spoil(text: string, share: number, random: Random): string {
  if (!random.chance(share)) return text;
  const at = random.below(text.length + 1);
  const put = random.pick(['', '0', 'F', 'x', ' ', 'é', '\0', '"']);
  return text.slice(0, at) + put + text.slice(at + random.below(3));
}
