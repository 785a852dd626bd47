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
  const visit = (node: CallNode, above: readonly number[]) => {
    const stack = [...above, frameOf(names.of(node), names.placeOf(node))];
    if (node.gas > 0) {
      samples.push(stack);
      weights.push(node.gas);
    }
    for (const each of node.calls.values()) visit(each, stack);
  };
  for (const node of root.calls.values()) visit(node, []);
  const outside = totals.intrinsic + totals.outside;
  if (outside > 0) {
    samples.push([frameOf('(outside of code)')]);
    weights.push(outside);
  }
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
