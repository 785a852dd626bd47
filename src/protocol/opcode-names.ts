import { OPCODES } from '../core/tables/opcodes.ts';

/** By opcode, as in the yellow paper or the EIP that brought it; `INVALID` where there is none. */
export const OPCODE_NAMES: readonly string[] = Array.from(
  { length: 256 },
  (_, opcode) => OPCODES.find(({ code }) => code === opcode)?.name ?? 'INVALID',
);
