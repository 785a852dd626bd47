import { defineMethod } from '../define-method.ts';
import { openRpcDocument } from '../openrpc.ts';

/**
 * Describes all methods, with the schemas of what they take and answer, as the OpenRPC specification has it. Tools ask for it as
 * `rpc.discover`.
 * @returns an OpenRPC document
 */
export const rpc_discover = defineMethod({
  kind: 'read',
  handler: ({ clientVersion }) => openRpcDocument(clientVersion.slice(clientVersion.lastIndexOf('/') + 1)),
});
