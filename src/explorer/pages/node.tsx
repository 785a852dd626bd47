import { store } from '../app.ts';
import { preconfirms } from '../data/feed.ts';
import { count, mebibytes, milliseconds, plural } from '../format.ts';
import { Chart } from '../parts/chart.tsx';
import { paceText } from '../parts/header.tsx';
import { Copy, Fact, Panel } from '../parts/values.tsx';

/** The node's tick timing, memory and settings. */
export function NodePage() {
  const status = store.status.value;
  if (!status) return <p class="dim">waiting for the node …</p>;
  const { ticks, mempool, memory, mode, role, chainId, clientVersion, subscriptions, instanceId } = status;
  const flashblocks = preconfirms(status);
  const seconds = 'blockTime' in mode;
  const gas = flashblocks
    ? store.flashes.value.filter(({ index }) => index !== 0).map((flash) => flash.gas)
    : store.sealed.value.map(({ gasUsed }) => Number(gasUsed));
  return (
    <>
      <div class="title">
        <h1>Node</h1>
      </div>
      <Panel title="Now">
        <dl class="numbers">
          <Fact name="memory">{mebibytes(memory.rss)}</Fact>
          <Fact name="waiting">{plural(mempool, 'transaction')}</Fact>
          <Fact name="subscriptions">{count(subscriptions)}</Fact>
          {seconds && <Fact name="ticks">{count(ticks.ticks)}</Fact>}
          {seconds && (
            <Fact name="late">
              {count(ticks.lateTicks)}
              {ticks.mergedTicks > 0 && <span class="dim small"> and {count(ticks.mergedTicks)} merged</span>}
            </Fact>
          )}
        </dl>
      </Panel>
      <Panel
        title="Timing"
        aside={
          seconds && (
            <span class="dim small">
              drift p50 {milliseconds(ticks.driftMs.p50)}, p99 {milliseconds(ticks.driftMs.p99)}, most{' '}
              {milliseconds(ticks.driftMs.max)}
            </span>
          )
        }
      >
        <div class="charts">
          {seconds && (
            <>
              <Chart
                title="tick drift"
                unit="ms"
                least={5}
                values={ticks.recent.map(({ drift }) => drift)}
                format={oneDigit}
              />
              <Chart
                title="execution time"
                unit="ms"
                least={5}
                values={ticks.recent.map(({ length }) => length)}
                format={oneDigit}
              />
            </>
          )}
          <Chart
            title={flashblocks ? 'gas per flashblock' : 'gas per block'}
            unit="gas"
            least={100_000}
            slots={flashblocks ? 80 : 30}
            values={gas}
            format={(value) => count(Math.round(value))}
          />
        </div>
      </Panel>
      <Panel title="What it is">
        <dl class="facts">
          <Fact name="version">{clientVersion}</Fact>
          <Fact name="role">{role}</Fact>
          <Fact name="pace">{paceText(status)}</Fact>
          <Fact name="chain id">{Number(chainId)}</Fact>
          <Fact name="URL">
            <code>{location.origin}</code> <Copy text={location.origin} icon label="copy URL" />
          </Fact>
          <Fact name="instance">
            <code>{instanceId}</code>
          </Fact>
        </dl>
      </Panel>
    </>
  );
}

function oneDigit(value: number): string {
  return value >= 10 ? String(Math.round(value)) : value.toFixed(1);
}
