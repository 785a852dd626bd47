import { defineMethod } from '../define-method.ts';
import { hex } from '../hex.ts';
import { compressDump, dumpState } from '../state-dump.ts';

/** The accounts of the newest block in anvil's format: gzip over JSON. Equal states give equal bytes. */
export const anvil_dumpState = defineMethod({
  name: 'anvil_dumpState',
  params: [],
  handler: async (context) => hex(await compressDump(dumpState(context))),
});
