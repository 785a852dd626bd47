import type { FunctionNames } from './gas-functions.ts';
import type { CallNode, Profile } from './profile.ts';

/** The gas of the tree of calls as a profile for speedscope (https://www.speedscope.app), in gas before refunds. */
export function speedscopeOf({ root, totals }: Profile, names: FunctionNames): string {
  const frames: { name: string; file?: string; line?: number }[] = [];
  const indices = new Map<string, number>();
  const frameOf = (name: string, place?: { readonly file: string; readonly line: number }): number => {
    const known = indices.get(name);
    if (known !== undefined) return known;
    indices.set(name, frames.length);
    return frames.push({ name, ...place }) - 1;
  };
  const samples: number[][] = [];
  const weights: number[] = [];
  const add = (stack: number[], gas: number) => {
    if (gas <= 0) return;
    samples.push(stack);
    weights.push(gas);
  };
  for (const node of root.calls.values()) {
    let returned = returnedIn(node);
    const visit = (each: CallNode, above: readonly number[]) => {
      const stack = [...above, frameOf(names.of(each), names.placeOf(each))];
      const less = Math.min(returned, Math.max(0, each.gas));
      returned -= less;
      add(stack, each.gas - less);
      for (const called of each.calls.values()) visit(called, stack);
    };
    visit(node, []);
  }
  add([frameOf('(outside of code)')], totals.intrinsic + totals.outside);
  return `${JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    exporter: 'devnet',
    name: 'gas',
    shared: { frames },
    profiles: [
      {
        type: 'sampled',
        name: `gas of ${totals.transactions} transactions`,
        unit: 'none',
        startValue: 0,
        endValue: weights.reduce((sum, each) => sum + each, 0),
        samples,
        weights,
      },
    ],
  })}\n`;
}

/**
 * The gas of nodes with less than none. A function that clears what another one stored in the same transaction gets that one's state gas
 * (EIP-8037), and a weight can't be negative: so the gas is subtracted from other nodes, the callers first.
 */
function returnedIn({ gas, calls }: CallNode): number {
  let sum = Math.max(0, -gas);
  for (const each of calls.values()) sum += returnedIn(each);
  return sum;
}
