import { expect, it } from 'vitest';
import { importsOf } from '../../scripts/imports.mjs';

it.each([
  ["import a from 'x';"],
  ["import { a, type B } from 'x';"],
  ["import {\n  a,\n  b,\n} from 'x';"],
  ["import a, { b } from 'x';"],
  ["import a, { type B } from 'x';"],
  ["import a, * as b from 'x';"],
  ["import * as a from 'x';"],
  ["import 'x';"],
  ["import a from 'x' with { type: 'json' };"],
  ["export { a } from 'x';"],
  ["export * from 'x';"],
  ["export * as a from 'x';"],
  ["const { a } = await import('x');"],
])('%j imports a value', (text) => {
  expect(importsOf(text)).toEqual(['x']);
});

it.each([
  ["import type A from 'x';"],
  ["import type { A } from 'x';"],
  ["import { type A, type B } from 'x';"],
  ["export type { A } from 'x';"],
  ["export const a = 'x';"],
  ["export function a() {\n  return 'x';\n}"],
])('%j imports none', (text) => {
  expect(importsOf(text)).toEqual([]);
});
