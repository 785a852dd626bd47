// The same calls to anvil and to devnet. Whoever reads the answers of one must find the same in those of the other: the
// fields, their kinds, the codes of errors. What is otherwise on purpose is in anvil-differences.mjs, with the reason.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CALLS } from './anvil-calls.mjs';
import { DEV_CALLS } from './anvil-dev-calls.mjs';
import { DIFFERENCES } from './anvil-differences.mjs';
import { startAnvil, startDevnet } from './nodes.mjs';
import { differencesOf, shapeOf } from './shapes.mjs';

/** What only devnet has. */
const METHOD_NOT_FOUND = -32601;

describe('the answers of anvil and of devnet', () => {
  let nodes;
  const met = new Set();
  before(async () => {
    const flags = ['--chain-id', '31337', '--timestamp', '1700000000', '--hardfork', 'osaka'];
    nodes = await Promise.all([startAnvil(...flags), startDevnet('--automine', ...flags)]);
  });
  after(() => Promise.all(nodes.map((node) => node.close())));

  /** Asks both; a function among the parameters gives each node its own. @returns the results, or errors */
  async function ask(method, ...params) {
    const answers = await Promise.all(
      nodes.map(({ rpc }, node) =>
        rpc(method, ...params.map((param) => (typeof param === 'function' ? param(node) : param))).then(
          (result) => ({ result, shape: shapeOf(result) }),
          ({ code, message, data }) => ({
            code,
            shape: { error: `${code}${data === undefined ? '' : ' with data'}` },
            message,
          }),
        ),
      ),
    );
    const [anvil, devnet] = answers;
    if (anvil.code !== METHOD_NOT_FOUND)
      for (const difference of differencesOf(anvil.shape, devnet.shape)) {
        const line = `${method} ${difference}`;
        const known = Object.keys(DIFFERENCES).find((pattern) => new RegExp(`^(?:${pattern})$`).test(line));
        const messages = answers.map(({ message = 'no error' }) => message).join(' | ');
        assert.ok(known, `${line} (${JSON.stringify(params).slice(0, 200)}: ${messages})`);
        met.add(known);
      }
    return answers.map(({ result }) => result);
  }

  /** Sends to both and waits: anvil answers before the block is there. @returns the hashes */
  async function send(request) {
    const hashes = await ask('eth_sendTransaction', request);
    for (const [i, { rpc }] of nodes.entries()) while (!(await rpc('eth_getTransactionReceipt', hashes[i])));
    return hashes;
  }

  // One after the other: each finds the chain as those before it left it.
  for (const [name, calls] of Object.entries({ ...CALLS, ...DEV_CALLS }))
    it(name, () => calls({ ask, send }));

  it('differ in all the ways that are listed, and in no other', () => {
    assert.deepEqual(
      Object.keys(DIFFERENCES).filter((pattern) => !met.has(pattern)),
      [],
    );
  });
});
