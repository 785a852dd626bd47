#!/usr/bin/env node
// Runs scenarios of failing Solidity on a node in this process, and compares the stack traces that `devnet_stackTrace` returns with the
// expected ones. A scenario is a JSON file with contracts, steps and the frames of each failing step.
//   node scripts/stack-traces.mjs DIR --solc FOLDER [--layout hardhat2,hardhat3,foundry,foundry-bare,rpc] [--only TEXT] [--cache FOLDER]
//     [--engine NAME] [--module FILE] [--verbose]
// FOLDER of --solc contains `solc-VERSION/package/soljson.js`, as `npm pack solc@VERSION` unpacks it.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { LAYOUTS, runScenario } from './stack-traces/scenario.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    solc: { type: 'string', default: '' },
    layout: { type: 'string', default: LAYOUTS.join() },
    only: { type: 'string', default: '' },
    cache: { type: 'string' },
    engine: { type: 'string' },
    module: { type: 'string', default: join(import.meta.dirname, '../dist/index.js') },
    verbose: { type: 'boolean', default: false },
  },
});
const { createDevnet } = await import(pathToFileURL(resolve(values.module)).href);

const show = (frames) =>
  frames
    .map(
      (frame) =>
        `      ${frame.kind} ${frame.contract ?? ''}.${frame.function ?? ''} ${frame.file ?? ''}:${frame.line ?? ''}${
          frame.message === undefined ? '' : ` ${JSON.stringify(frame.message)}`
        }${frame.value === undefined ? '' : ` value ${frame.value}`}${frame.errorCode ?? ''}${frame.data ?? ''}`,
    )
    .join('\n');

const [directory] = positionals;
if (!directory) throw new Error('which directory?');
let failed = 0;
const started = performance.now();
for (const layout of values.layout.split(',')) {
  let passed = 0;
  let all = 0;
  for (const file of readdirSync(directory).sort()) {
    if (!file.endsWith('.json') || !file.includes(values.only)) continue;
    const scenario = JSON.parse(readFileSync(join(directory, file), 'utf8'));
    all++;
    let failures;
    try {
      failures = await runScenario(scenario, layout, { ...values, createDevnet });
    } catch (error) {
      failures = [{ number: -1, what: error.stack }];
    }
    if (failures.length === 0) {
      passed++;
      continue;
    }
    for (const { number, what, expected, got } of failures) {
      console.log(`${layout} ${scenario.name} step ${number}: ${what}`);
      if (values.verbose) {
        if (expected) console.log(`    expected: ${expected.message}\n${show(expected.frames)}`);
        if (got) console.log(`    got:      ${got.message}\n${show(got.frames)}`);
      }
    }
  }
  failed += all - passed;
  console.log(`${layout}: ${passed} of ${all} scenarios`);
}
console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
process.exit(failed > 0 ? 1 : 0);
