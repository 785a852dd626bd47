import { defineMethod } from '../define-method.ts';

/** Whether the node takes requests: always, when it can be asked. */
export const net_listening = defineMethod({
  name: 'net_listening',
  kind: 'read',
  params: [],
  handler: () => true,
});
