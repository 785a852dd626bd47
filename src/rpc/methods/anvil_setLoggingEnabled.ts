import { boolean } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** Whether calls are reported to whoever runs the node. */
export const anvil_setLoggingEnabled = defineMethod({
  name: 'anvil_setLoggingEnabled',
  params: [boolean],
  handler: ({ instance, shapes }, on) => {
    instance.logs = on;
    return shapes.done;
  },
});
