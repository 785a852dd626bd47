import type { Hex } from './data/types.ts';

/** A whole number with commas, from wire hex too. */
export function count(value: Hex | number | bigint): string {
  return BigInt(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');
}

/** wei as ETH with up to `digits` decimals; amounts that are too small for that in wei. */
export function ether(wei: Hex | bigint, digits = 6): string {
  const value = BigInt(wei);
  if (value > 0n && value < 10n ** BigInt(18 - Math.min(digits, 9))) return `${count(value)} wei`;
  return decimals(value, 18, digits);
}

/** wei as gwei with up to three decimals. */
export function gwei(wei: Hex | bigint): string {
  return decimals(BigInt(wei), 9, 3);
}

/** A whole number of the smallest unit as a decimal number. */
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

/** Beginning and end of a hash or an address. */
export function short(value: string, kept = 4): string {
  return value.length <= 2 * kept + 3 ? value : `${value.slice(0, 2 + kept)}…${value.slice(-kept)}`;
}

/** Milliseconds, with a decimal below ten. */
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

/** One is singular. */
export function plural(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}
