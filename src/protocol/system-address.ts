import { Address, hexToBytes } from '@ethereumjs/util';

/** The account in whose name the protocol makes calls and logs (EIP-4788). */
export const SYSTEM_ADDRESS = new Address(hexToBytes('0xfffffffffffffffffffffffffffffffffffffffe'));
