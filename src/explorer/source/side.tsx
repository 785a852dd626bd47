import { useState } from 'preact/hooks';
import { decoder } from '../abi/contracts.ts';
import { rpc } from '../app.ts';
import type { Hex } from '../data/types.ts';
import { count, plural } from '../format.ts';
import { sourceOf } from '../names/source-of.ts';
import { Address } from '../parts/address.tsx';
import { argumentsText } from '../parts/decoded.tsx';
import { Logs } from '../parts/log-list.tsx';
import { useRemote } from '../parts/use-remote.ts';
import { Long } from '../parts/values.tsx';
import type { Go } from './bar.tsx';
import { namesOf, type Stored, valuesAt } from './state-variables.ts';
import type { CallFrame, Moment, Row, StorageChange, Variable } from './types.ts';

/** A line of the call stack. */
export interface StackLine {
  readonly title: string;
  readonly at: string;
  readonly place: { readonly name: string; readonly line: number } | undefined;
  readonly frame: CallFrame | undefined;
  /** arguments as the stack trace has them */
  readonly said?: string | undefined;
}

/** The calls that are under way, the innermost first. */
export function CallStack(props: {
  lines: readonly StackLine[];
  more: number;
  chosen: number;
  choose: (index: number) => void;
}) {
  const { lines, more, chosen, choose } = props;
  return (
    <section class="panel" aria-label="Call stack">
      <header>
        <h2>Call stack</h2>
      </header>
      <ol class="frames">
        {lines.map(({ title, at, frame, said }, i) => (
          <li key={lines.length - i}>
            <button type="button" aria-pressed={i === chosen} onClick={() => choose(i)}>
              <b>{title}</b> <span class="dim">{at}</span>
              <span class="small">{(frame && valuesOf(frame)) || said}</span>
            </button>
          </li>
        ))}
      </ol>
      {more > 0 && <p class="dim">and {plural(more, 'call')} around them</p>}
    </section>
  );
}

/** The values of a call: of a function's variables, or else of what its contract was called with. */
function valuesOf({ variables, input, to, contract }: CallFrame): string {
  if (variables)
    return variables.map(({ name, value }) => `${name} = ${cut(value ?? 'not available')}`).join(', ');
  const decoded = input && decoder.value?.call(input, contract ?? sourceOf(to));
  return decoded && !decoded.broken ? argumentsText(decoded, to) : '';
}

function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** The variables of a call by their names. */
export function Variables({ frame }: { frame: CallFrame | undefined }) {
  return (
    <Part title="Variables" open>
      {frame?.variables ? (
        <Values list={frame.variables} />
      ) : (
        <p class="dim">Local variables are not available here.</p>
      )}
    </Part>
  );
}

function Values({ list }: { list: readonly Variable[] }) {
  return (
    <>
      {list.length === 0 ? (
        <p class="dim">none has a value here</p>
      ) : (
        <dl class="facts values">
          {list.map(({ name, type, value }, i) => (
            <div key={i}>
              <dt title={type}>{name}</dt>
              <dd>
                {value === null ? <span class="dim">not available</span> : <Long value={value} shown={66} />}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

/** Storage, logs, stack, memory and the opcodes around a moment. */
export function Machine(props: { hash: Hex; moment: Moment; stored: Stored | undefined; go: Go }) {
  const { hash, moment, stored, go } = props;
  const { storage, storageChanges, logs, logCount, stack, memory, memorySize } = moment;
  const variables = moment.address ? valuesAt(stored, moment.address, storage) : [];
  return (
    <>
      {variables.length > 0 && (
        <Part title="State variables" open>
          <Values list={variables} />
        </Part>
      )}
      <Part title="Storage changes" count={storageChanges} open>
        {storage.length === 0 && <p class="dim">none so far</p>}
        {storage.toReversed().map((change, i) => (
          <Change key={i} change={change} name={namesOf(stored, change.address, change.slot)} go={go} />
        ))}
      </Part>
      <Part title="Logs" count={logCount}>
        <Logs logs={logs} />
      </Part>
      <Part title="Stack" count={stack.length}>
        <Words title="Stack">
          <ol reversed>
            {stack.toReversed().map((word, i) => (
              <li key={i} value={i}>
                <code>{word}</code>
              </li>
            ))}
          </ol>
        </Words>
      </Part>
      <Part title="Memory" count={memorySize}>
        <Words title="Memory">
          {(memory.slice(2).match(/.{1,64}/g) ?? []).map((word, i) => (
            <div key={i}>
              <span class="dim">{(32 * i).toString(16).padStart(4, '0')}</span> <code>{word}</code>
            </div>
          ))}
        </Words>
        {memory.length / 2 - 1 < memorySize && <p class="dim">{count(memorySize)} bytes in all</p>}
      </Part>
      <Part title="Opcodes" lazy>
        {() => <Opcodes hash={hash} step={moment.step} go={go} />}
      </Part>
    </>
  );
}

function Change({ change, name, go }: { change: StorageChange; name: string; go: Go }) {
  const { address, slot, before, value, transient, step } = change;
  return (
    <div class="change">
      <Address value={address} />{' '}
      <button type="button" class="inline" onClick={() => go(() => step)}>
        {transient ? 'transient ' : ''}
        {(!transient && name) || `slot ${cut(slot)}`}
      </button>{' '}
      <code>
        {before !== null && <span class="old">{cut(before)} → </span>}
        <span class="new">{cut(value)}</span>
      </code>
    </div>
  );
}

function Opcodes({ hash, step, go }: { hash: Hex; step: number; go: Go }) {
  const from = Math.max(0, step - 8);
  const rows = useRemote(`${hash} ${from}`, () => rpc.call<Row[]>('devnet_steps', hash, from, 24));
  return (
    <Words title="Opcodes">
      <ol>
        {rows.value?.map((row) => (
          <li key={row.step} value={row.step} class={row.step === step ? 'current' : ''}>
            <button
              type="button"
              class="inline"
              aria-current={row.step === step}
              onClick={() => go(() => row.step)}
            >
              {row.op}
            </button>{' '}
            <span class="dim">
              {row.pc}, {count(row.gas)} gas
            </span>
          </li>
        ))}
      </ol>
    </Words>
  );
}

/** A list that scrolls, also by the keyboard. */
function Words({ title, children }: { title: string; children: preact.ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div class="words" role="group" aria-label={title} tabIndex={0}>
      {children}
    </div>
  );
}

/** A part that can be folded; `lazy` content is made when it is open. */
function Part(props: {
  title: string;
  count?: number;
  open?: boolean;
  lazy?: boolean;
  children: preact.ComponentChildren | (() => preact.ComponentChildren);
}) {
  const { title, count: number, children } = props;
  const [open, setOpen] = useState(props.open === true);
  return (
    <details class="panel part" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>{title}</h2> {number !== undefined && <span class="dim small">{count(number)}</span>}
      </summary>
      {open && (typeof children === 'function' ? children() : children)}
    </details>
  );
}
