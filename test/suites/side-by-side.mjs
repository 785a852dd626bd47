// Makes the same calls to a peer and to devnet. Whoever reads the answers of one must find the same in those of the other:
// the fields, their kinds, the codes of errors. What is otherwise on purpose is listed, with the reason.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { differencesOf, shapeOf } from './shapes.mjs';

/** What the peer doesn't have. */
const NOT_FOUND = [-32601, -32004];

/** The methods that devnet must have: those that peers, their users' tools or the specification have. */
export const PEER_METHODS = readFileSync(new URL('../rpc/peer-methods.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

/**
 * @param start starts both, the peer first; each has `rpc(method, ...params)`
 * @param differences pattern of the line `method path: kind in the peer | kind in devnet` -> why
 * @param wordOf an error -> what of its text must be the same, nothing when left out
 */
export function sideBySide({ start, differences, wordOf = () => undefined }) {
  let nodes;
  const met = new Set();
  /** Methods that devnet answered with a result, and with an error. */
  const succeeded = new Set();
  const refused = new Set();

  /** Asks both; a function among the parameters gives each node its own. @returns the results; undefined for errors */
  async function ask(method, ...params) {
    const [peer, devnet] = await Promise.all(
      nodes.map(({ rpc }, node) =>
        rpc(method, ...params.map((param) => (typeof param === 'function' ? param(node) : param))).then(
          (result) => ({ result, shape: shapeOf(result) }),
          (error) => ({ ...error, message: error.message, shape: shapeOfError(error, wordOf(error)) }),
        ),
      ),
    );
    (devnet.code === undefined ? succeeded : refused).add(method);
    if (!NOT_FOUND.includes(peer.code))
      for (const difference of differencesOf(peer.shape, devnet.shape)) {
        const line = `${method} ${difference}`;
        const known = Object.keys(differences).find((pattern) => new RegExp(`^(?:${pattern})$`).test(line));
        const texts = [peer, devnet].map(({ message = 'no error' }) => message).join(' | ');
        assert.ok(known, `${line} (${JSON.stringify(params).slice(0, 200)}: ${texts})`);
        met.add(known);
      }
    return [peer.result, devnet.result];
  }

  return {
    succeeded,
    refused,
    ask,
    async start() {
      nodes = await start();
    },
    close: () => Promise.all(nodes.map((node) => node.close())),
    /** Sends to both and waits: anvil answers before the block is there. @returns the hashes */
    async send(request) {
      const hashes = await ask('eth_sendTransaction', request);
      for (const [i, { rpc }] of nodes.entries())
        while (!(await rpc('eth_getTransactionReceipt', hashes[i])));
      return hashes;
    },
    /** The listed differences that no call has met. */
    unmet: () => Object.keys(differences).filter((pattern) => !met.has(pattern)),
  };
}

function shapeOfError({ code, data }, text) {
  return {
    error: `${code}${data === undefined ? '' : ' with data'}`,
    ...(text !== undefined && { text }),
  };
}
