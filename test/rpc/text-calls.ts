import { type Abi, encodeDeployData, encodeFunctionData, type Hex } from 'viem';
import kitchen from '../../fixtures/contracts/Kitchen.json' with { type: 'json' };
import type { Random } from '../random.ts';
import type { Call, Wire } from '../wire.ts';

const ABI = kitchen.abi as Abi;

/** Data of a call of the contract in fixtures/contracts/Kitchen.sol. */
export const encode = (functionName: string, ...args: unknown[]): Hex =>
  encodeFunctionData({ abi: ABI, functionName, args });

/** @returns its address */
export async function deployKitchen(rpc: Call, from: Hex): Promise<Hex> {
  const data = encodeDeployData({ abi: ABI, bytecode: kitchen.bytecode as Hex, args: [] });
  const hash = await rpc('eth_sendTransaction', { from, data });
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
