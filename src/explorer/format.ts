import type { Hex } from './data/types.ts';

/** Formats a whole number with thousands separators. */
export function count(value: Hex | number | bigint): string {
  return BigInt(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');
}

const E18 = 10n ** 18n;

/** Formats a number without a unit: with commas, and round numbers from 10^18 on as forms accept them: `1.5e18`. */
export function wholeText(value: bigint): string {
  const isRound = (value >= E18 || value <= -E18) && value % 10n ** 12n === 0n;
  return isRound ? `${decimals(value, 18, 6)}e18` : count(value);
}

/** Formats wei as ETH with up to `digits` decimals; amounts too small for that as wei. */
export function ether(wei: Hex | bigint, digits = 6): string {
  const value = BigInt(wei);
  if (value > 0n && value < 10n ** BigInt(18 - Math.min(digits, 9))) return `${count(value)} wei`;
  return decimals(value, 18, digits);
}

/** Formats wei as an amount with its unit: `0.02 ETH`, `1 wei`. */
export function etherText(wei: Hex | bigint, digits = 6): string {
  const text = ether(wei, digits);
  return text.endsWith(' wei') ? text : `${text} ETH`;
}

/** Formats wei as gwei with up to three decimals. */
export function gwei(wei: Hex | bigint): string {
  return decimals(BigInt(wei), 9, 3);
}

/** Formats a whole number of the smallest unit as a decimal number. */
export function decimals(value: bigint, unit: number, digits: number): string {
  if (value < 0n) return `−${decimals(-value, unit, digits)}`;
  const text = value.toString().padStart(unit + 1, '0');
  const whole = text.slice(0, text.length - unit);
  const part = text
    .slice(text.length - unit)
    .slice(0, digits)
    .replace(/0+$/, '');
  if (value > 0n && BigInt(whole) === 0n && part === '') return `< 0.${'0'.repeat(digits - 1)}1`;
  return part === '' ? count(BigInt(whole)) : `${count(BigInt(whole))}.${part}`;
}

/** Shortens a hash or an address to its beginning and end. */
export function short(value: string, kept = 4): string {
  return value.length <= 2 * kept + 3 ? value : `${value.slice(0, 2 + kept)}…${value.slice(-kept)}`;
}

/** Formats milliseconds, with a decimal below 10 ms and as seconds from 1,000 ms on. */
export function milliseconds(ms: number): string {
  return ms >= 1_000 ? `${(ms / 1_000).toFixed(2)} s` : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}

export function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}

/** Unix time in seconds as date and time, UTC. */
export function time(seconds: Hex): string {
  return new Date(Number(seconds) * 1_000).toISOString().replace('T', ' ').replace('.000Z', ' UTC');
}

/** Milliseconds since the Unix epoch as a time of day, UTC. */
export function clockTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(11, 23)} UTC`;
}

/** A number with its noun, in the singular for 1. */
export function plural(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}

const UNLIMITED = 2n ** 255n;

/** Whether an allowance is practically unlimited: 2^255 or more. */
export function unlimited(value: bigint): boolean {
  return value >= UNLIMITED;
}

/** How long ago a Unix time (seconds) is, in whole seconds, minutes, hours or days. */
export function ago(seconds: Hex | number, now: number): string {
  const past = Math.round(now / 1_000 - Number(seconds));
  if (past < 0) return `in ${span(-past)}`;
  return past < 1 ? 'now' : `${span(past)} ago`;
}

function span(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return plural(Math.floor(seconds / 86_400), 'day');
}

/** The number and the name of a transaction type (EIP-2718). */
export function typeName(type: Hex): string {
  const number = Number(type);
  return TYPES[number] ? `${number} (${TYPES[number]})` : String(number);
}

const TYPES: Readonly<Record<number, string>> = {
  0: 'legacy',
  1: 'EIP-2930',
  2: 'EIP-1559',
  3: 'EIP-4844',
  4: 'EIP-7702',
  126: 'deposit',
};
