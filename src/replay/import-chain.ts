import { stat } from 'node:fs/promises';
import { BadBlock, type BlockFault } from '../chain/block-fault.ts';
import type { ChainReader } from '../chain/refs.ts';
import { rlpItems } from './rlp-stream.ts';

/** A block of a chain file is invalid. The blocks before it have been imported. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  readonly number: bigint;
  /** the header field, or the position in the body, such as `transactions[3]` */
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
  /** number of the last imported block */
  readonly number: bigint;
  /** number of processed blocks in the file, including those that the chain already had */
  readonly imported: number;
  /** number of bytes of the file that have been imported */
  readonly bytes: number;
  /** size of the file, bytes */
  readonly total: number;
}

/** The node into which a chain is imported. */
export interface ImportTarget {
  readonly chain: Pick<ChainReader, 'genesis'>;
  /** @returns the block's number. @throws BadBlock */
  adopt(encoded: Uint8Array): Promise<bigint>;
  /** @param number number of the last block */
  finishImport(number: bigint): Promise<void>;
}

/**
 * Imports the blocks of a file (concatenated RLP, as clients export them) and marks the last one as finalized. Blocks that the chain
 * already has are skipped, so an interrupted import can be continued.
 * @throws ImportError at the first invalid block; Error when the file can't be read
 */
export async function importChain(
  path: string,
  target: ImportTarget,
  onProgress?: (progress: ImportProgress) => void,
): Promise<void> {
  const { size: total } = await stat(path);
  let number = target.chain.genesis;
  let bytes = 0;
  let imported = 0;
  for await (const encoded of rlpItems(path)) {
    try {
      number = await target.adopt(encoded);
    } catch (error) {
      if (error instanceof BadBlock) throw new ImportError(error.number ?? number + 1n, error.fault);
      throw error;
    }
    bytes += encoded.length;
    onProgress?.({ number, imported: ++imported, bytes, total });
  }
  await target.finishImport(number);
}
