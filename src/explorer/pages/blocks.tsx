import { rpc, store } from '../app.ts';
import type { Block, Hex } from '../data/types.ts';
import { ago, count, gwei, percent, plural, time } from '../format.ts';
import { Address } from '../parts/address.tsx';
import { useNow } from '../parts/use-now.ts';
import { useRemote } from '../parts/use-remote.ts';
import { BlockLink, Panel, Table, Waiting } from '../parts/values.tsx';
import { linkTo, route } from '../route.ts';

const LIMIT = 25;

/** A block with transaction hashes only. */
type Listed = Omit<Block, 'transactions'> & { readonly transactions: readonly unknown[] };

/** All blocks back to genesis, the newest first, by pages. */
export function BlocksPage() {
  const { query } = route.value;
  const head = store.sealed.value.at(-1);
  const top = query.from && /^\d+$/.test(query.from) ? Number(query.from) : undefined;
  const newest = Number(head?.number ?? 0);
  const first = Math.min(top ?? newest, newest);
  const found = useRemote(`${first} ${top === undefined ? head?.hash : ''}`, () =>
    head ? blocksFrom(first) : Promise.resolve([]),
  );
  const list = found.value ?? [];
  const last = Number(list.at(-1)?.number ?? 0);
  const now = useNow();
  return (
    <>
      <div class="title">
        <h1>Blocks</h1>
      </div>
      <Panel
        title={top === undefined ? 'Newest first' : `Block ${count(first)} and before`}
        aside={
          <span class="row">
            {top !== undefined && (
              <a class="button" href="#/blocks">
                Newest
              </a>
            )}
            {first < newest && (
              <a class="button" href={linkTo('blocks', { from: String(Math.min(newest, first + LIMIT)) })}>
                Newer
              </a>
            )}
            {last > 0 && (
              <a class="button" href={linkTo('blocks', { from: String(last - 1) })}>
                Older
              </a>
            )}
            {last > 0 && (
              <a class="button" href={linkTo('blocks', { from: String(LIMIT - 1) })}>
                Oldest
              </a>
            )}
          </span>
        }
      >
        {list.length === 0 ? (
          <Waiting error={found.error} />
        ) : (
          <Table
            label="Blocks"
            head={['block', 'age', '#transactions', '#gas', '#base fee, gwei', 'fee recipient', '#size']}
          >
            {list.map((block) => (
              <Row key={block.hash} block={block} now={now} />
            ))}
          </Table>
        )}
      </Panel>
    </>
  );
}

function Row({ block, now }: { block: Listed; now: number }) {
  const { number, timestamp, transactions, gasUsed, gasLimit, baseFeePerGas, miner, size } = block;
  const share = Number(gasUsed) / Math.max(1, Number(gasLimit));
  return (
    <tr>
      <td data-label="block">
        <b>
          <BlockLink number={number} />
        </b>
      </td>
      <td data-label="age" class="dim" title={time(timestamp)}>
        {Number(number) === 0 ? 'genesis' : ago(timestamp, now)}
      </td>
      <td data-label="transactions" class={transactions.length === 0 ? 'number dim' : 'number'}>
        {count(transactions.length)}
      </td>
      <td data-label="gas" class="number">
        <span>
          <span class="bar-cell" aria-hidden="true">
            <i style={{ width: percent(share).replace(' ', '') }} />
          </span>
          <span class="of-bar">
            {count(gasUsed)} <span class="dim">{percent(share)}</span>
          </span>
        </span>
      </td>
      <td data-label="base fee" class="number">
        {baseFeePerGas ? gwei(baseFeePerGas) : '–'}
      </td>
      <td data-label="fee recipient">
        <Address value={miner} />
      </td>
      <td data-label="size" class="number dim">
        {plural(Number(size), 'byte')}
      </td>
    </tr>
  );
}

/** A page of blocks, fetched in one batch, without blocks that were pruned. */
async function blocksFrom(first: number): Promise<Listed[]> {
  const numbers = Array.from({ length: Math.min(LIMIT, first + 1) }, (_, i) => first - i);
  const blocks = await rpc.batch<Listed | null>(
    numbers.map((number) => ['eth_getBlockByNumber', `0x${number.toString(16)}` as Hex, false]),
  );
  return blocks.filter((it) => it !== null);
}
