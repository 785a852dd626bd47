import { type Address, bytesToHex } from '@ethereumjs/util';
import type { Receipt, Transaction } from '../chain/block.ts';
import type { CallRequest } from '../execution/call-request.ts';
import { Explainer } from '../log/explainer.ts';
import type { FailedRun } from '../protocol/types.ts';
import type { KnownContracts } from '../sources/contracts.ts';
import { keccak256 } from '../state/keccak.ts';
import type { Divergence, ExecutedOpcode } from './divergence.ts';
import type { Compared, NamedDivergence, NamedOpcode } from './tally.ts';

/** The contract and function that a transaction or call calls. */
export type Called = Pick<Compared, 'contract' | 'function'>;

/** Names contracts and functions by the project's artifacts, and others by address or selector. */
export class Naming {
  readonly #known: KnownContracts;
  readonly #explainer: Explainer;

  constructor(known: KnownContracts) {
    this.#known = known;
    this.#explainer = new Explainer(known, {
      again: async () => undefined,
      whereFailed: async () => undefined,
    });
  }

  async transaction(transaction: Transaction, receipt: Pick<Receipt, 'contractAddress'>): Promise<Called> {
    const { to } = transaction.tx;
    const explained = await this.#explainer.call(transaction, receipt);
    return to
      ? this.#called(to as Address, explained)
      : { contract: explained.contract ?? null, function: 'deployment' };
  }

  async call({ to, data = new Uint8Array() }: CallRequest): Promise<Called> {
    if (!to) return { contract: null, function: 'deployment' };
    const explained = await this.#explainer.request([{ to: to.toString(), data: bytesToHex(data) }]);
    return this.#called(to, explained ?? {});
  }

  async #called(
    to: Address,
    { contract, function: name }: { contract?: string | undefined; function?: string | undefined },
  ): Promise<Called> {
    if (contract !== undefined) return { contract, function: name ?? 'no function' };
    const { code } = await this.#known.codeOf(to);
    if (code.length === 0) return { contract: null, function: 'transfer of ETH' };
    return { contract: to.toString(), function: name ?? 'no function' };
  }

  async divergence({ endsNow, endsThen, because, given, ...executed }: Divergence): Promise<NamedDivergence> {
    return {
      ...(await this.#named(executed)),
      ...(endsNow !== undefined && { endsNow }),
      ...(endsThen !== undefined && { endsThen }),
      ...(because && { because: await this.#named(because) }),
      ...(given && { given: { ...(await this.#named(given)), gas: Number(given.gas) } }),
    };
  }

  async #named({ code, isCreation, pcs, address, pc, opcode, depth }: ExecutedOpcode): Promise<NamedOpcode> {
    // If the worker thread ended, for example for lack of memory, the comparison goes on without the source.
    const found = await this.#known.sourceOf({ code, isCreation, pcs }).catch(() => undefined);
    const named = await this.#known.contracts.nameOf(code, bytesToHex(keccak256(code)));
    const contract = named ?? found?.contract;
    return {
      ...(contract !== undefined && { contract }),
      ...{ address, pc, opcode, depth },
      ...(found && { file: found.file, line: found.line, column: found.column, source: found.source }),
    };
  }

  /** The reason why a run failed, in words. */
  async failure({ failure, returnData }: FailedRun): Promise<string> {
    return failure.revert ? this.#explainer.revert(bytesToHex(returnData)) : failure.reason;
  }
}
