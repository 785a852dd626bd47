import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

const { dependencies, optionalDependencies, devDependencies } = packageJson;

it('README says of every dependency why it is there', () => {
  const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
  const known = (name: string) =>
    text.includes(name) || (name.startsWith('@types/') && text.includes('@types/*'));
  expect(names.filter((name) => !known(name))).toEqual([]);
});
