import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askProvider, readCases, runCases } from '../../scripts/conformance/cases.mjs';
import { createDevnet, replayFixture } from '../../src/index.ts';

/** A folder with genesis.json, chain.rlp, headfcu.json and cases; see `npm run test:conformance`. */
const dir = process.env.DEVNET_CASES;

describe.skipIf(!dir)('cases of execution-apis', () => {
  it('an imported chain answers every one as the specification has it', async () => {
    const chain = { init: join(dir!, 'genesis.json'), import: join(dir!, 'chain.rlp') };
    const node = await createDevnet({ ...chain, simulateStateRoot: true });
    try {
      const results = await runCases(readCases(dir!), askProvider(node.provider));
      const failed = results.filter(({ difference }) => difference);
      expect(failed).toEqual([]);
      expect(results.length).toBeGreaterThan(50);
    } finally {
      await node.close();
    }
  });

  it('their chain is executed again, to the head that it names', async () => {
    const { params } = JSON.parse(readFileSync(join(dir!, 'headfcu.json'), 'utf8'));
    const { pass, cases } = await replayFixture(dir!);
    expect(pass).toBe(true);
    const [outcome] = Object.values(cases);
    expect(outcome).toMatchObject({ blocks: 54, lastblockhash: params[0].headBlockHash });
  });
});

describe.skipIf(dir)('cases of execution-apis', () => {
  it.skip('NOT RUN: set DEVNET_CASES to a folder with genesis.json, chain.rlp and .io files', () => {});
});
