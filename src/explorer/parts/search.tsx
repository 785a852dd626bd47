import { useEffect, useRef, useState } from 'preact/hooks';
import { destination, type Hit, suggestions } from '../data/find.ts';
import { loadDeployed } from '../names/deployed.ts';
import { Mark } from './address.tsx';
import { Icon } from './icon.tsx';

/** The search field for blocks, hashes, addresses, accounts, contracts, tokens and functions, with suggestions. `/` focuses it. */
export function Search() {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const [problem, setProblem] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = /^(input|textarea|select)$/i.test((event.target as Element).tagName);
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  const hits = open ? suggestions(text) : [];
  const leave = () => {
    setText('');
    setOpen(false);
    setChosen(-1);
  };
  const take = (href: string) => {
    location.hash = href;
    leave();
    input.current?.blur();
  };
  const find = async (event: SubmitEvent) => {
    event.preventDefault();
    const hit = hits[chosen];
    if (hit) return take(hit.href);
    if (text.trim() === '') return;
    const href = await destination(text).catch(() => undefined);
    setProblem(href ? '' : 'nothing found');
    if (href) take(href);
  };
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      leave();
      input.current?.blur();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || hits.length === 0) return;
    event.preventDefault();
    setChosen((chosen + step + hits.length + (chosen < 0 && step < 0 ? 1 : 0)) % hits.length);
  };
  return (
    <search class="search">
      <form onSubmit={find}>
        <input
          ref={input}
          name="text"
          role="combobox"
          aria-label="Search"
          aria-expanded={hits.length > 0}
          aria-controls="hits"
          aria-autocomplete="list"
          aria-activedescendant={chosen >= 0 ? `hit-${chosen}` : undefined}
          placeholder="Block, hash, address, name"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onFocus={() => {
            setOpen(true);
            // If this fails, the suggestions lack the created contracts.
            loadDeployed().catch(() => {});
          }}
          onBlur={() => setOpen(false)}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setOpen(true);
            setChosen(-1);
            setProblem('');
          }}
          onKeyDown={move}
        />
        <Icon name="search" />
        <span class="key" aria-hidden="true">
          /
        </span>
        <span role="status" class="problem">
          {problem}
        </span>
      </form>
      <div class="hits" id="hits" role="listbox" aria-label="Suggestions" hidden={hits.length === 0}>
        {hits.map((hit, i) => (
          <Suggestion key={hit.href} hit={hit} id={`hit-${i}`} selected={i === chosen} onTake={take} />
        ))}
      </div>
    </search>
  );
}

function Suggestion(props: { hit: Hit; id: string; selected: boolean; onTake: (href: string) => void }) {
  const { hit, id, selected, onTake } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
    <div
      id={id}
      role="option"
      aria-selected={selected}
      // Keeps the focus in the field: when the field loses it, the list is closed before the click.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onTake(hit.href)}
    >
      {hit.address && <Mark address={hit.address} />}
      <span>{hit.text}</span>
      <span class="dim">{hit.kind}</span>
    </div>
  );
}
