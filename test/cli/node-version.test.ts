import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
// @ts-expect-error plain CommonJS without types, which every version of Node can read
import { refusalOf } from '../../bin/node-version.cjs';

const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };

it.each(['20.19.0', '20.20.2', '22.12.0', '22.23.3', '23.0.0', '24.21.0', '26.1.0'])(
  'devnet runs on Node.js %s',
  (version) => {
    expect(refusalOf(version)).toBeUndefined();
  },
);

it.each(['16.20.2', '18.20.8', '20.10.0', '20.18.3', '21.7.3', '22.11.0'])(
  'Node.js %s is refused in one sentence that names it and the versions wanted',
  (version) => {
    expect(refusalOf(version)).toBe(`devnet needs Node.js ${engines.node}, and this is Node.js ${version}`);
  },
);

it('the versions wanted are those of package.json', () => {
  expect(engines.node).toBe('^20.19.0 || >=22.12.0');
});
