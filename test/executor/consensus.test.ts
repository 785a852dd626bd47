import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesToHex } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { isConsensusFile } from '../../src/replay/consensus/fixture.ts';
import { ConsensusBuilder, transfer } from '../replay/consensus-builder.ts';
import { ExecutorCases, NETWORKS } from './consensus.ts';

const cases = new ExecutorCases();
/** A folder of BlockchainTests files (ethereum/tests, execution-spec-tests). */
const FOLDER = process.env.DEVNET_CASES;

describe('the executor makes the same blocks as the engine:', () => {
  it.each(NETWORKS)('%s', async (network) => {
    const builder = new ConsensusBuilder(network);
    const first = await builder.next(builder.genesis, { send: [transfer(0n)] });
    const second = await builder.next(first, { send: [transfer(1n)] });
    builder.valid(first).valid(second);
    const built = builder.build(second);
    expect(await cases.run(built)).toBeUndefined();
    expect(built.lastblockhash).toBe(bytesToHex(second.hash));
  });
});

describe.runIf(FOLDER)('consensus cases', () => {
  const files = FOLDER ? readdirSync(FOLDER).filter((name) => name.endsWith('.json')) : [];
  it.each(files)(
    '%s',
    async (name) => {
      const json: unknown = JSON.parse(readFileSync(join(FOLDER!, name), 'utf8'));
      if (!isConsensusFile(json)) throw new Error('not a BlockchainTests file');
      const wrong: Record<string, string> = {};
      for (const [title, fixture] of Object.entries(json)) {
        if (!NETWORKS.includes(fixture.network)) continue;
        const difference = await cases.run(fixture);
        if (difference) wrong[title] = difference;
      }
      expect(wrong).toEqual({});
    },
    600_000,
  );
});
