// What the calls of calls.mjs are made of.
import { Interface } from 'ethers';
import { compile } from './compile.mjs';

export const [ALICE, BOB, CAROL] = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
];
export const DEAD = '0x000000000000000000000000000000000000dead';
export const NOWHERE = `0x${'ab'.repeat(32)}`;
export const SLOT = `0x${'00'.repeat(32)}`;
export const ABOVE = '0x999';
export const TRANSFER = { from: ALICE, to: BOB, value: '0x1' };
export const FEES = { maxFeePerGas: '0xb2d05e00', maxPriorityFeePerGas: '0x1' };

const { abi, bytecode } = compile('Counter.sol').Counter;
const counter = new Interface(abi);
export const number = counter.encodeFunctionData('number');
export const increment = counter.encodeFunctionData('increment');
/** Only the owner, who is Alice, may. */
export const set = counter.encodeFunctionData('set', [1n]);
export const creation = bytecode + counter.encodeDeploy([1n]).slice(2);

export const typed = {
  domain: { name: 'x' },
  types: { EIP712Domain: [{ name: 'name', type: 'string' }], M: [{ name: 'a', type: 'uint256' }] },
  primaryType: 'M',
  message: { a: '1' },
};
