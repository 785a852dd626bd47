// Generates the files in src/core that derive from its tables: the names of opcodes, the memory addresses of the rules, and the code that
// encodes and formats (core-fields.mjs).
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { transform } from 'esbuild';
import { coreFields } from './core-fields.mjs';

const FOLDER = resolve(import.meta.dirname, '../../src/core');
const MADE = '// Written by scripts/build/core-tables.mjs.';

/** @returns {Promise<Record<string, string>>} file name in src/core -> text */
export async function coreTables() {
  const { OPCODES } = await load('tables/opcodes.ts');
  const { NUMBERS, SWITCHES } = await load('tables/rules.ts');
  const names = OPCODES.map(({ code, name }) => `  ${name} = 0x${code.toString(16).padStart(2, '0')},`);
  const rules = [
    ...Object.keys(NUMBERS).map((name) => `${name}_RULE`),
    ...SWITCHES.map((eip) => `EIP_${eip}`),
  ];
  const places = rules.map(
    (name, i) => `export const ${name}: usize = RULE_NUMBERS${i ? ` + ${8 * i}` : ''};`,
  );
  return {
    'tables/op.ts': `${MADE} The opcodes by their names: see opcodes.ts.\nexport enum Op {\n${names.join('\n')}\n}\n`,
    'tables/rule.ts': `${MADE} Where the numbers and switches of rules.ts stand: 8 bytes each.\nimport { RULE_NUMBERS } from '../memory/layout.ts';\n\n${places.join('\n')}\n`,
    ...coreFields(await load('tables/fields.ts')),
  };
}

/** Writes the files whose text has changed. */
export async function writeCoreTables() {
  for (const [name, text] of Object.entries(await coreTables())) {
    const file = join(FOLDER, name);
    let before;
    try {
      before = readFileSync(file, 'utf8');
    } catch {}
    if (text !== before) writeFileSync(file, text);
  }
}

/** Imports the module of a table, which itself imports only types. */
async function load(name) {
  const { code } = await transform(readFileSync(join(FOLDER, name), 'utf8'), { loader: 'ts', format: 'esm' });
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}
