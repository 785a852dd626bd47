import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Hex } from '../data/types.ts';
import { count, short } from '../format.ts';
import { Icon } from './icon.tsx';

/** Number of characters of a long value that are shown at first. */
const SHOWN = 200;

/** A long value, shortened, with a button that shows all of it. */
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

/** A button that copies a text to the clipboard. */
export function Copy({
  text,
  label = 'copy',
  large,
  icon,
}: {
  text: string;
  label?: string;
  large?: boolean;
  icon?: boolean;
}) {
  const [done, setDone] = useState('');
  const copy = () =>
    copyText(text).then(
      () => setDone('copied'),
      () => setDone('the browser refused'),
    );
  return (
    <button
      type="button"
      class={icon ? 'icon' : large ? '' : 'inline'}
      onClick={copy}
      onBlur={() => setDone('')}
      aria-live="polite"
    >
      {icon ? (
        <>
          <Icon name={done === 'copied' ? 'check' : 'copy'} />
          <span class="sr">{done || label}</span>
        </>
      ) : (
        done || label
      )}
    </button>
  );
}

/** Copies a text. The clipboard API is missing over plain HTTP from other machines: then a temporary text field is copied. */
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

export function TxLink({ hash, full }: { hash: Hex; full?: boolean }) {
  return (
    <a class="mono" href={`#/tx/${hash}`} title={hash}>
      {full ? hash : short(hash)}
    </a>
  );
}

export function BlockLink({ number, children }: { number: number | Hex; children?: ComponentChildren }) {
  return <a href={`#/block/${Number(number)}`}>{children ?? count(number)}</a>;
}

/** A name and its value in a list of facts. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A table that scrolls horizontally if it is wider than the screen, also by the keyboard. Headings of numeric columns begin with `#`. */
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by the keyboard
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

/** A section of a page with a heading. */
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

/** The placeholder for a request's result: "Loading …", or the error. */
export function Waiting({ error }: { error: string | undefined }) {
  return error ? (
    <p class="bad" role="alert">
      {error}
    </p>
  ) : (
    <p class="dim loading">Loading …</p>
  );
}
