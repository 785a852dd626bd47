import type { NamedContract } from '../sources/contracts.ts';
import type { CallNode, FunctionProfile, Profile } from './profile.ts';
import type { SourceCounts } from './source-counts.ts';

/** Gas of one function, or of the creations of one contract. */
export interface FunctionGas {
  readonly function: string;
  readonly calls: number;
  readonly failed: number;
  readonly min: number;
  readonly average: number;
  readonly median: number;
  readonly max: number;
}

/** Returns the contract of a code that no build info has, from the project's artifacts. */
export type ContractOf = (
  code: Uint8Array,
  options: { readonly isCreation: boolean },
) => Promise<NamedContract | undefined>;

/** @param gas number of calls by gas used; not empty */
export function figuresOf(gas: ReadonlyMap<number, number>): Omit<FunctionGas, 'function' | 'failed'> {
  const sorted = [...gas].sort(([a], [b]) => a - b);
  const calls = sorted.reduce((sum, [, count]) => sum + count, 0);
  const total = sorted.reduce((sum, [each, count]) => sum + each * count, 0);
  const at = (index: number): number => {
    let before = 0;
    for (const [each, count] of sorted) {
      before += count;
      if (index < before) return each;
    }
    return sorted.at(-1)![0];
  };
  return {
    calls,
    min: sorted[0]![0],
    average: Math.round(total / calls),
    median: Math.round((at(Math.floor((calls - 1) / 2)) + at(Math.floor(calls / 2))) / 2),
    max: sorted.at(-1)![0],
  };
}

/** Names the functions, creations and transfers of a profile. */
export class FunctionNames {
  readonly #profile: Profile;
  readonly #contracts: SourceCounts['contracts'];
  /** contracts of codes that no build info has */
  readonly #others = new Map<string, NamedContract>();

  private constructor(profile: Profile, contracts: SourceCounts['contracts']) {
    this.#profile = profile;
    this.#contracts = contracts;
  }

  static async of(
    profile: Profile,
    { contracts }: Pick<SourceCounts, 'contracts'>,
    contractOf: ContractOf,
  ): Promise<FunctionNames> {
    const names = new FunctionNames(profile, contracts);
    for (const [key, { code, isCreation }] of profile.codes) {
      if (contracts.has(key)) continue;
      const contract = await contractOf(code, { isCreation });
      if (contract) names.#others.set(key, contract);
    }
    return names;
  }

  /** The name: `Token.transfer`, `deployment of Token`, `transfer of ETH`. */
  of({ code, isCreation, selector, hasInput }: Omit<CallNode, 'count' | 'gas' | 'calls'>): string {
    const contract = this.contractOf(code);
    if (isCreation) return `deployment of ${contract ?? 'a contract without an artifact'}`;
    if (code === undefined) return 'transfer of ETH';
    const named = contract ?? `code 0x${code.slice(0, 8)}`;
    if (selector === undefined) return hasInput ? `${named} (no function)` : `${named} (no call data)`;
    return `${named}.${this.#functionOf(code, selector)}`;
  }

  contractOf(code: string | undefined): string | undefined {
    if (code === undefined) return undefined;
    return this.#contracts.get(code)?.built.name ?? this.#others.get(code)?.name;
  }

  /** The file and line where a function is defined; `undefined` if they aren't known. */
  placeOf({ code, selector }: Pick<FunctionProfile, 'code' | 'selector'>) {
    const found = code === undefined ? undefined : this.#contracts.get(code);
    const contract = found?.compilation.contract(found.built);
    const range =
      (selector === undefined ? undefined : contract?.called(Buffer.from(selector, 'hex'))) ??
      contract?.source;
    return range && { file: range.file.name, line: range.file.lineAt(range.start) };
  }

  #functionOf(code: string, selector: string): string {
    const found = this.#contracts.get(code);
    if (!found) return this.#others.get(code)?.functions.get(selector) ?? `0x${selector}`;
    const signature = Object.entries(found.built.selectors).find(([, each]) => each === selector)?.[0];
    const known =
      signature?.split('(')[0] ??
      found.compilation.contract(found.built).called(Buffer.from(selector, 'hex'))?.name;
    return known ?? `0x${selector}`;
  }

  /** @param isOutermost true for functions that transactions call, false for functions that contracts call */
  functions(isOutermost: boolean): FunctionGas[] {
    const sums = new Map<string, { failed: number; gas: Map<number, number> }>();
    for (const each of this.#profile.functions.values()) {
      if (each.isOutermost !== isOutermost || each.gas.size === 0) continue;
      const name = this.of(each);
      const sum = sums.get(name) ?? { failed: 0, gas: new Map() };
      sums.set(name, sum);
      sum.failed += each.failed;
      for (const [gas, count] of each.gas) sum.gas.set(gas, (sum.gas.get(gas) ?? 0) + count);
    }
    return [...sums]
      .map(([name, { failed, gas }]) => ({ function: name, failed, ...figuresOf(gas) }))
      .sort((a, b) => b.calls * b.average - a.calls * a.average);
  }
}
