// The sections of docs/quick-start.md that scripts/newcomer.mjs follows as a newcomer would.
import { readFileSync } from 'node:fs';

/** Headings of the sections -> what the newcomer has otherwise than the section says. */
export const SECTIONS = {
  'Hardhat 2': {},
  'Hardhat 3': { recentNode: true },
  Vitest: {},
  'Vitest with version 3': { heading: 'Vitest', replace: ['vitest@4', 'vitest@3'] },
  Jest: {},
  Foundry: {},
};

/**
 * Reads one of {@link SECTIONS}. A section has two blocks of shell lines, the first of which installs and the second of which
 * runs the tests. Files before the second pass, files behind it fail, and the `text` block has lines of the output then.
 * @returns {{ install: string, run: string, passing: Map<string, string>, failing: Map<string, string>, output: string[] }}
 */
export function newcomerSection(name) {
  const { heading = name, replace: [from, to] = ['', ''] } = SECTIONS[name];
  const page = readFileSync(new URL('../docs/quick-start.md', import.meta.url), 'utf8');
  const [introduction, ...sections] = page.split(/^## /m);
  const section = sections.find((text) => text.startsWith(`${heading}\n`));
  if (!section) throw new Error(`docs/quick-start.md has no section ${heading}`);
  const shell = [];
  const passing = new Map();
  const failing = new Map();
  let output = [];
  for (const { language, file, text } of codeBlocks(section)) {
    if (language === 'sh') shell.push(text);
    else if (language === 'text') output = text.trimEnd().split('\n');
    else (shell.length < 2 ? passing : failing).set(file, text);
  }
  if (shell.length !== 2 || failing.size === 0 || output.length === 0)
    throw new Error(`${heading}: expected two blocks of shell lines, a failing test and its output`);
  const [, folder] = /Put `Counter\.sol` into the folder `(\w+)`/.exec(section) ?? [];
  if (folder) passing.set(`${folder}/Counter.sol`, codeBlocks(introduction)[0].text);
  const [install, run] = shell;
  return { install: install.replace(from, to), run, passing, failing, output };
}

function codeBlocks(markdown) {
  return [...markdown.matchAll(/^```(\w*) ?(\S*)\n(.*?)^```$/gms)].map(([, language, file, text]) => ({
    language,
    file,
    text,
  }));
}
