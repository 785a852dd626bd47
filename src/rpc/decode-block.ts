import { RLP } from '@ethereumjs/rlp';
import type { Block } from '../chain/block.ts';
import { hashHeader, headerFromFields } from '../chain/header.ts';
import { DevnetError } from '../errors.ts';
import type { TransactionDecoder } from '../mempool/decode.ts';

/**
 * A block out of its RLP, for execution: it has no receipts, and withdrawals are left out.
 * @throws DevnetError -32602 when the bytes are no block
 */
export function decodeBlock(rlp: Uint8Array, decoder: TransactionDecoder): Block {
  try {
    const [header, transactions, uncles] = RLP.decode(rlp) as Parameters<typeof headerFromFields>[0][];
    const decoded = headerFromFields(header!);
    return {
      header: decoded,
      hash: hashHeader(decoded),
      transactions: list(transactions).map((raw) =>
        decoder.decode(raw instanceof Uint8Array ? raw : RLP.encode(raw)),
      ),
      receipts: [],
      uncles: list(uncles).map(headerFromFields),
      size: rlp.length,
    };
  } catch (error) {
    if (error instanceof DevnetError) throw error;
    throw new DevnetError('invalidParams', { reason: `not a block in RLP: ${(error as Error).message}` });
  }
}

function list<T>(value: Uint8Array | T[] | undefined): T[] {
  if (!Array.isArray(value)) throw new Error('a list is missing');
  return value;
}
