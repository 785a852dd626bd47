import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { count } from '../format.ts';

/**
 * A panel that can be collapsed.
 * @param props.count number shown beside the title
 * @param props.children a function is called only while the panel is open
 */
export function Part(props: {
  title: string;
  count?: number;
  open?: boolean;
  children: ComponentChildren | (() => ComponentChildren);
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

/** A scrolling list, which the keyboard can scroll, too. */
export function ScrollingList({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by the keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div class="words" role="group" aria-label={title} tabIndex={0}>
      {children}
    </div>
  );
}
