import type { AbiParameter } from 'viem';
import type { Argument, Decoded } from '../abi/decoder.ts';
import type { Hex } from '../data/types.ts';
import { count, short, wholeText } from '../format.ts';
import { amountText } from '../names/describe.ts';
import { nameOf } from '../names/name-of.ts';
import { Address } from './address.tsx';
import { Fact, Long } from './values.tsx';

/** Context for a value's unit: the name of the function, event or error that the value belongs to, and the contract. */
export interface Context {
  readonly of: string;
  readonly contract: Hex | null | undefined;
  /** for a table's row: bytes, strings and lists are shortened; the transaction's page shows them whole */
  readonly brief?: boolean | undefined;
}

/** A decoded value: addresses are links, amounts have their unit, other numbers have commas, and long bytes are shortened. */
export function Value({ argument, context }: { argument: Argument; context: Context }) {
  const { type, value, name } = argument;
  if (type === 'address' && typeof value === 'string') return <Address value={value as Hex} />;
  if (typeof value === 'bigint' || typeof value === 'number') {
    const amount = type === 'uint256' && amountText(BigInt(value), name, context.of, context.contract);
    return <span title={String(value)}>{amount || wholeText(BigInt(value))}</span>;
  }
  if (typeof value === 'string' && context.brief && value.length > MAX_BRIEF)
    return (
      <code title={value.slice(0, 2_000)}>
        {type === 'string' ? `“${value.slice(0, MAX_BRIEF)}…”` : short(value, 8)}
      </code>
    );
  if (typeof value === 'string') return <Long value={type === 'string' ? `“${value}”` : value} shown={66} />;
  if (typeof value === 'boolean') return <span>{String(value)}</span>;
  return <Members argument={argument} context={context} />;
}

/** Lists, and structs with the names of their members. */
function Members({
  argument: { type, value, components },
  context,
}: {
  argument: Argument;
  context: Context;
}) {
  const item = type.replace(/\[\d*\]$/, '');
  const most = context.brief ? MAX_BRIEF_ITEMS : MAX_ITEMS;
  if (Array.isArray(value) && item !== type)
    return (
      <span>
        [
        {value.slice(0, most).map((it, i) => (
          <span key={i}>
            {i > 0 && ', '}
            <Value
              argument={{ name: '', type: item, value: it, ...(components && { components }) }}
              context={context}
            />
          </span>
        ))}
        {value.length > most && ` and ${count(value.length - most)} more`}]
      </span>
    );
  if (!components) return <Long value={toText(value)} />;
  return (
    <span>
      {'{'}
      {components.map((component, i) => (
        <span key={i}>
          {i > 0 && ', '}
          <span class="dim">{component.name} </span>
          <Value argument={memberOf(value, component, i)} context={context} />
        </span>
      ))}
      {'}'}
    </span>
  );
}

const MAX_ITEMS = 50;
const MAX_BRIEF_ITEMS = 2;
/** Limit of the characters of bytes and strings in a table's row. */
const MAX_BRIEF = 42;
const MAX_IN_TEXT = 3;

function memberOf(value: unknown, component: AbiParameter, i: number): Argument {
  const { name = '', type } = component;
  const members = value as Record<string, unknown> & readonly unknown[];
  return {
    name,
    type,
    ...('components' in component && { components: component.components }),
    value: Array.isArray(value) ? members[i] : members[name],
  };
}

/** Converts a decoded value to text. */
export function toText(value: unknown): string {
  const plain = (_: string, it: unknown) => (typeof it === 'bigint' ? it.toString() : it);
  return typeof value === 'string' ? value : (JSON.stringify(value, plain) ?? '');
}

/**
 * A call, log or error as `name(first 1, second 2)`.
 * @param contract the contract that was called, that failed, or that emitted the log
 * @param brief for a table's row, see {@link Context}
 */
export function Call({
  decoded,
  raw,
  contract,
  brief,
}: {
  decoded: Decoded | undefined;
  raw: Hex;
  contract?: Hex | null | undefined;
  brief?: boolean;
}) {
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
      {decoded.args.map((argument, i) => (
        <span key={i}>
          {i > 0 && ', '}
          {argument.name && <span class="dim">{argument.name} </span>}
          <Value argument={argument} context={{ of: decoded.name, contract, brief }} />
        </span>
      ))}
      )
    </span>
  );
}

/** A call, log or error as text without links: names and units as in {@link Call}; long values are shortened. */
export function callText(decoded: Decoded | undefined, raw: Hex, contract?: Hex | null): string {
  if (!decoded) return raw.length > 2 ? short(raw, 8) : '';
  if (decoded.broken) return `${decoded.name}? ${short(raw, 8)}`;
  return `${decoded.name}(${argumentsText(decoded, contract)})`;
}

/** The arguments as text: `number 2,000,000, limit 1,000,000`. */
export function argumentsText({ name: of, args }: Decoded, contract?: Hex | null): string {
  return args.map((it) => named(it.name, valueText(it, { of, contract }))).join(', ');
}

/** A value after its name. The name is left out if the value begins with it: `account 6` for a parameter `account`. */
const named = (name: string, text: string) => (text.startsWith(`${name} `) ? text : `${name} ${text}`.trim());

export function valueText(argument: Argument, context: Context): string {
  const { name, type, value, components } = argument;
  if (typeof value === 'bigint')
    return (type === 'uint256' && amountText(value, name, context.of, context.contract)) || wholeText(value);
  const text = toText(value);
  if (type === 'address') return nameOf(value as Hex)?.text ?? short(text);
  if (Array.isArray(value) && type.endsWith(']')) {
    const item = { name: '', type: type.replace(/\[\d*\]$/, ''), ...(components && { components }) };
    const shown = value.slice(0, MAX_IN_TEXT).map((it) => valueText({ ...item, value: it }, context));
    const more = value.length - shown.length;
    return `[${shown.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}]`;
  }
  if (type === 'tuple' && components) {
    const members = components.map((component, i) => memberOf(value, component, i));
    return `{${members.map((it) => named(it.name, valueText(it, context))).join(', ')}}`;
  }
  if (type.startsWith('bytes') && text.length > MAX_BRIEF) return short(text, 8);
  return text.length > 66 ? `${text.slice(0, 64)}…` : text;
}

/** The raw bytes of a call, log or error that doesn't fit its ABI. */
export function Broken({ name, raw }: { name: string; raw: Hex }) {
  return (
    <span>
      <mark title={`the bytes don't fit the ABI of ${name}`}>{name}?</mark> <Long value={raw} shown={66} />
    </span>
  );
}

/** The arguments of a call, log or error, one per row. */
export function Arguments({ args, context }: { args: readonly Argument[]; context: Context }) {
  if (args.length === 0) return <p class="dim">no arguments</p>;
  return (
    <dl class="facts">
      {args.map((argument, i) => (
        <Fact key={i} name={`${argument.name || i} ${argument.type}`}>
          <Value argument={argument} context={context} />
        </Fact>
      ))}
    </dl>
  );
}
