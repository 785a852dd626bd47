import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The licence texts of the packages whose code is in the bundle. Each text appears once, after the packages that have it and the locations
 * of their sources (MPL-2.0, section 3.2). The licences of the contracts in op-stack-code.json follow.
 * @param {string} root the project's folder
 * @param {string[]} inputs the bundled files, as paths relative to `root`
 */
export function thirdPartyLicences(root, inputs) {
  const folders = new Set(
    inputs.map((path) => /^(?!\w+:).*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]).filter(Boolean),
  );
  /** text -> the packages that have it */
  const packages = new Map();
  for (const folder of [...folders].sort()) {
    const text = licenceOf(join(root, folder));
    packages.set(text, [...(packages.get(text) ?? []), heading(join(root, folder))]);
  }
  return [...[...packages].map(([text, headings]) => section(headings.join('\n'), text)), ...CONTRACTS].join(
    '\n\n',
  );
}

const section = (heading, text) => [`${'='.repeat(80)}\n${heading}`, text].filter(Boolean).join('\n\n');

const CONTRACTS = ['op-stack-contracts', 'LGPL-3.0', 'GPL-3.0'].map((name) =>
  section(name, readFileSync(join(import.meta.dirname, 'licences', `${name}.txt`), 'utf8').trim()),
);

function heading(folder) {
  const { name, version, license, repository } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const source = repository?.url ?? repository ?? `https://www.npmjs.com/package/${name}`;
  return `${name} ${version} (${license})\nsource: ${source}`;
}

function licenceOf(folder) {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return file ? readFileSync(join(folder, file), 'utf8').trim() : '';
}
