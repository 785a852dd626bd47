import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { thirdPartyLicences } from '../../scripts/build/licences.mjs';

const root = resolve(import.meta.dirname, '../..');
const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
/** The folders of all packages that are installed: those in the bundle are among them. */
const folders = Object.keys(lockfile.packages).filter(
  (path) => path.startsWith('node_modules/') && !path.slice(1).includes('node_modules/'),
);
const words = (text: string) => text.split(/\s+/).filter(Boolean).join(' ');

it('each package is named in the section that has every paragraph of its licence, its copyright notice included', () => {
  const files = folders.map((path) => `${path}/index.js`).filter((path) => isInstalled(path));
  const text = thirdPartyLicences(root, files);
  const sections = text.split(`${'='.repeat(80)}\n`).map(words);
  let count = 0;
  for (const file of files) {
    const folder = join(root, file, '..');
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const licence = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const own = sections.filter((section) => ` ${section}`.includes(` ${name} ${version} (`));
    expect(own, name).toHaveLength(1);
    for (const paragraph of licence ? readFileSync(join(folder, licence), 'utf8').split(/\n\s*\n/) : [])
      expect(own[0], name).toContain(words(paragraph));
    count++;
  }
  expect(count).toBeGreaterThan(100);
  // One section for all texts that differ in their notices only.
  expect(sections.length).toBeLessThan(count / 3);
});

function isInstalled(file: string): boolean {
  try {
    return readdirSync(join(root, file, '..')).includes('package.json');
  } catch {
    return false;
  }
}
