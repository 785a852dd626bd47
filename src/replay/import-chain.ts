import { stat } from 'node:fs/promises';
import { BadBlock, type BlockFault } from '../chain/block-fault.ts';
import type { ChainReader } from '../chain/refs.ts';
import { rlpItems } from './rlp-stream.ts';

/** A block of a chain file that can't follow the one before it. What came before it stays. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  readonly number: bigint;
  /** the header's field, or where in the body: `transactions[3]` */
  readonly field: string;
  readonly expected: string;
  readonly got: string;

  constructor(number: bigint, fault: BlockFault) {
    super(`block ${number}: ${fault.field}: expected ${fault.expected}, got ${fault.got}`);
    this.number = number;
    this.field = fault.field;
    this.expected = fault.expected;
    this.got = fault.got;
  }
}

export interface ImportProgress {
  /** of the last block that stands */
  readonly number: bigint;
  /** of the file */
  readonly bytes: number;
  readonly total: number;
}

/** The node that a chain goes into. */
export interface ImportTarget {
  readonly chain: Pick<ChainReader, 'genesis'>;
  /** @returns the block's number; throws BadBlock */
  adopt(encoded: Uint8Array): Promise<bigint>;
  /** @param number of the last block */
  finishImport(number: bigint): Promise<void>;
}

/**
 * Puts the blocks of a file (RLP, one after the other, as clients export them) on the chain and makes the last one
 * final. Blocks that are there already are passed over, so an import that was broken off goes on.
 * @throws ImportError at the first block that is wrong; Error when the file can't be read
 */
export async function importChain(
  path: string,
  target: ImportTarget,
  onProgress?: (progress: ImportProgress) => void,
): Promise<void> {
  const { size: total } = await stat(path);
  let number = target.chain.genesis;
  let bytes = 0;
  for await (const encoded of rlpItems(path)) {
    try {
      number = await target.adopt(encoded);
    } catch (error) {
      if (error instanceof BadBlock) throw new ImportError(error.number ?? number + 1n, error.fault);
      throw error;
    }
    bytes += encoded.length;
    onProgress?.({ number, bytes, total });
  }
  await target.finishImport(number);
}
