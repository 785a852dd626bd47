// The sections of docs/quick-start.md and docs/recipes.md that scripts/newcomer.mjs follows like a new user.
import { readFileSync } from 'node:fs';

const page = (name) => readFileSync(new URL(`../docs/${name}.md`, import.meta.url), 'utf8');

/** Headings of the sections -> differences from the section's text, and `page` if it isn't the quick start. */
export const SECTIONS = {
  'Hardhat 2': {},
  'Hardhat 3': { recentNode: true },
  Vitest: {},
  'Vitest with version 3': { heading: 'Vitest', replace: ['vitest@4', 'vitest@3'] },
  Jest: { workflow: true },
  Foundry: {},
  'hardhat-ignition': { page: 'recipes', recentNode: true },
  'hardhat-deploy': { page: 'recipes' },
};

/**
 * Reads one of {@link SECTIONS}. A section has two blocks of shell lines: the first one installs, the second one runs the tests or the
 * recipe. The `text` block has lines of the output. In the quick start the files before the second block pass, and the files after it
 * fail with that output.
 * @returns {{ install: string, run: string, passing: Map<string, string>, failing: Map<string, string>, output: string[] }}
 */
export function newcomerSection(name) {
  const { heading = name, replace: [from, to] = ['', ''], page: pageName = 'quick-start' } = SECTIONS[name];
  const sections = page(pageName).split(/^## /m);
  const section = sections.find((text) => text.startsWith(`${heading}\n`));
  if (!section) throw new Error(`docs/${pageName}.md has no section ${heading}`);
  const shell = [];
  const passing = new Map();
  const failing = new Map();
  let output = [];
  for (const { language, file, text } of codeBlocks(section)) {
    if (language === 'sh') shell.push(text);
    else if (language === 'text') output = text.trimEnd().split('\n');
    else (shell.length < 2 ? passing : failing).set(file, text);
  }
  if (shell.length !== 2 || output.length === 0 || (failing.size === 0) !== (pageName === 'recipes'))
    throw new Error(`${heading}: expected two blocks of shell lines, a failing test and its output`);
  const [, folder] = /Put `Counter\.sol`.* into the folder `(\w+)`/.exec(section) ?? [];
  if (folder) passing.set(`${folder}/Counter.sol`, codeBlocks(page('quick-start'))[0].text);
  const [install, run] = shell;
  return { install: install.replace(from, to), run, passing, failing, output };
}

/** @returns {string[]} the commands of the workflow in docs/recipes.md */
export function workflowCommands() {
  const { text } = codeBlocks(page('recipes')).find(({ file }) => file.startsWith('.github/workflows/'));
  return [...text.matchAll(/- run: (.*)/g)].map(([, command]) => command);
}

function codeBlocks(markdown) {
  return [...markdown.matchAll(/^```(\w*) ?(\S*)\n(.*?)^```$/gms)].map(([, language, file, text]) => ({
    language,
    file,
    text,
  }));
}
