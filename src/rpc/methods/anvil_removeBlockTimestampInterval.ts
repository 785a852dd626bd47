import { defineMethod } from '../define-method.ts';

/** Timestamps follow chain time again. Answers whether there was an interval. */
export const anvil_removeBlockTimestampInterval = defineMethod({
  name: 'anvil_removeBlockTimestampInterval',
  kind: 'dev',
  params: [],
  handler: ({ controls, cause }) =>
    controls.changeTime(cause, (settings) => {
      const { interval } = settings.record();
      settings.setTimestampInterval(undefined);
      return interval !== undefined;
    }),
});
