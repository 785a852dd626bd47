import { expect, it } from 'vitest';
import { CALL_RULES } from '../../../src/engine/engine.ts';
import { outcomeDifference, stateDifference } from '../../../src/engine/shadow/differences.ts';
import { Overlay } from '../../../src/state/overlay.ts';
import { callOf, ENV } from '../ethereumjs/call-of.ts';
import { allocOf, at } from '../ethereumjs/scenarios.ts';
import { engineOf, trieStateOf } from '../ethereumjs/stock.ts';

const SELF = at(0x6000);
/** Words that each frame has on its stack while it calls itself: 1,024 frames have 32 MB of them. */
const WORDS = 1000;
/** Each word differs from its neighbours and from that of other frames: the gas that is left, and an offset in the code. */
const PUSHES = '5a58'.repeat(WORDS / 2);
/** The frame adds its words to what its callee returned, and returns the sum. */
const CODE = `${PUSHES}60205f5f5f5f305af1505f51${'01'.repeat(WORDS)}5f5260205ff3`;

it('stacks that outgrow their room go on elsewhere, with the results of EthereumJS', async () => {
  const overlay = new Overlay(trieStateOf(allocOf([], true)));
  await overlay.setCode(SELF, Uint8Array.from(Buffer.from(CODE, 'hex')));
  const expected = new Overlay(overlay);
  const wanted = await engineOf('osaka').engine.execute(callOf(SELF, 10n ** 15n), ENV, expected, CALL_RULES);
  const { engine } = engineOf('osaka', 'fast');
  // The second run has the rooms of the first.
  for (const _ of [1, 2]) {
    const actual = new Overlay(overlay);
    const got = await engine.execute(callOf(SELF, 10n ** 15n), ENV, actual, CALL_RULES);
    expect(got).toMatchObject({ success: true });
    expect(outcomeDifference(wanted, got)).toBeUndefined();
    expect(await stateDifference(expected, actual)).toBeUndefined();
  }
});
