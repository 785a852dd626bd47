import { addRun } from '../../coverage/counting.ts';
import { ownSources } from '../../coverage/covered-files.ts';
import { FunctionNames } from '../../coverage/gas-functions.ts';
import { gasByLine } from '../../coverage/gas-lines.ts';
import { istanbulFile } from '../../coverage/istanbul.ts';
import { lcovOf } from '../../coverage/lcov.ts';
import { Profile } from '../../coverage/profile.ts';
import { countSources } from '../../coverage/source-counts.ts';
import { summaryOf, totalOf } from '../../coverage/summary.ts';
import { Counting } from '../../engine/tracers/counting.ts';
import { DevnetError } from '../../errors.ts';
import { isL1Attributes } from '../../protocol/op-stack/l1-attributes.ts';
import { anyBlock } from '../codec/block-ref.ts';
import { optional, withDefault } from '../codec/codec.ts';
import { defineMethod } from '../define-method.ts';
import { blockAt } from '../read/block-at.ts';

const LATEST = { tag: 'latest' } as const;
const CHANGED = 'executed again it comes to something else: the state was changed while its block was open';

/**
 * Returns which parts of the project's Solidity sources the transactions of a range of blocks executed, and the gas of each line and
 * function. The transactions are executed again, so the node needs no preparation. The parameters are the first and the last block, by
 * default all blocks of this chain. The sources are those of the build infos in the folder of `--artifacts`. [Coverage and
 * gas](coverage.md) explains what is counted, and the fields.
 * @returns `{ transactions, total, files, lcov, istanbul, gas }`
 */
export const devnet_coverage = defineMethod({
  kind: 'read',
  computes: true,
  params: [optional(anyBlock), withDefault(anyBlock, LATEST)],
  handler: async ({ chain, tracing, forks, builds, artifacts, contracts }, from, to) => {
    const last = await blockAt(chain, to);
    const end = last.header.number;
    // The genesis block has no transactions, and the blocks before a fork weren't executed by this node.
    const oldest = chain.genesis + 1n;
    const begin = from ? (await blockAt(chain, from)).header.number : oldest;
    if (from && begin > end)
      throw new DevnetError('server', {
        reason: `block ${begin} comes after block ${end}: nothing is between`,
      });
    const profile = new Profile();
    for (let number = begin < oldest ? oldest : begin; number <= end; number++) {
      const block = number === end ? last : await blockAt(chain, { number });
      const { header, transactions, receipts } = block;
      const hardfork = forks.at(header.number, header.timestamp, header.difficulty);
      await tracing.block(block, (i) => {
        const counting = new Counting();
        return {
          tracer: counting,
          result: (executed) => {
            const [transaction, receipt] = [transactions[i]!, receipts[i]!];
            if (isL1Attributes(transaction)) return;
            const { gasUsed, maxUsedGas, success } = executed;
            if (gasUsed !== receipt.gasUsed || (receipt.status ?? success) !== success) {
              profile.miss(1, CHANGED);
              return;
            }
            const run = { counts: counting.counts, maxUsedGas, success };
            addRun(profile, run, { transaction, receipt, hardfork });
          },
        };
      });
    }
    const isOwn = ownSources({ artifacts });
    const sources = countSources(profile, await builds.read(), isOwn);
    const own = sources.files.filter(({ name }) => isOwn(name));
    const names = await FunctionNames.of(profile, sources, (code, options) =>
      contracts.contractOf(code, options),
    );
    const summaries = own.map(summaryOf);
    const { transactions, gasUsed, rows, files } = gasByLine(profile, sources, (code) =>
      names.contractOf(code),
    );
    return {
      transactions,
      ...(profile.missed > 0 && { missed: profile.missed, missedReason: profile.missedReason }),
      total: totalOf(summaries),
      files: summaries,
      lcov: lcovOf(own),
      istanbul: Object.fromEntries(own.map((file) => [file.name, istanbulFile(file, file.name)])),
      gas: {
        gasUsed,
        functions: names.functions(true),
        calledFunctions: names.functions(false),
        rows,
        files,
      },
    };
  },
});
