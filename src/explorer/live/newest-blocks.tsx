import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { feed, rpc, store } from '../app.ts';
import type { Block } from '../data/types.ts';
import { ago, count, gwei, percent, plural } from '../format.ts';
import { useNow } from '../parts/use-now.ts';
import { FlashStrip } from './strip.tsx';

/** The number of flashblocks of a block. A follower's mode doesn't contain it: 10 is the usual number. */
function stepsOf(mode: NonNullable<typeof store.status.value>['mode']): number {
  return 'blockTime' in mode && mode.flashblockInterval > 0
    ? Math.ceil(mode.blockTime / mode.flashblockInterval)
    : 10;
}

/** The block being built, which fills up by flashblocks. */
export function PendingBlock() {
  const pending = store.pending.value;
  const steps = stepsOf(store.status.value!.mode);
  const block = pending?.block;
  const [used, limit] = [Number(block?.gasUsed ?? 0), Math.max(1, Number(block?.gasLimit ?? 1))];
  return (
    <section class="panel newest" aria-label="The block being built">
      <div class="line">
        <h2>{block ? `Block ${count(block.number)} is being built` : 'The next block is being built'}</h2>
        <a href="#/block/pending" class="small">
          flashblock {pending?.index ?? '…'} of {steps}
        </a>
        <Figures block={block} />
      </div>
      <div class="fill" role="img" aria-label={`${percent(used / limit)} of the gas limit used`}>
        <i style={{ width: `${(100 * used) / limit}%` }} />
      </div>
      <FlashStrip steps={steps} />
    </section>
  );
}

/** @param children names the block */
function Figures({ block, children }: { block: Block | undefined; children?: ComponentChildren }) {
  if (!block) return null;
  const share = Number(block.gasUsed) / Math.max(1, Number(block.gasLimit));
  return (
    <p class="figures">
      {children && <span>{children}</span>}
      <span>
        <b>{count(block.transactions.length)}</b>{' '}
        {block.transactions.length === 1 ? 'transaction' : 'transactions'}
      </span>
      <span>
        <b>{count(block.gasUsed)}</b> gas, {percent(share)}
      </span>
      {block.baseFeePerGas && (
        <span>
          base fee <b>{gwei(block.baseFeePerGas)}</b> gwei
        </span>
      )}
    </p>
  );
}

const WORDS: Readonly<Record<string, string>> = {
  automine: 'Each transaction makes its own block, at once',
  manual: 'Blocks are made when somebody mines them',
};

/** The newest blocks of a chain without pre-confirmation: automine, manual mining, or intervals without flashblocks. */
export function NewestBlocks() {
  const { mode, mempool } = store.status.value!;
  const blocks = store.sealed.value;
  const head = blocks.at(-1);
  const now = useNow();
  const words =
    WORDS[mode.kind] ?? ('blockTime' in mode ? `A block every ${mode.blockTime / 1_000} s` : mode.kind);
  return (
    <section class="panel newest" aria-label="The newest blocks">
      <div class="line">
        <h2>{words}</h2>
        {head && Number(head.number) > 0 && (
          <Figures block={head}>
            <a href={`#/block/${Number(head.number)}`}>block {count(head.number)}</a>,{' '}
            {ago(head.timestamp, now)}
          </Figures>
        )}
      </div>
      <div class="blocks">
        {blocks.slice(-24).map((block) => (
          <Cube key={block.hash} block={block} />
        ))}
        <span class="next">
          {mode.kind === 'automine'
            ? 'the next transaction'
            : `next; ${plural(mempool, 'transaction')} waiting`}
        </span>
      </div>
      <MineButton />
    </section>
  );
}

/** A block as a cube: green if its transactions succeeded, red if one failed. */
function Cube({ block: { number, transactions } }: { block: Block }) {
  const outcomes = transactions.map(({ hash }) => store.outcomes.of(hash));
  const tone = transactions.length === 0 ? '' : outcomes.includes('failed') ? 'bad' : 'good';
  const failed = outcomes.filter((it) => it === 'failed').length;
  const title = `block ${count(number)}: ${plural(transactions.length, 'transaction')}${failed ? `, ${count(failed)} failed` : ''}`;
  return (
    <a class={tone} href={`#/block/${Number(number)}`} title={title}>
      {count(number)}
    </a>
  );
}

function MineButton() {
  const [problem, setProblem] = useState('');
  const mine = () =>
    rpc.call('evm_mine').then(
      () => {
        setProblem('');
        feed.refresh();
      },
      (error: Error) => setProblem(error.message),
    );
  return (
    <p class="row" style={{ marginTop: '8px' }}>
      <button type="button" onClick={mine}>
        Mine a block
      </button>
      <span role="status" class={problem ? 'bad' : 'dim small'}>
        {problem || 'evm_mine; more on the page Control'}
      </span>
    </p>
  );
}
