import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The licence texts of the packages whose code is in the bundle. Each text appears once, after the packages that have it, the locations of
 * their sources (MPL-2.0, section 3.2) and their copyright notices. The licences of the contracts in op-stack-code.br follow.
 * @param {string} root the project's folder
 * @param {string[]} inputs the bundled files, as paths relative to `root`
 */
export function thirdPartyLicences(root, inputs) {
  const folders = new Set(
    inputs.map((path) => /^(?!\w+:).*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]).filter(Boolean),
  );
  /** words of a text without its notices -> the packages that have it */
  const groups = new Map();
  for (const folder of [...folders].sort()) {
    const text = licenceOf(join(root, folder));
    const { words, ...parts } = withoutNotices(text);
    groups.set(words, [
      ...(groups.get(words) ?? []),
      { heading: heading(join(root, folder)), text, ...parts },
    ]);
  }
  const sections = [...groups.values()].map((group) => {
    const [{ heading, text, rest }] = group;
    if (group.length === 1) return section(heading, text);
    const headings = group.map(({ heading, notices }) => [heading, ...notices].join('\n'));
    return section(headings.join('\n\n'), rest);
  });
  return [...sections, ...CONTRACTS].join('\n\n');
}

/** Takes the paragraphs with copyright notices out of a licence text. `words`: what is left, whatever its lines */
function withoutNotices(text) {
  const paragraphs = text.split(/(?:\n[ \t]*){2,}/);
  const isNotice = (paragraph) => /^\W*Copyright (?:\(c\)|©|\d)/i.test(paragraph);
  const rest = paragraphs.filter((paragraph) => !isNotice(paragraph)).join('\n\n');
  return { notices: paragraphs.filter(isNotice), rest, words: rest.split(/\s+/).join(' ') };
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
  return file ? readFileSync(join(folder, file), 'utf8').replaceAll('\r', '').trim() : '';
}
