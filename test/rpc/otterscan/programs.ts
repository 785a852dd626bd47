import type { Hex } from 'viem';
import { keccak256 } from '../../../src/state/keccak.ts';

export const DEAD = `0x${'dead'.padStart(40, '0')}`;
export const BOB = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
export const IDENTITY = `0x${'4'.padStart(40, '0')}`;

const push = (hex: string) => {
  const digits = hex.replace(/^0x/, '');
  return (0x5f + digits.length / 2).toString(16) + digits;
};
/** @param value of CALL and CALLCODE, a byte in hex */
const callOf = (opcode: string, to: string, value = '') =>
  `5f5f5f5f${value && push(value)}${push(to)}620186a0${opcode}50`;

/**
 * Creates twice, sends 7 wei to {@link DEAD}, calls the identity precompile in the caller's context, makes a creation that
 * reverts, and leaves what it has to {@link BOB}.
 */
export const BUSY = [
  '5f5f5ff050',
  '60055f5f5ff550',
  callOf('f1', DEAD, '07'),
  callOf('f4', IDENTITY),
  // The init code PUSH0 PUSH0 REVERT, from memory.
  '625f5ffd5f526003601d5ff050',
  `${push(BOB)}ff`,
].join('');

/** Reverts with `0x08c379a0`. */
export const REVERTING = `0x7f08c379a0${'00'.repeat(28)}5f5260045ffd`;

/** Init code of a contract. @param runtime hex without 0x, 255 bytes at most */
export function initOf(runtime: string): Hex {
  const length = (runtime.length / 2).toString(16).padStart(2, '0');
  return `0x60${length}600a5f3960${length}5ff3${runtime}`;
}

/** EIP-1014 */
export function create2Address(creator: string, salt: number, init: Hex): string {
  const parts = `ff${creator.slice(2)}${salt.toString(16).padStart(64, '0')}`;
  const hash = Buffer.from(keccak256(Buffer.from(init.slice(2), 'hex')));
  return `0x${Buffer.from(keccak256(Buffer.concat([Buffer.from(parts, 'hex'), hash])))
    .toString('hex')
    .slice(24)}`;
}
