import { useState } from 'preact/hooks';
import { rpc } from '../app.ts';
import type { Hex } from '../data/types.ts';
import { plural } from '../format.ts';
import { useRemote } from '../parts/use-remote.ts';

interface Flashblock {
  readonly blockNumber: Hex | number;
  readonly index: number;
  /** number of transactions in the block up to and including this flashblock */
  readonly transactions: number;
}

/** The flashblocks of the transaction's block. Each button opens the first transaction of its flashblock. */
export function Flashblocks({ block, index }: { block: Hex; index: number }) {
  const [news, setNews] = useState('');
  const all = useRemote(block, () => rpc.call<Flashblock[]>('devnet_flashblocks'));
  const own = (all.value ?? []).filter((it) => Number(it.blockNumber) === Number(block));
  if (own.length < 2) return null;
  const current = own.find(({ transactions }) => transactions > index)?.index;
  const open = (flashblock: number) =>
    rpc.call<{ added: Hex[]; transactions: Hex[] }>('devnet_stateAt', block, flashblock).then(
      ({ added, transactions }) => {
        setNews(
          added.length > 0
            ? ''
            : `flashblock ${flashblock} added nothing to ${plural(transactions.length, 'transaction')}`,
        );
        if (added[0]) location.hash = `#/tx/${added[0]}/source`;
      },
      (error: Error) => setNews(error.message),
    );
  return (
    <section class="panel coarse" aria-label="Flashblocks of the block">
      <span class="dim">Flashblocks of block {Number(block)}</span>
      <span class="row">
        {own.map(({ index: number, transactions }, i) => {
          const added = transactions - (own[i - 1]?.transactions ?? 0);
          return (
            <button
              key={number}
              type="button"
              class={added > 0 ? '' : 'dim'}
              aria-current={number === current ? 'step' : undefined}
              title={plural(added, 'transaction')}
              onClick={() => open(number)}
            >
              {number}
            </button>
          );
        })}
      </span>
      <span class="dim small" role="status">
        {news}
      </span>
    </section>
  );
}
