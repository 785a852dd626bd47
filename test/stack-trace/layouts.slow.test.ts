import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LAYOUTS, runScenario } from '../../scripts/stack-traces/scenario.mjs';
import { createDevnet } from '../../src/index.ts';

const FOLDER = join(import.meta.dirname, 'scenarios');
const cache = join(import.meta.dirname, '../../fixtures/stack-traces');

const scenarios = readdirSync(FOLDER).map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')));
// test/stack-trace/scenarios.test.ts has that of Hardhat 2. The names of sources are others in Hardhat 3's input, and so is what the
// compiler makes of them: scripts/stack-traces.mjs has that layout.
const layouts = LAYOUTS.filter((layout) => layout !== 'hardhat2' && layout !== 'hardhat3');

it.each(layouts.flatMap((layout) => scenarios.map((scenario) => [scenario.name, layout, scenario] as const)))(
  'the frames of each failing step of "%s" are the expected ones, with what %s leaves on disk',
  async (_name, layout, scenario) => {
    expect(await runScenario(scenario, layout, { createDevnet, cache })).toEqual([]);
  },
);
