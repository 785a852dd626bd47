import type { Transaction } from '../../chain/block.ts';
import { OpcodeGasRecorder } from '../../engine/tracers/opcode-gas.ts';
import type { Trace } from '../../execution/trace.ts';
import { type Hex, hex } from '../codec/hex.ts';

/** The count and gas of each opcode in a transaction, in the format of reth's `TransactionOpcodeGas`. */
export interface RpcOpcodeGas {
  transactionHash: Hex;
  opcodeGas: { opcode: string; count: number; gasUsed: number }[];
}

/** Creates a trace of a transaction's opcodes. */
export function opcodeGas({ hash }: Pick<Transaction, 'hash'>): Trace<RpcOpcodeGas> {
  const tracer = new OpcodeGasRecorder();
  return {
    tracer,
    result: () => ({
      transactionHash: hex(hash),
      opcodeGas: tracer.opcodes.map(({ opcode, count, gasUsed }) => ({
        ...{ opcode, count, gasUsed: Number(gasUsed) },
      })),
    }),
  };
}
