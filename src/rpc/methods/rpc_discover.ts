import { defineMethod } from '../define-method.ts';
import { openRpcDocument } from '../openrpc.ts';

/**
 * Describes all methods, with the schemas of their parameters and results, as an OpenRPC document. Tools ask for it as `rpc.discover`.
 * @returns an OpenRPC document
 */
export const rpc_discover = defineMethod({
  kind: 'read',
  handler: ({ clientVersion }) => openRpcDocument(clientVersion.slice(clientVersion.lastIndexOf('/') + 1)),
});
