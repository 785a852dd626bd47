// Makes the same calls to a peer and to devnet. Whoever reads the answers of one must find the same in those of the other:
// the fields, their kinds, the codes of errors. What is otherwise on purpose is listed, with the reason.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { differencesOf, shapeOf } from './shapes.mjs';

/** What the peer doesn't have. */
const NOT_FOUND = [-32601, -32004];

/** Parameters that no method wants: none, a word, an empty object. */
const BAD = [[], ['zz'], [{}]];

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
  /** Methods that devnet answered with a result. */
  const succeeded = new Set();
  /** Methods that the peer doesn't have. */
  const lacking = new Set();

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
    if (devnet.code === undefined) succeeded.add(method);
    if (NOT_FOUND.includes(peer.code)) lacking.add(method);
    else {
      // Where one is an error and the other isn't, that is all there is to say.
      const oneFailed = (peer.code === undefined) !== (devnet.code === undefined);
      // So are errors of two codes: what their data holds goes with the code.
      const shapes = [peer.shape, devnet.shape].map((shape) =>
        peer.code === devnet.code
          ? shape
          : Object.fromEntries(Object.entries(shape).filter(([path]) => !/^data\b/.test(path))),
      );
      const texts = [peer, devnet].map(({ message = 'no error' }) => message).join(' | ');
      compare(
        method,
        oneFailed ? shapes.map(({ error }) => (error === undefined ? {} : { error })) : shapes,
        `${JSON.stringify(params).slice(0, 200)}: ${texts}`,
      );
    }
    return [peer.result, devnet.result];
  }

  /** @throws where the shapes differ in a way that isn't listed */
  function compare(name, [first, second], details) {
    for (const difference of differencesOf(first, second)) {
      const line = `${name} ${difference}`;
      const known = Object.keys(differences).find((pattern) => new RegExp(`^(?:${pattern})$`).test(line));
      assert.ok(known, `${line} (${details})`);
      met.add(known);
    }
  }

  /** Asks both and wants one and the same result. */
  async function same(method, ...params) {
    const [first, second] = await ask(method, ...params);
    assert.deepEqual(second, first, `${method} ${JSON.stringify(params)}`);
  }

  return {
    ask,
    same,
    /** Asks both and wants one and the same error, to the letter. */
    async sameError(method, ...params) {
      const [first, second] = await Promise.all(
        nodes.map(({ rpc }) =>
          rpc(method, ...params).then(
            (result) => ({ result }),
            ({ code, message, data }) => ({ code, message, data }),
          ),
        ),
      );
      assert.notEqual(first.code, undefined, `${method} ${JSON.stringify(params)}`);
      assert.deepEqual(second, first, `${method} ${JSON.stringify(params)}`);
    },
    /** Wants the same in these fields of the results. */
    async fields(names, method, ...params) {
      const [first, second] = await ask(method, ...params);
      const pick = (result) => Object.fromEntries(names.map((name) => [name, result[name]]));
      assert.deepEqual(pick(second), pick(first), `${method} ${JSON.stringify(params)}`);
    },
    /** Asks for each method without parameters, and with parameters that it can't want. */
    async askBadly() {
      for (const method of PEER_METHODS) for (const params of BAD) await ask(method, ...params);
    },
    /** Each method of the list that the peer has was asked so that it did its work. @param except those that can't here */
    checkCoverage(except = []) {
      assert.deepEqual(
        PEER_METHODS.filter((method) => !lacking.has(method) && !succeeded.has(method)),
        except,
      );
    },
    async start() {
      nodes = await start();
    },
    close: () => Promise.all(nodes.map((node) => node.close())),
    /** Sends to both and waits: anvil answers before the block is there. @returns the hashes */
    async send(request, method = 'eth_sendTransaction') {
      const hashes = await ask(method, request);
      for (const [i, { rpc }] of nodes.entries())
        while (!(await rpc('eth_getTransactionReceipt', hashes[i])));
      return hashes;
    },
    /** Waits for the next notification of a subscription on both. */
    async notified(kind, ids) {
      const [first, second] = await Promise.all(nodes.map(({ notified }, node) => notified(ids[node])));
      compare(`eth_subscription ${kind}`, [shapeOf(first), shapeOf(second)], 'notifications');
    },
    /** Methods of the list that the peer doesn't have. */
    lacking: () => [...lacking].filter((method) => PEER_METHODS.includes(method)),
    /** The listed differences that no call has met. */
    unmet: () => Object.keys(differences).filter((pattern) => !met.has(pattern)),
  };
}

function shapeOfError({ code, data }, text) {
  return {
    error: `${code}${data === undefined ? '' : ' with data'}`,
    // The bytes of a revert are data of any length.
    ...(typeof data === 'object' && shapeOf(data, 'data')),
    ...(text !== undefined && { text }),
  };
}
