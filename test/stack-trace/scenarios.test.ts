import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runScenario } from '../../scripts/stack-traces/scenario.mjs';
import { createDevnet } from '../../src/index.ts';
import { bytesOf } from '../../src/sources/match.ts';
import { instructionNumbers, readSourceMap } from '../../src/sources/source-map.ts';

const FOLDER = join(import.meta.dirname, 'scenarios');
/** What solc made of the scenarios, so that the compiler isn't loaded. `node scripts/stack-traces.mjs` with `--cache` writes it. */
const cache = join(import.meta.dirname, '../../fixtures/stack-traces');

const scenarios = readdirSync(FOLDER).map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')));
it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
  'the frames of each failing step of "%s" are the expected ones, with what hardhat2 leaves on disk',
  async (_name, scenario) => {
    expect(await runScenario(scenario, 'hardhat2', { createDevnet, cache })).toEqual([]);
  },
);

it('the engine ethereumjs tells the same', async () => {
  const shop = scenarios.find(({ name }) => name === 'shop');
  expect(await runScenario(shop, 'hardhat2', { createDevnet, cache, engine: 'ethereumjs' })).toEqual([]);
});

/** What solc writes as ethdebug of a code: the ranges of its source map, without jumps. */
function ethdebugOf(object: string, sourceMap: string) {
  const map = readSourceMap(sourceMap);
  const instructions: object[] = [];
  for (const [offset, number] of instructionNumbers(bytesOf(object)).entries()) {
    const { start, length, file = -1 } = map[number] ?? {};
    if (number < 0) continue;
    const code = { source: { id: file }, range: { offset: start, length } };
    instructions.push({ offset, operation: {}, ...(file >= 0 && { context: { code } }) });
  }
  return { instructions };
}

it('where solc wrote ethdebug and no source maps, frames and arguments are the same', async () => {
  const fixture = '807a97336cdc75ad9fa6466e8aef2545.json';
  const output = JSON.parse(readFileSync(join(cache, fixture), 'utf8'));
  for (const contracts of Object.values<Record<string, { evm: object }>>(output.contracts))
    for (const { evm } of Object.values(contracts))
      for (const code of Object.values<{ object?: string; sourceMap?: string; ethdebug?: object }>(
        evm as never,
      )) {
        if (!code?.object) continue;
        code.ethdebug = ethdebugOf(code.object, code.sourceMap!);
        code.sourceMap = undefined as never;
      }
  const folder = mkdtempSync(join(tmpdir(), 'ethdebug-'));
  writeFileSync(join(folder, fixture), JSON.stringify(output));
  const shop = scenarios.find(({ name }) => name === 'shop');
  expect(await runScenario(shop, 'hardhat2', { createDevnet, cache: folder })).toEqual([]);
  rmSync(folder, { recursive: true });
});
