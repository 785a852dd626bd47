import type { Address } from '@ethereumjs/util';
import type { Included, ReceiptEncodings } from '../engine/workspace.ts';
import type { Log } from '../protocol/types.ts';
import type { Receipt } from './block.ts';
import { decodeReceipt } from './store/block-codec.ts';

const NO_LOGS: readonly never[] = [];

/** A receipt that an engine has encoded. Decoded lazily, when a field is read that isn't known without decoding. */
export class EncodedReceipt implements Receipt {
  readonly type: number;
  /** absent before EIP-658 */
  readonly status: boolean | undefined;
  readonly gasUsed: bigint;
  readonly cumulativeGasUsed: bigint;
  readonly logsBloom: Uint8Array;
  readonly encodings: ReceiptEncodings;
  #decoded: Receipt | undefined;

  /**
   * @param type the transaction's type
   * @param cumulativeGasUsed gas used by the block up to and including the transaction
   */
  constructor(type: number, cumulativeGasUsed: bigint, included: Included) {
    this.type = type;
    this.status = included.hasStatus ? included.succeeded : undefined;
    this.gasUsed = included.gasUsed;
    this.cumulativeGasUsed = cumulativeGasUsed;
    this.logsBloom = included.logsBloom;
    this.encodings = included.encodings;
  }

  get logs(): readonly Log[] {
    return this.encodings.logCount === 0 ? NO_LOGS : this.#fields.logs;
  }

  get stateRoot(): Uint8Array | undefined {
    return this.status === undefined ? this.#fields.stateRoot : undefined;
  }

  get contractAddress(): Address | undefined {
    return this.#fields.contractAddress;
  }

  get effectiveGasPrice(): bigint {
    return this.#fields.effectiveGasPrice;
  }

  get blobGasUsed(): bigint | undefined {
    return this.#fields.blobGasUsed;
  }

  get blobGasPrice(): bigint | undefined {
    return this.#fields.blobGasPrice;
  }

  get #fields(): Receipt {
    this.#decoded ??= decodeReceipt(this.encodings.stored);
    return this.#decoded;
  }
}
