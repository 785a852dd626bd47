import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The licence texts of the packages whose code is in the bundle, with where their source is (MPL-2.0, section 3.2).
 * @param {string} root the project's folder
 * @param {string[]} inputs the bundled files, as paths relative to `root`
 */
export function thirdPartyLicences(root, inputs) {
  const folders = new Set(
    inputs.map((path) => /^(?!\w+:).*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]).filter(Boolean),
  );
  return [...folders]
    .sort()
    .map((folder) => section(join(root, folder)))
    .join('\n\n');
}

function section(folder) {
  const { name, version, license, repository } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const source = repository?.url ?? repository ?? `https://www.npmjs.com/package/${name}`;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : '';
  return [`${'='.repeat(80)}\n${name} ${version} (${license})\nsource: ${source}`, text]
    .filter(Boolean)
    .join('\n\n');
}
