import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
// @ts-expect-error a script without types
import { openStagingFolder } from '../../scripts/build/staging-folder.mjs';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'devnet-aside-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

it('the old folder stays until the new one takes its place', () => {
  const target = join(place, 'dist');
  mkdirSync(target);
  writeFileSync(join(target, 'cli.js'), 'old');
  const staging = openStagingFolder(target);
  writeFileSync(join(staging.folder, 'cli.js'), 'new');
  expect(readFileSync(join(target, 'cli.js'), 'utf8')).toBe('old');
  staging.replaceTarget();
  expect(readFileSync(join(target, 'cli.js'), 'utf8')).toBe('new');
  expect(readdirSync(place)).toEqual(['dist']);
});

it('the first build has nothing to replace', () => {
  const staging = openStagingFolder(join(place, 'dist'));
  staging.replaceTarget();
  expect(readdirSync(place)).toEqual(['dist']);
});

it('what an interrupted build left is removed by the next one, and nothing of one that is at work', () => {
  for (const name of [
    `dist.building-${2 ** 30}`,
    `dist.replaced-${2 ** 30}`,
    `dist.building-${process.ppid}`,
  ])
    mkdirSync(join(place, name));
  openStagingFolder(join(place, 'dist')).replaceTarget();
  expect(readdirSync(place).sort()).toEqual(['dist', `dist.building-${process.ppid}`]);
  expect(existsSync(join(place, 'dist'))).toBe(true);
});
