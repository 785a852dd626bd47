import { readFileSync } from 'node:fs';
import { getOpcodesForHF } from '@ethereumjs/evm';
import { describe, expect, it } from 'vitest';
import { coreTables } from '../../scripts/build/core-tables.mjs';
import { OPCODES } from '../../src/core/tables/opcodes.ts';
import { rulesOf } from '../../src/engine/wasm/rules.ts';
import { chooseCrypto } from '../../src/protocol/crypto.ts';
import { singleHardfork } from '../../src/protocol/hardfork.ts';

it('the names of opcodes and the places of rules are those of the tables', async () => {
  for (const [name, text] of Object.entries(await coreTables()))
    expect(readFileSync(`src/core/tables/${name}`, 'utf8'), name).toBe(text);
});

it('each opcode stands once in the table, in order', () => {
  const codes = OPCODES.map(({ code }) => code);
  expect(codes).toEqual([...new Set(codes)].sort((a, b) => a - b));
});

describe.each(['cancun', 'prague', 'osaka'] as const)('in %s', async (name) => {
  const hardfork = singleHardfork(1n, name, await chooseCrypto()).at(0n, 0n);
  const { opcodes } = getOpcodesForHF(hardfork.common);
  const rows = rulesOf(hardfork).opcodes;

  it('the valid opcodes are those of EthereumJS', () => {
    const valid = Array.from({ length: 256 }, (_, code) => code).filter(
      (code) => !((rows[code * 4 + 3]! & 4) !== 0),
    );
    // EthereumJS lists 0xfe, which halts as each one that isn't there does.
    expect(valid).toEqual([...opcodes.keys()].filter((code) => opcodes.get(code)!.name !== 'INVALID'));
  });

  it('those whose gas is always the same cost what they cost in EthereumJS', () => {
    for (const { code, hasDynamicGas } of OPCODES) {
      const theirs = opcodes.get(code);
      if (!hasDynamicGas && theirs && !theirs.dynamicGas)
        expect(rows[code * 4], theirs.name).toBe(theirs.fee);
    }
  });
});
