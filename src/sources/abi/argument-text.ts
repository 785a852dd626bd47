import type { AbiParameter } from 'viem';
import type { Argument, Decoded } from './decoder.ts';

/** How strings, bytes, addresses and function pointers are written, and which brackets enclose a struct. */
interface Style {
  string(value: string): string;
  hex(value: string): string;
  /** @param value the function's address and selector, `0x` hex */
  fn(value: string): string;
  readonly struct: readonly [open: string, close: string];
  /** whether arguments, and fields of structs, are written with their names */
  readonly named: boolean;
}

/** `Name(argument: value)`, for logs. */
const NAMED: Style = {
  string: JSON.stringify,
  hex: (value) => value,
  fn: (value) => value,
  struct: ['{', '}'],
  named: true,
};
/** As Foundry writes a custom error: `Name(value)`. */
const FOUNDRY: Style = { ...NAMED, struct: ['(', ')'], named: false };
/** As Hardhat writes one: everything except numbers and booleans is in quotation marks, without escapes. */
const HARDHAT: Style = {
  string: (value) => `"${value}"`,
  hex: (value) => `"${value}"`,
  fn: () => '<function>',
  struct: ['[', ']'],
  named: false,
};

const STYLES = { named: NAMED, foundry: FOUNDRY, hardhat: HARDHAT } as const;

/** The text of a decoded call or error on one line: its name, and its arguments in parentheses. */
export function callText({ name, args }: Decoded, style: keyof typeof STYLES): string {
  return `${name}(${listText(args, STYLES[style])})`;
}

/** The text of decoded values on one line, with their names where they have any. */
export function valuesText(values: readonly Argument[]): string {
  return listText(values, NAMED);
}

function listText(values: readonly Argument[], style: Style): string {
  return values
    .map((argument) => {
      const text = valueText(argument, argument.value, style);
      return style.named && argument.name ? `${argument.name}: ${text}` : text;
    })
    .join(', ');
}

function valueText(parameter: AbiParameter, value: unknown, style: Style): string {
  const { type } = parameter;
  if (Array.isArray(value) && type.endsWith(']')) {
    const item = { ...parameter, type: type.replace(/\[\d*\]$/, '') };
    return `[${value.map((each) => valueText(item, each, style)).join(', ')}]`;
  }
  if (type === 'tuple') {
    const { components = [] } = parameter as { readonly components?: readonly AbiParameter[] };
    // viem decodes a struct as an object if all its fields have names, otherwise as an array.
    const fields = components.map(({ name = '', ...rest }, i) => ({
      ...rest,
      name,
      value: (value as Record<string | number, unknown>)[Array.isArray(value) ? i : name],
    }));
    const [open, close] = style.struct;
    return `${open}${listText(fields, style)}${close}`;
  }
  if (typeof value !== 'string') return String(value);
  if (type === 'function') return style.fn(value);
  return type === 'string' ? style.string(value) : style.hex(value);
}
