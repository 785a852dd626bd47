import { readFileSync } from 'node:fs';
import { getOpcodesForHF } from '@ethereumjs/evm';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { coreTables } from '../../scripts/build/core-tables.mjs';
import type { Header, Receipt } from '../../src/chain/block.ts';
import type { HeaderFieldName, ReceiptFieldName } from '../../src/core/tables/fields.ts';
import { OPCODES } from '../../src/core/tables/opcodes.ts';
import { rulesOf } from '../../src/engine/wasm/rules.ts';
import { chooseCrypto } from '../../src/protocol/crypto.ts';
import { singleHardfork } from '../../src/protocol/hardfork.ts';

it('the files that the build writes are those of the tables', async () => {
  for (const [name, text] of Object.entries(await coreTables()))
    expect(readFileSync(`src/core/${name}`, 'utf8'), name).toBe(text);
});

it('the tables of fields have the members of headers and receipts', () => {
  expectTypeOf<HeaderFieldName>().toEqualTypeOf<keyof Header>();
  expectTypeOf<ReceiptFieldName>().toEqualTypeOf<Exclude<keyof Receipt, 'encodings'>>();
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
