import type { Address } from '@ethereumjs/util';
import { expect, it } from 'vitest';
import { CALL_RULES } from '../../../src/engine/engine.ts';
import { outcomeDifference, stateDifference } from '../../../src/engine/shadow/differences.ts';
import { DevnetError } from '../../../src/errors.ts';
import { Overlay } from '../../../src/state/overlay.ts';
import type { Pauses } from '../../../src/turns.ts';
import { callOf, ENV } from '../ethereumjs/call-of.ts';
import { allocOf, at } from '../ethereumjs/scenarios.ts';
import { engineOf, trieStateOf } from '../ethereumjs/stock.ts';

/** Where the memories of all frames lie: the bytes of EVM_MEMORY in src/core/memory/layout.ts. */
const ROOM = 16 * 2 ** 20;
const GAS = 20_000_000_000n;
const OUTER = at(0x6000);

const hex = (n: number, digits: number) => n.toString(16).padStart(digits, '0');
/** Offsets that are within no room that the outer frame leaves. */
const HIGH = `62${hex(0x03_0000, 6)}`;
const HIGHER = `62${hex(0x05_0000, 6)}`;
/** Returns the hash of the memory, and its size. */
const RESULT = '595f205f52596020526040' + '5ff3';

/** Each opcode that expands memory, with its operands. */
const EXPANDING: Readonly<Record<string, string>> = {
  MLOAD: `${HIGH}5150`,
  MSTORE: `60bb${HIGH}52`,
  MSTORE8: `60bb${HIGH}53`,
  KECCAK256: `6040${HIGH}2050`,
  CALLDATACOPY: `60405f${HIGH}37`,
  CODECOPY: `60405f${HIGH}39`,
  EXTCODECOPY: `60405f${HIGH}6160003c`,
  // What the identity precompile returned
  RETURNDATACOPY: `5f5f60205f60045afa5060205f${HIGH}3e`,
  MCOPY: `60205f${HIGH}5e`,
  LOG1: `60cc6040${HIGH}a1`,
  CALL: `6020${HIGHER}6020${HIGH}5f60045af150`,
  STATICCALL: `6020${HIGH}6020${HIGHER}60045afa50`,
  CREATE: `6020${HIGH}5ff050`,
  CREATE2: `60016020${HIGH}5ff550`,
  RETURN: `6040${HIGH}f3`,
  REVERT: `6040${HIGH}fd`,
};
const NAMES = Object.keys(EXPANDING);
const contractOf = (i: number): Address => at(0x6100 + i);

/** The outer frame takes nearly all room, then calls a contract for each opcode, and returns what they returned. */
const OUTER_CODE = [
  `63${hex(ROOM - 0x1_0000, 8)}5150`,
  ...NAMES.map((_, i) => `604061${hex(i * 64, 4)}5f5f5f61${hex(0x6100 + i, 4)}5af150`),
  `61${hex(NAMES.length * 64, 4)}5ff3`,
].join('');

const bytes = (code: string) => Uint8Array.from(Buffer.from(code, 'hex'));

async function stateWithContracts() {
  const overlay = new Overlay(trieStateOf(allocOf([], true)));
  await overlay.setCode(OUTER, bytes(OUTER_CODE));
  // Each writes something first, which has to move with the memory.
  for (const [i, name] of NAMES.entries())
    await overlay.setCode(contractOf(i), bytes(`60aa5f52${EXPANDING[name]}${RESULT}`));
  return overlay;
}

it('memories that outgrow their room go on elsewhere, whichever opcode expands them, with the results of EthereumJS', async () => {
  const state = await stateWithContracts();
  const [expected, actual] = [new Overlay(state), new Overlay(state)];
  const message = callOf(OUTER, GAS);
  let held = 0;
  let most = 0;
  const background: Pauses = {
    due: false,
    pause: async () => {},
    hold: (more) => {
      held += more;
      most = Math.max(most, held);
    },
  };
  const wanted = await engineOf('osaka').engine.execute(message, ENV, expected, CALL_RULES);
  const got = await engineOf('osaka', 'fast').engine.execute(message, ENV, actual, CALL_RULES, {
    background,
  });
  expect(got).toMatchObject({ success: true });
  expect(outcomeDifference(wanted, got)).toBeUndefined();
  expect(await stateDifference(expected, actual)).toBeUndefined();
  expect(most).toBeGreaterThan(ROOM);
  expect(held).toBe(0);
});

it('a run that may not hold so much is ended before its memory moves', async () => {
  const state = await stateWithContracts();
  const most = ROOM + 2 ** 20;
  const ended = new DevnetError('tooMuchMemory', { most });
  let held = 0;
  const background: Pauses = {
    get due() {
      return held > most;
    },
    pause: () => Promise.reject(ended),
    hold: (more) => {
      held += more;
    },
  };
  const { engine } = engineOf('osaka', 'fast');
  const run = engine.execute(callOf(OUTER, GAS), ENV, new Overlay(state), CALL_RULES, { background });
  await expect(run).rejects.toBe(ended);
  expect(held).toBe(0);
});
