import { contractName, decoder } from '../abi/contracts.ts';
import { failingPath } from '../data/failing-path.ts';
import type { Frame } from '../data/types.ts';
import { count, ether, short } from '../format.ts';
import { Address, callText, Long, Value } from './values.tsx';

/** The calls of a transaction, opened down to the frame that failed. */
export function CallTree({ root }: { root: Frame }) {
  const path = new Set(failingPath(root));
  return (
    <ul class="tree">
      <Node frame={root} path={path} innermost={[...path].at(-1)} depth={0} />
    </ul>
  );
}

function Node({
  frame,
  path,
  innermost,
  depth,
}: {
  frame: Frame;
  path: ReadonlySet<Frame>;
  innermost: Frame | undefined;
  depth: number;
}) {
  const { calls = [], error, gasUsed, input, output = '0x', to, type, value } = frame;
  const name = contractName(to);
  const result = error === undefined ? decoder.value?.result(input, output, name) : undefined;
  const reason = error === undefined ? undefined : decoder.value?.error(output, name);
  const isOpen = path.size > 0 ? path.has(frame) : depth < 2;
  return (
    <li>
      <details open={isOpen} class={frame === innermost ? 'failing' : error ? 'failed' : ''}>
        <summary>
          <span class="tag">{type}</span> <code>{to ? (name ?? short(to)) : ''}</code>{' '}
          {type.startsWith('CREATE') ? (
            <span class="dim">init code</span>
          ) : (
            <span>{callText(decoder.value?.call(input, name), input)}</span>
          )}{' '}
          {value && BigInt(value) > 0n && <span>{ether(value)} ETH </span>}
          <span class="dim">{count(gasUsed)} gas</span>{' '}
          {error && <b class="bad">{reason ? callText(reason, output) : error}</b>}
        </summary>
        <dl class="facts">
          <div>
            <dt>to</dt>
            <dd>
              <Address value={to} full />
            </dd>
          </div>
          <div>
            <dt>input</dt>
            <dd>
              <Long value={input} shown={74} />
            </dd>
          </div>
          <div>
            <dt>{error ? 'revert data' : 'output'}</dt>
            <dd>
              {result && result.length > 0 ? (
                result.map((it, i) => (
                  <span key={i}>
                    {it.name && <span class="dim">{it.name} </span>}
                    <Value type={it.type} value={it.value} />{' '}
                  </span>
                ))
              ) : (
                <Long value={output} shown={74} />
              )}
            </dd>
          </div>
        </dl>
        {calls.length > 0 && (
          <ul>
            {calls.map((call, i) => (
              <Node key={i} frame={call} path={path} innermost={innermost} depth={depth + 1} />
            ))}
          </ul>
        )}
      </details>
    </li>
  );
}
