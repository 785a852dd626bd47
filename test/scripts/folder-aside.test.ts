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
import { openFolderAside } from '../../scripts/build/folder-aside.mjs';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'devnet-aside-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

it('the old folder stays until the new one takes its place', () => {
  const target = join(place, 'dist');
  mkdirSync(target);
  writeFileSync(join(target, 'cli.js'), 'old');
  const aside = openFolderAside(target);
  writeFileSync(join(aside.folder, 'cli.js'), 'new');
  expect(readFileSync(join(target, 'cli.js'), 'utf8')).toBe('old');
  aside.takeItsPlace();
  expect(readFileSync(join(target, 'cli.js'), 'utf8')).toBe('new');
  expect(readdirSync(place)).toEqual(['dist']);
});

it('the first build has nothing to replace', () => {
  const aside = openFolderAside(join(place, 'dist'));
  aside.takeItsPlace();
  expect(readdirSync(place)).toEqual(['dist']);
});

it('what an interrupted build left is removed by the next one, and nothing of one that is at work', () => {
  for (const name of [
    `dist.building-${2 ** 30}`,
    `dist.replaced-${2 ** 30}`,
    `dist.building-${process.ppid}`,
  ])
    mkdirSync(join(place, name));
  openFolderAside(join(place, 'dist')).takeItsPlace();
  expect(readdirSync(place).sort()).toEqual(['dist', `dist.building-${process.ppid}`]);
  expect(existsSync(join(place, 'dist'))).toBe(true);
});
