import type { Common, ParamsDict } from '@ethereumjs/common';
import { RLP } from '@ethereumjs/rlp';
import {
  create1559FeeMarketTxFromBytesArray,
  createAccessList2930TxFromBytesArray,
  createBlob4844TxFromBytesArray,
  createEOACode7702TxFromBytesArray,
  createLegacyTxFromBytesArray,
  paramsTx,
  type TxOptions,
  type TypedTransaction,
} from '@ethereumjs/tx';
import { type Address, ecrecover, equalsBytes, type KZG } from '@ethereumjs/util';
import type { Transaction } from '../chain/block.ts';
import { DevnetError } from '../errors.ts';
import { addressOf } from '../protocol/crypto.ts';
import {
  type ChainTransaction,
  DEPOSIT_TYPE,
  DepositTransaction,
} from '../protocol/op-stack/deposit-transaction.ts';
import { integerOf } from '../state/integers.ts';
import { keccak256 } from '../state/keccak.ts';
import type { Blobs } from './blobs.ts';
import { formRulesOf, type ReadTransaction, readSigned, signatureOf } from './read-signed.ts';
import { isNetworkForm, withoutSidecar } from './sidecar.ts';

export interface DecoderOptions {
  /**
   * Enforces EIP-7825's cap of 2^24 gas on a transaction (since Osaka). By default off as in anvil, but on in the Hardhat
   * dialects and with a genesis file.
   */
  readonly transactionGasCap: boolean;
  /** accepts deposits of the OP Stack */
  readonly optimism?: boolean;
  /** EIP parameters that differ from their standard values */
  readonly overrides?: ParamsDict;
}

/** The nested byte strings that RLP decodes to. */
type Values = Uint8Array | Values[];

/** Factory by EIP-2718 type. Each factory has its own tuple type, and checks the number and length of the values itself. */
const FACTORIES: readonly ((values: never, options: TxOptions) => TypedTransaction)[] = [
  createLegacyTxFromBytesArray,
  createAccessList2930TxFromBytesArray,
  create1559FeeMarketTxFromBytesArray,
  createBlob4844TxFromBytesArray,
  createEOACode7702TxFromBytesArray,
];

/** Decodes raw signed transactions for the mempool and the sequencer. */
export class TransactionDecoder {
  readonly #options: DecoderOptions;
  readonly #blobs: Blobs | undefined;
  /** by the block's Common and the transaction's chain id */
  readonly #shared = new WeakMap<Common, Map<bigint, Common>>();

  /** @param deps.blobs stores the blobs of decoded transactions */
  constructor(options: DecoderOptions, deps: { blobs?: Blobs } = {}) {
    this.#options = options;
    this.#blobs = deps.blobs;
  }

  /**
   * @param raw EIP-2718 bytes, or a legacy transaction's RLP. A blob transaction may come with its sidecar (network
   *   form), whose blobs are stored, or without
   * @param inBlock Common of the transaction's block, or of the next block: chain, hardfork and custom crypto. It isn't changed
   * @throws DevnetError -32602 for malformed bytes, -32003 for a transaction that breaks a rule of the chain
   */
  decode(raw: Uint8Array, inBlock: Common): Transaction {
    const common = this.#sharedCommon(inBlock, inBlock.chainId());
    const read = readSigned(raw, formRulesOf(common));
    if (read && (read.chainId === undefined || read.chainId === common.chainId())) {
      const from = senderOf(raw, read, common);
      if (from) return { tx: read.tx, from, hash: keccak256(raw), raw, impersonated: false };
    }
    const tx = this.#byLibrary(raw, inBlock, true);
    if (tx.type === DEPOSIT_TYPE) return transactionOf(tx);
    if (!tx.isSigned())
      throw new DevnetError('transactionRejected', { reason: 'the transaction is not signed' });
    const from = construct(() => addressOf(tx.getSenderPublicKey()));
    const written = tx.serialize();
    // EthereumJS accepts leading zeros in some integers. Reject them: otherwise one transaction would have several hashes.
    if (tx.type !== 3 && !equalsBytes(written, raw))
      throw malformed('RLP: not canonical (an integer with leading zeros)');
    return { tx, from, hash: keccak256(written), raw: written, impersonated: false };
  }

  /**
   * Decodes a transaction without recovering its sender, which is already known. Doesn't check the chain id, because the chain may
   * have had another one before.
   * @returns the transaction, and its encoding in a block: without the sidecar of a blob transaction
   * @throws like {@link decode}
   */
  decodeStored(raw: Uint8Array, inBlock: Common): { tx: ChainTransaction; raw: Uint8Array } {
    const read = readSigned(raw, formRulesOf(this.#sharedCommon(inBlock, inBlock.chainId())));
    if (read) return { tx: read.tx, raw };
    const tx = this.#byLibrary(raw, inBlock, false);
    return { tx, raw: tx.type === DEPOSIT_TYPE ? raw : tx.serialize() };
  }

  /** Decodes with EthereumJS, which also reports the reason for a rejection. */
  #byLibrary(raw: Uint8Array, inBlock: Common, checked: boolean): TypedTransaction | DepositTransaction {
    const first = raw[0];
    if (first === undefined) throw malformed('the transaction is empty');
    const type = first <= 0x7f ? first : 0;
    const factory = FACTORIES[type];
    if (!factory || (type === 0 && first === 0)) {
      if (type !== DEPOSIT_TYPE)
        throw new DevnetError('transactionRejected', { reason: 'transaction type not supported' });
      this.checkDeposits();
      return wellFormed(
        () => DepositTransaction.decode(raw),
        (reason) => reason,
      );
    }
    let values = decodeRlp(raw, type);
    if (type === 3 && isNetworkForm(values))
      values = withoutSidecar(values, (...blob) => this.#blobs?.keep(...blob));
    const expected = inBlock.chainId();
    const named = chainIdOf(type, values) ?? expected;
    if (checked && named !== expected)
      throw new DevnetError('transactionRejected', {
        reason: `invalid chain id for signer: have ${named} want ${expected}`,
      });
    const common = this.#sharedCommon(inBlock, named);
    return construct(() => factory(values as never, { common }));
  }

  /** @throws DevnetError when the chain doesn't accept deposits */
  checkDeposits(): void {
    if (!this.#options.optimism) throw new DevnetError('noDeposits');
  }

  /** The Common of transactions for a block. It is shared: the caller must not change it. */
  commonFor(block: Common): Common {
    return this.#sharedCommon(block, block.chainId());
  }

  /**
   * One Common for all transactions of a hardfork and chain id. Otherwise EthereumJS would copy the Common and merge its
   * parameters for each transaction, which takes half the time of decoding. It is frozen, so that sharing it is safe.
   */
  #sharedCommon(original: Common, chainId: bigint): Common {
    const shared = this.#shared.get(original) ?? new Map<bigint, Common>();
    this.#shared.set(original, shared);
    const known = shared.get(chainId);
    if (known) return known;
    const common = original.copy();
    // The copy is shallow: without these two, updateParams would write into the original's parameters.
    common.resetParams({});
    common.updateParams(paramsTx);
    common.updateParams(this.#options.overrides ?? {});
    if (!this.#options.transactionGasCap)
      common.updateParams({ 7825: { maxTransactionGasLimit: Number.MAX_SAFE_INTEGER } });
    const fixed = () => {
      throw new Error('the Common of decoded transactions is shared and does not change');
    };
    Object.assign(common, {
      customCrypto: { kzg: NO_KZG, ...common.customCrypto },
      chainId: () => chainId,
      copy: () => common,
      updateParams: () => {},
      resetParams: fixed,
      setHardfork: fixed,
      setEIPs: fixed,
    });
    shared.set(chainId, common);
    return common;
  }
}

/** Recovers the sender; `undefined` if the signature is invalid. */
function senderOf(raw: Uint8Array, read: ReadTransaction, common: Common): Address | undefined {
  const { hash, parity, r, s } = signatureOf(raw, read);
  try {
    return addressOf((common.customCrypto.ecrecover ?? ecrecover)(hash, parity, r, s));
  } catch {
    return undefined;
  }
}

/** Wraps a deposit for the mempool and for blocks. */
export function transactionOf(tx: DepositTransaction): Transaction {
  const raw = tx.serialize();
  return { tx, from: tx.from, hash: keccak256(raw), raw, impersonated: false };
}

/** EthereumJS requires a KZG implementation to construct a blob transaction, but uses it only for sidecars. */
const NO_KZG: KZG = new Proxy({} as KZG, {
  get: (_, name) => () => {
    throw new Error(`decoding transactions does not compute ${String(name)}`);
  },
});

/** EthereumJS's messages for bytes that end inside an item. */
const CUT_OFF = /out-of-bounds|larger than the data|not enough bytes|too short/;

/** @param type the transaction's type; type 0 has no type byte */
function decodeRlp(raw: Uint8Array, type: number): Values[] {
  const values = wellFormed(
    () => RLP.decode(type === 0 ? raw : raw.subarray(1)) as Values,
    (reason) =>
      CUT_OFF.test(reason)
        ? `RLP: its ${raw.length} bytes end inside an item: is the transaction cut off?`
        : `RLP: ${reason.replace(/^invalid RLP(?: encoding)?: /, '')}`,
  );
  if (!Array.isArray(values)) throw malformed('RLP: expected a list, got a string');
  return values;
}

/** Converts an error of `decode`. @param reword translates the library's message */
function wellFormed<T>(decode: () => T, reword: (reason: string) => string): T {
  try {
    return decode();
  } catch (error) {
    throw malformed(reword((error as Error).message));
  }
}

/** The chain id in a transaction's fields, read to report a wrong one; `undefined` for a legacy transaction without one. */
function chainIdOf(type: number, values: Values[]): bigint | undefined {
  const field = type === 0 ? values[6] : values[0];
  if (!(field instanceof Uint8Array)) return undefined;
  const chainId = integerOf(field);
  if (type !== 0) return chainId;
  // EIP-155: v = 35 + 2 * chain id + parity. 27 and 28 contain no chain id and are valid on every chain.
  return chainId < 35n ? undefined : (chainId - 35n) / 2n;
}

/** Runs a step of EthereumJS. Converts its errors to DevnetErrors, without the transaction dump in the message. */
export function construct<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    const reason = (error as Error).message.replace(/ \(tx type=.*$/s, '');
    const isShape = /invalid .*transaction\.? (only|expecting)|leading zero|array|length/i.test(reason);
    if (isShape) throw malformed(reason);
    const [, got, cap] =
      /gas limit (\d+) exceeds the maximum allowed by EIP-7825 \((\d+)\)/.exec(reason) ?? [];
    if (got && cap) throw new DevnetError('transactionGasCap', { cap: BigInt(cap), got: BigInt(got) });
    const type = TYPES.findIndex((eip) => reason.includes(`EIP-${eip} not enabled`));
    if (type >= 0)
      throw new DevnetError('transactionRejected', { reason: `transaction type not supported: ${type}` });
    throw new DevnetError('transactionRejected', { reason });
  }
}

/** By EIP-2718 type: the EIP that introduced it. */
const TYPES = [0, 2930, 1559, 4844, 7702];

function malformed(reason: string): DevnetError {
  return new DevnetError('invalidParams', { reason: `failed to decode transaction: ${reason}` });
}
