import { abiCode, decoder } from '../abi/contracts.ts';
import { failingPath } from '../data/failing-path.ts';
import type { Frame } from '../data/types.ts';
import { count, etherText } from '../format.ts';
import { sourceOf } from '../names/source-of.ts';
import { Address, Who } from './address.tsx';
import { argumentsText, Call, callText, Value } from './decoded.tsx';
import { Icon } from './icon.tsx';
import { Fact, Long } from './values.tsx';

/** The calls of a transaction, one per line with its share of the gas, interleaved with the lines of `console.log`. */
export function CallTree({ root }: { root: Frame }) {
  const innermost = failingPath(root).at(-1);
  return (
    <ul class="tree">
      <Node frame={root} innermost={innermost} total={Math.max(1, Number(root.gasUsed))} />
    </ul>
  );
}

function Node(props: { frame: Frame; innermost: Frame | undefined; total: number }) {
  const { frame, innermost, total } = props;
  const { calls = [], error } = frame;
  const [line] = calls.length === 0 ? (abiCode.value?.consoleLines(frame) ?? []) : [];
  if (line !== undefined)
    return (
      <li class="console">
        <Icon name="console" />
        <span class="sr">console.log: </span>
        <span>{line}</span>
      </li>
    );
  return (
    <li>
      <details class={frame === innermost ? 'failing' : error ? 'failed' : ''}>
        <Line frame={frame} total={total} />
        <Details frame={frame} />
      </details>
      {calls.length > 0 && (
        <ul>
          {calls.map((call, i) => (
            <Node key={i} frame={call} innermost={innermost} total={total} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Line({ frame, total }: { frame: Frame; total: number }) {
  const { error, gasUsed, input, output = '0x', to, type, value } = frame;
  const source = sourceOf(to);
  const decoded = decoder.value?.call(input, source);
  const reason = error === undefined ? undefined : decoder.value?.error(output, source);
  return (
    <summary>
      <Icon name={error ? 'cross' : 'check'} class={error ? 'bad' : 'good'} />
      {error && <span class="sr">failed</span>}
      {type !== 'CALL' && <span class="tag">{type}</span>}
      <span class="text">
        {to && <Who value={to} />}{' '}
        {type.startsWith('CREATE') ? (
          <span class="dim">is created</span>
        ) : decoded && !decoded.broken ? (
          <>
            <b>{decoded.name}</b>
            <span class="dim">({argumentsText(decoded, to)})</span>
          </>
        ) : (
          <span class="dim">{input === '0x' ? 'receives' : callText(decoded, input, to)}</span>
        )}
        {value && BigInt(value) > 0n && <b> {etherText(value)}</b>}
        {error && <b class="bad"> {reason ? callText(reason, output, to) : error}</b>}
      </span>
      <span class="gas">
        <span class="bar-cell" aria-hidden="true">
          <i style={{ width: `${Math.min(100, (100 * Number(gasUsed)) / total)}%` }} />
        </span>
        <span class="number">
          {count(gasUsed)} <span class="sr">gas</span>
        </span>
      </span>
    </summary>
  );
}

function Details({ frame }: { frame: Frame }) {
  const { error, from, gas, gasUsed, input, output = '0x', to, type, value } = frame;
  const source = sourceOf(to);
  const decoded = type.startsWith('CREATE') ? undefined : decoder.value?.call(input, source);
  const result = error === undefined ? decoder.value?.result(input, output, source) : undefined;
  return (
    <div class="details">
      <dl class="facts">
        <Fact name="from">
          <Address value={from} full />
        </Fact>
        <Fact name="to">
          <Address value={to} full />
        </Fact>
        {decoded && (
          <Fact name="call">
            <Call decoded={decoded} raw={input} contract={to} />
          </Fact>
        )}
        {value && BigInt(value) > 0n && <Fact name="value">{etherText(value, 18)}</Fact>}
        <Fact name="gas used">
          {count(gasUsed)} of {count(gas)}
        </Fact>
        <Fact name={error ? 'revert data' : 'returned'}>
          {result && result.length > 0 ? (
            result.map((it, i) => (
              <span key={i}>
                {it.name && <span class="dim">{it.name} </span>}
                <Value argument={it} context={{ of: decoded?.name ?? '', contract: to }} />{' '}
              </span>
            ))
          ) : (
            <Long value={output} shown={74} />
          )}
        </Fact>
        <Fact name="input">
          <Long value={input} shown={74} />
        </Fact>
      </dl>
    </div>
  );
}
