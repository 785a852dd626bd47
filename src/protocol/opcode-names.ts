import { OPCODES } from '../core/tables/opcodes.ts';

/** By opcode: the name in the yellow paper or in the EIP that introduced it; `INVALID` if there is none. */
export const OPCODE_NAMES: readonly string[] = Array.from(
  { length: 256 },
  (_, opcode) => OPCODES.find(({ code }) => code === opcode)?.name ?? 'INVALID',
);
