import { type CallNode, type FunctionProfile, type GasTotals, Profile } from './profile.ts';

/** A profile in JSON, as one process passes it to another. */
interface ProfileJson {
  readonly totals: GasTotals;
  readonly calls: number;
  readonly missed: number;
  readonly missedReason: string | undefined;
  readonly codes: readonly {
    readonly key: string;
    /** base64 */
    readonly code: string;
    readonly isCreation: boolean;
    /** byte offset in the code, runs, gas */
    readonly counters: readonly (readonly [number, number, number])[];
  }[];
  readonly functions: readonly (Omit<FunctionProfile, 'gas'> & {
    readonly gas: readonly (readonly [number, number])[];
  })[];
  readonly root: NodeJson;
}

interface NodeJson extends Omit<CallNode, 'calls'> {
  readonly calls: readonly NodeJson[];
}

export function profileJson({
  totals,
  calls,
  missed,
  missedReason,
  codes,
  functions,
  root,
}: Profile): string {
  const json: ProfileJson = {
    totals,
    calls,
    missed,
    missedReason,
    codes: [...codes].map(([key, { code, isCreation, runs, gas }]) => ({
      key,
      code: Buffer.from(code).toString('base64'),
      isCreation,
      counters: [...runs.keys()].filter((pc) => runs[pc] !== 0).map((pc) => [pc, runs[pc]!, gas[pc]!]),
    })),
    functions: [...functions.values()].map((each) => ({ ...each, gas: [...each.gas] })),
    root: nodeJson(root),
  };
  return JSON.stringify(json);
}

function nodeJson({ calls, ...node }: CallNode): NodeJson {
  return { ...node, calls: [...calls.values()].map(nodeJson) };
}

/** @param text the result of {@link profileJson} */
export function readProfile(text: string): Profile {
  const { totals, calls, missed, missedReason, codes, functions, root } = JSON.parse(text) as ProfileJson;
  const profile = new Profile();
  Object.assign(profile.totals, totals);
  profile.calls = calls;
  profile.miss(missed, missedReason);
  for (const { key, code, isCreation, counters } of codes) {
    const bytes = Buffer.from(code, 'base64');
    const runs = new Float64Array(bytes.length + 1);
    const gas = new Float64Array(bytes.length + 1);
    for (const [pc, ran, used] of counters) {
      runs[pc] = ran;
      gas[pc] = used;
    }
    profile.codes.set(key, { code: bytes, isCreation, runs, gas });
  }
  for (const [i, each] of functions.entries())
    profile.functions.set(String(i), { ...each, gas: new Map(each.gas) });
  const read = (node: NodeJson): CallNode => ({
    ...node,
    calls: new Map(node.calls.map((each, i) => [String(i), read(each)])),
  });
  profile.root.calls.clear();
  for (const [key, node] of read(root).calls) profile.root.calls.set(key, node);
  return profile;
}
