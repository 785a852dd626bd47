import {
  fromAnvil,
  refusedOfAnvil,
  takenFromAnvil,
  withoutEffectOfAnvil,
} from '../../src/cli/anvil-flags.ts';
import { OF_GANACHE, OF_HARDHAT as OPTIONS_OF_HARDHAT } from '../../src/options/other-tools.ts';
import { ALIASES } from '../../src/rpc/aliases.ts';
import { METHODS } from '../../src/rpc/all-methods.ts';
import { DIFFERENCES as OF_ANVIL } from '../suites/anvil-differences.mjs';
import { DIFFERENCES as OF_HARDHAT } from '../suites/hardhat-differences.mjs';
import { differencesOf } from './method-reference.ts';

/** Name in `<!-- table: name -->` of docs/migrating.md -> the rows below, up to `<!-- end -->`. */
const TABLES: Readonly<Record<string, () => string[]>> = {
  'anvil-flags': anvilFlags,
  'anvil-differences': () => differences(OF_ANVIL),
  'hardhat-options': () => otherOptions('of Hardhat', OPTIONS_OF_HARDHAT),
  'hardhat-names': () => otherNames('hardhat'),
  'hardhat-differences': () => differences(OF_HARDHAT),
  'ganache-flags': () => otherOptions('of Ganache 7', OF_GANACHE),
  'ganache-names': () => otherNames('evm'),
};

/** The page with its tables as the definitions in src and test/suites are now. */
export function withMigrationTables(page: string): string {
  const missing = Object.keys(TABLES).filter((name) => !page.includes(`<!-- table: ${name} -->`));
  if (missing.length > 0) throw new Error(`docs/migrating.md has no table ${missing.join(', ')}`);
  return page.replace(
    /(<!-- table: ([\w-]+) -->\n).*?(<!-- end -->)/gs,
    (_, start: string, name: string, end: string) => `${start}\n${TABLES[name]!().join('\n')}\n\n${end}`,
  );
}

function anvilFlags(): string[] {
  const rows = takenFromAnvil().map((flag): [string, string] => {
    // Those that take a value get one.
    const own = [[flag], [flag, 'ethereum']].map((args) => fromAnvil(args)).find(Array.isArray) as
      | string[]
      | undefined;
    if (flag === '--network') return [flag, '`ethereum` is the default, `optimism` is `--optimism`'];
    if (flag === '--mnemonic-random') return [flag, '`--mnemonic` with random words'];
    const why = withoutEffectOfAnvil()[flag];
    return [flag, why === undefined ? `\`${own!.join(' ')}\`` : `taken, and without effect: ${why}`];
  });
  const refused = Object.entries(refusedOfAnvil()).map(([flag, reason]): [string, string] => [
    flag,
    `refused: ${reason.replace(/(?<![`\w-])--[a-z-]+/g, '`$&`')}`,
  ]);
  return table(
    ['flag of anvil', 'in devnet'],
    [...rows, ...refused].sort(([a], [b]) => a.localeCompare(b, 'en')),
  );
}

function otherOptions(head: string, rows: Readonly<Record<string, string>>): string[] {
  const asCode = (row: string) => (row.includes(':') ? `\`${row}\`` : row.replaceAll(/[\w.-]+/g, '`$&`'));
  return table(
    [head, 'in devnet'],
    Object.entries(rows).map(([row, meant]) => [asCode(row), meant]),
  );
}

function otherNames(namespace: string): string[] {
  const rows = Object.entries(ALIASES)
    .filter(([other]) => other.startsWith(`${namespace}_`))
    .map(([other, own]): [string, string] => [other, link(own)]);
  const own = METHODS.filter(({ name }) => name.startsWith(`${namespace}_`)).map(
    ({ name }): [string, string] => [name, link(name)],
  );
  return table(
    ['method', 'described as'],
    [...rows, ...own].sort(([a], [b]) => a.localeCompare(b, 'en')),
  );
}

function differences(of: Readonly<Record<string, string>>): string[] {
  const rows = METHODS.flatMap(({ name }): [string, string][] => {
    const names = [name, ...Object.keys(ALIASES).filter((alias) => ALIASES[alias] === name)];
    const reasons = differencesOf(names, of);
    return reasons.length === 0 ? [] : [[link(name), reasons.join('; ')]];
  });
  return table(['method', 'what differs, and why'], rows);
}

function link(name: string): string {
  return `[${name}](methods/${name.split('_')[0]}.md#${name.toLowerCase()})`;
}

function table(head: readonly string[], rows: readonly (readonly [string, string])[]): string[] {
  const code = (text: string) => (/^(?:--|\w+$)/.test(text) ? `\`${text}\`` : text);
  const escaped = (text: string) => text.replaceAll('|', '\\|');
  return [
    `| ${head.join(' | ')} |`,
    '|---|---|',
    ...rows.map(([first, second]) => `| ${escaped(code(first))} | ${escaped(second)} |`),
  ];
}
