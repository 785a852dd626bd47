import { defineMethod } from '../define-method.ts';

/**
 * Ends `anvil_setBlockTimestampInterval`: timestamps follow chain time again. Returns whether an interval was set.
 * @returns true or false
 */
export const anvil_removeBlockTimestampInterval = defineMethod({
  kind: 'dev',
  handler: ({ controls, cause }) =>
    controls.changeTime(cause, (settings) => {
      const { interval } = settings;
      settings.setTimestampInterval(undefined);
      return interval !== undefined;
    }),
});
