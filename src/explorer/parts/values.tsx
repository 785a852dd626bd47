import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { contractName } from '../abi/contracts.ts';
import type { Argument, Decoded } from '../abi/decoder.ts';
import type { Hex } from '../data/types.ts';
import { count, short } from '../format.ts';

/** Characters of a value that are shown at first. */
const SHOWN = 200;

/** A long value, cut, with a button for all of it. */
export function Long({ value, shown = SHOWN }: { value: string; shown?: number }) {
  const [all, setAll] = useState(false);
  if (value.length <= shown + 40) return <code class="long">{value}</code>;
  return (
    <code class="long">
      {all ? value : `${value.slice(0, shown)}…`}{' '}
      <button type="button" class="inline" onClick={() => setAll(!all)}>
        {all ? 'show less' : `show all ${count(value.length)} characters`}
      </button>
    </code>
  );
}

/** A button that puts a text on the clipboard. */
export function Copy({ text, label = 'copy', large }: { text: string; label?: string; large?: boolean }) {
  const [done, setDone] = useState('');
  const copy = () =>
    copyText(text).then(
      () => setDone('copied'),
      () => setDone('the browser refused'),
    );
  return (
    <button
      type="button"
      class={large ? '' : 'inline'}
      onClick={copy}
      onBlur={() => setDone('')}
      aria-live="polite"
    >
      {done || label}
    </button>
  );
}

/** Without a clipboard, as on pages of other machines over plain HTTP, a hidden field is copied. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (!done) throw new Error('not copied');
}

/** A link to an address, with the name of its contract where that is known. */
export function Address({ value, full }: { value: Hex | null | undefined; full?: boolean }) {
  if (!value) return <span class="dim">new contract</span>;
  const name = contractName(value);
  return (
    <a class="hash" href={`#/address/${value}`} title={value}>
      {name && `${name} `}
      {name || !full ? short(value.toLowerCase()) : value.toLowerCase()}
    </a>
  );
}

export function TxLink({ hash, full }: { hash: Hex; full?: boolean }) {
  return (
    <a class="hash" href={`#/tx/${hash}`} title={hash}>
      {full ? hash : short(hash)}
    </a>
  );
}

export function BlockLink({ number, children }: { number: number | Hex; children?: ComponentChildren }) {
  return <a href={`#/block/${Number(number)}`}>{children ?? count(number)}</a>;
}

/** A decoded value: addresses are links, numbers have commas, long bytes are cut. */
export function Value({ type, value }: { type: string; value: unknown }) {
  if (type === 'address' && typeof value === 'string') return <Address value={value as Hex} />;
  if (typeof value === 'bigint' || typeof value === 'number') return <code>{count(BigInt(value))}</code>;
  if (typeof value === 'string') return <Long value={type === 'string' ? `“${value}”` : value} shown={66} />;
  return <Long value={toText(value)} />;
}

/** Any decoded value as text. */
export function toText(value: unknown): string {
  const plain = (_: string, it: unknown) => (typeof it === 'bigint' ? it.toString() : it);
  return typeof value === 'string' ? value : (JSON.stringify(value, plain) ?? '');
}

/** `name(first 1, second 2)` */
export function Call({ decoded, raw }: { decoded: Decoded | undefined; raw: Hex }) {
  if (!decoded)
    return raw.length > 2 ? (
      <code title="no ABI is known for it">{short(raw, 8)}</code>
    ) : (
      <span class="dim">–</span>
    );
  if (decoded.broken) return <Broken name={decoded.name} raw={raw} />;
  return (
    <span class="call">
      <b>{decoded.name}</b>(
      {decoded.args.map(({ name, type, value }, i) => (
        <span key={i}>
          {i > 0 && ', '}
          {name && <span class="dim">{name} </span>}
          <Value type={type} value={value} />
        </span>
      ))}
      )
    </span>
  );
}

/** As {@link Call}, as text, for places that can't have links. Long values are cut. */
export function callText(decoded: Decoded | undefined, raw: Hex): string {
  if (!decoded) return raw.length > 2 ? short(raw, 8) : '';
  if (decoded.broken) return `${decoded.name}? ${short(raw, 8)}`;
  const args = decoded.args.map(({ name, type, value }) => {
    const text = typeof value === 'bigint' ? count(value) : toText(value);
    const cut = type === 'address' ? short(text) : text.length > 66 ? `${text.slice(0, 64)}…` : text;
    return `${name} ${cut}`.trim();
  });
  return `${decoded.name}(${args.join(', ')})`;
}

/** The bytes of a call, log or error that doesn't fit its ABI. */
export function Broken({ name, raw }: { name: string; raw: Hex }) {
  return (
    <span>
      <mark title={`the bytes don't fit the ABI of ${name}`}>{name}?</mark> <Long value={raw} shown={66} />
    </span>
  );
}

/** The arguments of a call, log or error, a row each. */
export function Arguments({ args }: { args: readonly Argument[] }) {
  if (args.length === 0) return <p class="dim">no arguments</p>;
  return (
    <dl class="facts">
      {args.map(({ name, type, value }, i) => (
        <Fact key={i} name={`${name || i} ${type}`}>
          <Value type={type} value={value} />
        </Fact>
      ))}
    </dl>
  );
}

/** A row of a list of facts. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A table that may be wider than the screen: it scrolls, also by the keyboard. Heads of numbers begin with `#`. */
export function Table({
  label,
  head,
  children,
}: {
  label: string;
  head: readonly string[];
  children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms, and the panel around it is the landmark
    <div class="scroll" role="group" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col" class={name.startsWith('#') ? 'number' : undefined}>
                {name.replace(/^#/, '')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** A part of a page with a heading. */
export function Panel({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** What is shown in place of a request's answer: that it runs, or why it failed. */
export function Waiting({ error }: { error: string | undefined }) {
  return error ? (
    <p class="bad" role="alert">
      {error}
    </p>
  ) : (
    <p class="dim">…</p>
  );
}
