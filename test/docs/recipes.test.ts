import { parseSync } from 'rolldown/utils';
import { expect, it } from 'vitest';
import { workflowCommands } from '../../scripts/newcomer-sections.mjs';
import { takenFromAnvil } from '../../src/cli/anvil-flags.ts';
import { longNames } from '../../src/cli/flags.ts';
import { METHODS } from '../../src/rpc/all-methods.ts';
import { CODE_BLOCKS, PAGES } from './pages.ts';

const blocks = CODE_BLOCKS.filter(({ page }) => page === 'docs/recipes.md');
const block = (name: string) => blocks.find((found) => found.name === name)!.text;

/** Their packages aren't among the project's: they are parsed, not run. */
it.each(['wagmi.config.ts', 'ponder.config.ts'])('%s parses', (name) => {
  expect(parseSync(name, block(name)).errors).toEqual([]);
});

it('compose.yaml starts devnet with flags that there are, under the image name and the health check of the Dockerfile', () => {
  const [, command] = /command: (\[.*\])/.exec(block('compose.yaml'))!;
  const flags = (JSON.parse(command!) as string[]).filter((arg) => arg.startsWith('--'));
  expect(flags.length).toBeGreaterThan(2);
  expect(flags.filter((flag) => ![...longNames()].includes(flag))).toEqual([]);
});

it('YAML files are indented by two spaces, without tabs, and each line is an entry, a list item or a comment', () => {
  const yaml = blocks.filter(({ language }) => language === 'yaml');
  expect(yaml.map(({ name }) => name)).toEqual(['.github/workflows/test.yml', 'compose.yaml']);
  for (const { text } of yaml)
    for (const line of text.split('\n').filter(Boolean))
      expect(line).toMatch(/^(?: {2})*(?:#.*|- (?:[\w-]+: .+)|[\w-]+:(?: .+)?)$/);
});

it('the workflow runs commands that there are', () => {
  expect(workflowCommands()).toEqual(['npm ci', 'npx devnet run -- npm test']);
});

it('the methods that counter.py calls are there', () => {
  const asked: Readonly<Record<string, string>> = {
    accounts: 'eth_accounts',
    send_transaction: 'eth_sendTransaction',
    wait_for_transaction_receipt: 'eth_getTransactionReceipt',
    get_balance: 'eth_getBalance',
  };
  const called = [...block('counter.py').matchAll(/w3\.eth\.(\w+)/g)].map(([, name]) => name!);
  expect(new Set(called)).toEqual(new Set(Object.keys(asked)));
  const names = METHODS.map(({ name }) => name);
  expect(Object.values(asked).filter((name) => !names.includes(name))).toEqual([]);
});

it("docs/migrating.md and docs/faq.md name flags that devnet's command has", () => {
  const known = new Set([...longNames(), ...takenFromAnvil()]);
  const faq = [...PAGES.get('docs/faq.md')!.matchAll(/(?<![\w-])--[a-z][a-z0-9-]*/g)].map(([flag]) => flag);
  expect(faq.filter((flag) => !known.has(flag))).toEqual([]);
  const rows = PAGES.get('docs/migrating.md')!
    .replace(/<!-- table: anvil-differences -->.*?<!-- end -->/s, '')
    .replace(/<!-- table: hardhat-differences -->.*?<!-- end -->/s, '')
    .split('\n')
    .filter((line) => line.startsWith('| `--') || /^\| `\w/.test(line));
  const flags = rows.flatMap((line) =>
    [...(line.split(' | ')[1] ?? '').matchAll(/(?<![\w-])--[a-z][a-z0-9-]*/g)].map(([flag]) => flag),
  );
  expect(flags.length).toBeGreaterThan(30);
  expect(flags.filter((flag) => !known.has(flag))).toEqual([]);
});
