import type { TransactionEvent } from '../../rpc/read/transaction-status.ts';
import { clockTime, count, milliseconds } from '../format.ts';
import { BlockLink, Panel, TxLink } from '../parts/values.tsx';

/** The events of a transaction from the mempool to a block or its removal, with the time of each by the node's record. */
export function Lifecycle({ events }: { events: readonly TransactionEvent[] }) {
  const [first] = events;
  if (!first) return null;
  return (
    <Panel title="Lifecycle" aside={<span class="dim small">by the node's clock</span>}>
      <ol class="lifecycle">
        {events.map((event, i) => (
          <li key={i} class={event.event}>
            <b>{WORDS[event.event]}</b>
            <span>
              <Where event={event} />
            </span>
            <span class="dim">
              {i === 0
                ? clockTime(event.at)
                : event.at - first.at < 1
                  ? 'at once'
                  : `after ${milliseconds(event.at - first.at)}`}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

const WORDS = {
  received: 'in the mempool',
  preconfirmed: 'pre-confirmed',
  sealed: 'sealed',
  dropped: 'dropped',
  replaced: 'replaced',
  refused: 'refused',
  reorged: 'reorged',
} as const;

function Where({
  event: { event, blockNumber, flashblockIndex, replacedBy, reason },
}: {
  event: TransactionEvent;
}) {
  if (event === 'received') return <>sent</>;
  if (replacedBy)
    return (
      <>
        by <TxLink hash={replacedBy} />
      </>
    );
  if (blockNumber === undefined) return <>{reason}</>;
  const block = <BlockLink number={blockNumber}>block {count(blockNumber)}</BlockLink>;
  if (event === 'preconfirmed')
    return (
      <>
        at index {flashblockIndex} of {block}
      </>
    );
  return (
    <>
      {event === 'sealed' ? 'in' : 'with'} {block}
    </>
  );
}
