import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isConsensusFile } from '../../../src/replay/consensus/fixture.ts';
import { CONSOLIDATION_REQUESTS, WITHDRAWAL_REQUESTS } from '../../../src/state/genesis-code.ts';
import { ConsensusBuilder, other, transfer } from '../../replay/consensus/builder.ts';
import { ExecutorCases, NETWORKS } from './consensus.ts';

const cases = new ExecutorCases();
/** A folder of BlockchainTests files (ethereum/tests, execution-spec-tests). */
const FOLDER = process.env.DEVNET_BLOCKTESTS;

describe('the executor makes the same blocks as the engine:', () => {
  it.each(NETWORKS)('%s', async (network) => {
    const builder = new ConsensusBuilder(network);
    // A request for each queue, where the network has them: 48 bytes and 8, twice 48 (EIP-7002, EIP-7251).
    const queues = [
      [WITHDRAWAL_REQUESTS, 56],
      [CONSOLIDATION_REQUESTS, 96],
    ] as const;
    const requests = queues.map(([{ address }, size], i) => ({
      ...transfer(BigInt(i)),
      to: address,
      data: new Uint8Array(size).fill(7),
      gasLimit: 500_000n,
    }));
    // As many transactions as make the keys of the list tries two bytes long.
    const transfers = Array.from({ length: 140 }, (_, i) => transfer(BigInt(i + 2)));
    const first = await builder.next(builder.genesis, { send: [...requests, ...transfers] });
    const withdrawals = [5n, 0n].map((amount, i) => ({
      index: BigInt(i),
      validatorIndex: 0n,
      address: other,
      amount,
    }));
    const second = await builder.next(first, { withdrawals });
    const third = await builder.next(second, { send: [transfer(142n)] });
    builder.valid(first).valid(second).valid(third);
    builder.invalid(second, { gasUsed: 1n }).invalid(third, { stateRoot: new Uint8Array(32) });
    expect(await cases.run(builder.build(third))).toBeUndefined();
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
