import { decoder } from '../abi/contracts.ts';
import { changesOf, tokenTransfers } from '../data/effects.ts';
import type { CallResult } from '../data/simulation.ts';
import type { Block, Frame, Hex, Log } from '../data/types.ts';
import { count, gwei, plural } from '../format.ts';
import { sourceOf } from '../names/source-of.ts';
import { Address } from '../parts/address.tsx';
import { Signed } from '../parts/amount.tsx';
import { CallTree } from '../parts/call-tree.tsx';
import { Arguments, Broken, Call, Value } from '../parts/decoded.tsx';
import { Icon } from '../parts/icon.tsx';
import { Logs } from '../parts/log-list.tsx';
import { type AccountPart, PrestateDiff } from '../parts/prestate-diff.tsx';
import { Long, Panel } from '../parts/values.tsx';

export type SimulatedBlock = Block & { readonly calls: readonly CallResult[] };
/** The simulated call, which decoding its result needs. */
export type Sent = { readonly from?: Hex; readonly to?: Hex; readonly input: Hex };

/** A call's traces. */
export interface Inside {
  readonly trace: Frame;
  readonly state: { readonly pre: Record<Hex, AccountPart>; readonly post: Record<Hex, AccountPart> };
}

/** The address of the logs that `traceTransfers` of `eth_simulateV1` adds for transfers of ETH, in the form of ERC-20 transfers. */
const ETH = `0x${'e'.repeat(40)}`;

/** @param inside traces of the first call, if they are known */
export function Result(props: { block: SimulatedBlock; sent: readonly Sent[]; inside: Inside | undefined }) {
  const { block, sent, inside } = props;
  return (
    <Panel
      title={`Result: block ${count(block.number)}`}
      aside={
        <span class="dim small">
          {count(block.gasUsed)} gas · base fee {gwei(block.baseFeePerGas ?? '0x0')} gwei
        </span>
      }
    >
      {block.calls.map((call, i) => (
        <CallOutcome
          key={i}
          number={i + 1}
          call={call}
          sent={sent[i]}
          inside={i === 0 ? inside : undefined}
        />
      ))}
    </Panel>
  );
}

function CallOutcome(props: {
  number: number;
  call: CallResult;
  sent: Sent | undefined;
  inside: Inside | undefined;
}) {
  const { number, call, sent, inside } = props;
  const source = sourceOf(sent?.to);
  const failed = call.status !== '0x1';
  const data = (call.error?.data ?? call.returnData) as Hex;
  const decoded = sent && decoder.value?.call(sent.input, source);
  const result = failed || !sent ? undefined : decoder.value?.result(sent.input, call.returnData, source);
  return (
    <div class={failed ? 'outcome failed' : 'outcome'}>
      <p class="row">
        <b>Call {number}</b> {sent && <Call decoded={decoded} raw={sent.input} contract={sent.to} />}
        <span class={failed ? 'badge bad' : 'badge good'}>
          <Icon name={failed ? 'cross' : 'check'} />
          {failed ? 'failed' : 'success'}
        </span>
        <span class="dim">{count(call.gasUsed)} gas</span>
      </p>
      {failed && <Failure data={data} message={call.error?.message} to={sent?.to} />}
      {result && result.length > 0 && (
        <p>
          returned{' '}
          {result.map((it, i) => (
            <span key={i}>
              {it.name && <span class="dim">{it.name} </span>}
              <Value argument={it} context={{ of: decoded?.name ?? '', contract: sent?.to }} />{' '}
            </span>
          ))}
        </p>
      )}
      {!failed && !result && call.returnData.length > 2 && (
        <p>
          returned <Long value={call.returnData} shown={74} />
        </p>
      )}
      <Changes logs={call.logs} />
      <Own logs={call.logs} />
      {inside && (
        <>
          <details>
            <summary>Calls within it</summary>
            <CallTree root={inside.trace} />
          </details>
          <details>
            <summary>State that it changes</summary>
            <PrestateDiff {...inside.state} />
          </details>
        </>
      )}
    </div>
  );
}

function Failure({ data, message, to }: { data: Hex; message: string | undefined; to: Hex | undefined }) {
  const error = decoder.value?.error(data, sourceOf(to));
  if (!error)
    return (
      <p class="bad">
        {message} {data.length > 2 && <Long value={data} shown={74} />}
      </p>
    );
  if (error.broken) return <Broken name={error.name} raw={data} />;
  return (
    <>
      <p>
        <b class="bad">{error.name}</b> <span class="dim">of {error.source}</span>
      </p>
      <Arguments args={error.args} context={{ of: error.name, contract: to }} />
    </>
  );
}

/** The balance changes of ETH and tokens, without the fee. */
function Changes({ logs }: { logs: readonly Log[] }) {
  const transfers = tokenTransfers(logs).map((it) => (it.token === ETH ? { ...it, token: undefined } : it));
  const changes = changesOf(transfers);
  if (changes.length === 0) return null;
  return (
    <ul class="transfers" aria-label="Balance changes">
      {changes.map((change) => (
        <li key={`${change.holder} ${change.token} ${change.id}`}>
          <Address value={change.holder} />
          <b>
            <Signed change={change} />
          </b>
        </li>
      ))}
    </ul>
  );
}

function Own({ logs }: { logs: readonly Log[] }) {
  const own = logs.filter(({ address }) => address !== ETH);
  if (own.length === 0) return null;
  return (
    <details>
      <summary>{plural(own.length, 'event')}</summary>
      <Logs logs={own} />
    </details>
  );
}
