import { store } from '../app.ts';
import type { Flash } from '../data/store.ts';
import type { Block } from '../data/types.ts';
import { count, plural } from '../format.ts';

/** Width of a flashblock's bar, pixels. */
const BAR = 9;
/** Limit of the placeholders for coming flashblocks: more would take the space of the flashblocks that came. */
const MAX_TO_COME = 20;

/** The newest blocks with the gas of their flashblocks, joined when the block is sealed. @param steps flashblocks per block */
export function FlashStrip({ steps }: { steps: number }) {
  const flashes = new Map<number, Flash[]>();
  for (const flash of store.flashes.value)
    flashes.set(flash.block, [...(flashes.get(flash.block) ?? []), flash]);
  const sealed = store.sealed.value;
  const pending = store.pending.value;
  // For a block from before the page was opened only the total is known.
  const isWhole = (number: number) => flashes.get(number)?.[0]?.index === 0;
  const tops = [
    ...store.flashes.value.map(({ gas }) => gas),
    ...sealed.map(({ gasUsed }) => Number(gasUsed) / (steps + 1)),
  ];
  // The 95th percentile as the scale: one far larger transaction doesn't make the other bars invisible.
  const usual = tops.sort((a, b) => a - b)[Math.floor(0.95 * tops.length)] ?? 0;
  const top = Math.max(100_000, 1.15 * usual);
  const open = pending && flashes.get(Number(pending.block.number));
  const late = store.flashes.value.filter((flash) => flash.late).length;
  return (
    <>
      <section
        class="strip"
        aria-label={`gas of the newest ${plural(sealed.length, 'block')} by flashblock, ${count(late)} of them late`}
      >
        {sealed.map((block) => {
          const number = Number(block.number);
          return (
            <div key={number} class="group sealed">
              <div class="bars">
                {isWhole(number) ? (
                  flashes.get(number)!.map((flash) => <Bar key={flash.index} flash={flash} top={top} />)
                ) : (
                  <Sum block={block} steps={steps} top={top} />
                )}
              </div>
              <a tabIndex={-1} href={`#/block/${number}`}>
                {count(number)}
              </a>
            </div>
          );
        })}
        {pending && (
          <div key={Number(pending.block.number)} class="group">
            <div class="bars">
              {open?.map((flash) => (
                <Bar key={flash.index} flash={flash} top={top} />
              ))}
              {Array.from({ length: Math.min(MAX_TO_COME, Math.max(0, steps - pending.index)) }, (_, i) => (
                <div key={`to come ${i}`} class="bar to-come" />
              ))}
            </div>
            <a tabIndex={-1} href="#/block/pending">
              {count(pending.block.number)}
            </a>
          </div>
        )}
      </section>
      <p class="legend" aria-hidden="true">
        <span>gas of each flashblock</span>
        {late > 0 && (
          <span>
            <i class="late" /> came late
          </span>
        )}
      </p>
    </>
  );
}

function Bar({ flash: { block, index, transactions, gas, late }, top }: { flash: Flash; top: number }) {
  const title = `flashblock ${index} of block ${count(block)}: ${plural(transactions, 'transaction')}, ${count(gas)} gas${late ? ', late' : ''}`;
  return (
    // Not in the tab order, because there are about 200 bars: the search accepts `12.3`, and the page Blocks lists all blocks.
    <a
      class={late ? 'bar late' : 'bar'}
      href={`#/block/${block}/${index}`}
      tabIndex={-1}
      title={title}
      style={{ height: `${Math.min(100, Math.max(2, (100 * gas) / top))}%` }}
    >
      <span class="sr">{title}</span>
    </a>
  );
}

function Sum({
  block: { number, gasUsed, transactions },
  steps,
  top,
}: {
  block: Block;
  steps: number;
  top: number;
}) {
  const title = `block ${count(number)}: ${plural(transactions.length, 'transaction')}, ${count(gasUsed)} gas`;
  const height = `${Math.max(2, (100 * Number(gasUsed)) / (steps + 1) / top)}%`;
  return <div class="bar" title={title} style={{ height, width: `${BAR * (steps + 1)}px` }} />;
}
