import { defineMethod } from '../define-method.ts';

/**
 * Returns the RPC namespaces that the node serves: name -> version.
 * @returns `{ namespace: version }`
 */
export const rpc_modules = defineMethod({
  kind: 'read',
  handler: ({ methodNames }) => {
    const namespaces = new Set(methodNames.map((name) => name.slice(0, name.indexOf('_'))));
    return Object.fromEntries([...namespaces].sort().map((name) => [name, '1.0']));
  },
});
