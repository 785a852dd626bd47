import { bytesToHex } from '@ethereumjs/util';
import type { Block, Transaction } from '../../chain/block.ts';
import { BlockBuilder } from '../../chain/block-builder.ts';
import type { BlockDraft } from '../../chain/block-draft.ts';
import type { Engine, Precompiles } from '../../engine/engine.ts';
import type { WrittenBlock } from '../../engine/simulation-writer.ts';
import type { Workspace } from '../../engine/workspace.ts';
import { startOf } from '../../engine/workspace.ts';
import { asSimulated } from '../../errors.ts';
import { depositOf } from '../../mempool/sign.ts';
import { encodeTransaction } from '../../protocol/encode-transaction.ts';
import type { SignedTransaction } from '../../protocol/signed-transaction.ts';
import type { CountedGas, Executed, Message, Rules } from '../../protocol/types.ts';
import { keccak256 } from '../../state/keccak.ts';
import { type Awaitable, andThen, type StateView, type StateWrites } from '../../state/view.ts';

/** A simulated block and its calls' results. Logs of ETH transfers are only in the results, not in the receipts. */
export interface SimulatedBlock {
  readonly block: Block;
  readonly calls: readonly Executed[];
}

/** Runs calls in blocks, in any engine's workspace, and returns the results as objects. Has the methods of a `SimulationWriter`. */
export class ObjectWriter {
  readonly #workspace: Workspace;
  readonly #chainId: bigint;
  readonly #rules: Rules;
  readonly #blocks: SimulatedBlock[] = [];
  #builder: BlockBuilder | undefined;
  #precompiles: Precompiles | undefined;
  #calls: Executed[] = [];

  constructor(workspace: Workspace, { schedule }: Engine, rules: Rules) {
    this.#workspace = workspace;
    this.#chainId = schedule.chainId;
    this.#rules = rules;
  }

  get state(): StateView {
    return this.#workspace.state;
  }

  get counted(): CountedGas {
    return this.#builder!.counted;
  }

  apply(writes: StateWrites): Awaitable<void> {
    return this.#workspace.apply(writes);
  }

  open(draft: BlockDraft, precompiles: Precompiles | undefined): Awaitable<void> {
    this.#precompiles = precompiles;
    this.#builder = new BlockBuilder(draft, this.#workspace);
    this.#calls = [];
    return this.#workspace.open(startOf(draft));
  }

  add(given: Message, hasNonce: boolean): Awaitable<bigint> {
    const builder = this.#builder!;
    const nonce = hasNonce ? given.nonce : builder.nonceOf(given.from);
    return andThen(nonce, (known) => {
      const message = hasNonce ? given : { ...given, nonce: known };
      const transaction = unsignedTransaction(message, this.#chainId);
      const options = { precompiles: this.#precompiles, numberLogs: true, console: true };
      return andThen(builder.addMessage(message, transaction, this.#rules, options), (outcome) => {
        if (outcome.kind === 'invalid') throw asSimulated(outcome.error);
        this.#calls.push(outcome);
        return outcome.gasUsed;
      });
    });
  }

  seal(): Awaitable<WrittenBlock> {
    return andThen(this.#builder!.seal({ strict: true }), (block) => {
      this.#blocks.push({ block, calls: this.#calls });
      const { gasUsed, blobGasUsed = 0n } = block.header;
      return { hash: block.hash, gasUsed, blobGasUsed };
    });
  }

  end(): readonly SimulatedBlock[] {
    return this.#blocks;
  }

  discard(): void {
    this.#workspace.discard();
  }
}

/**
 * Encodes a simulated call as a transaction of its type with an empty signature, so that its hash and the transactions
 * root are the same as geth's. Doesn't use EthereumJS, which rejects values that a simulation may contain (gas
 * price times gas above 2^256, a priority fee above the fee cap).
 */
function unsignedTransaction(message: Message, chainId: bigint): Transaction {
  if (message.deposit) return depositOf(message, message.deposit);
  const raw = encodeTransaction(message, chainId);
  const accessList = message.accessList.map(({ address, storageKeys }) => [address.bytes, [...storageKeys]]);
  const tx = {
    type: message.type,
    to: message.to,
    nonce: message.nonce,
    gasLimit: message.gasLimit,
    gasPrice: message.maxFeePerGas,
    maxFeePerGas: message.maxFeePerGas,
    maxPriorityFeePerGas: message.maxPriorityFeePerGas,
    maxFeePerBlobGas: message.maxFeePerBlobGas,
    value: message.value,
    data: message.data,
    accessList,
    blobVersionedHashes: message.blobVersionedHashes?.map((hash) => bytesToHex(hash)),
    authorizationList: message.authorizationList,
    chainId,
  };
  return {
    // Formatters only read these fields; nothing signs the transaction or recovers its sender.
    tx: tx as unknown as SignedTransaction,
    from: message.from,
    hash: keccak256(raw),
    raw,
    impersonated: true,
  };
}
