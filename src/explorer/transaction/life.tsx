import type { LifeEvent } from '../data/lives.ts';
import { count, milliseconds } from '../format.ts';
import { BlockLink, Panel } from '../parts/values.tsx';

/** From the mempool to a block or away, with the time that each step took. */
export function Life({ events, isRecalled }: { events: readonly LifeEvent[]; isRecalled: boolean }) {
  const [first] = events;
  if (!first) return null;
  return (
    <Panel
      title="Life"
      aside={<span class="dim small">{isRecalled ? "by the node's clock" : 'as this page heard of it'}</span>}
    >
      <ol class="life">
        {events.map((event, i) => (
          <li key={i} class={event.kind}>
            <b>{LIFE[event.kind]}</b>
            <span>
              <Where event={event} />
            </span>
            <span class="dim">
              {i === 0 ? 'the first that is known' : `after ${milliseconds(event.at - first.at)}`}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

const LIFE = {
  sent: 'in the mempool',
  preconfirmed: 'pre-confirmed',
  sealed: 'sealed',
  dropped: 'dropped',
  reorged: 'reorged',
} as const;

function Where({ event }: { event: LifeEvent }) {
  if (event.kind === 'sent') return <a href="#/mempool">sent</a>;
  const block = <BlockLink number={event.block}>block {count(event.block)}</BlockLink>;
  if (event.kind === 'preconfirmed')
    return (
      <>
        {event.flashblock !== undefined && `at index ${event.flashblock} of `}
        {block}
      </>
    );
  if (event.kind === 'sealed') return <>in {block}</>;
  return <>{event.kind === 'dropped' ? <>from {block} while it was built</> : <>with {block}</>}</>;
}
