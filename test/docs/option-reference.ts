import { SECTIONS } from '../../src/options/table.ts';
import { membersOf, ParsedSource } from './parsed-source.ts';

/** Headings of the table of options -> the files with their rows. */
export const FILES: Readonly<Record<string, string>> = {
  Server: 'server',
  Accounts: 'accounts',
  Chain: 'chain',
  Fork: 'fork',
  Mining: 'mining',
  Storage: 'storage',
  'Several machines': 'scale',
};

/** The text of docs/options.md, from the table of options in src/options/table. */
export function optionReference(): string {
  const sections = Object.entries(SECTIONS).map(([heading, options]) => {
    const source = new ParsedSource(`src/options/table/${FILES[heading]}.ts`);
    const { value } = source.exported(FILES[heading]!.toUpperCase());
    const rows = membersOf(firstObject(value));
    const lines = Object.entries(options).map(([name, { flags, aliases = [] }]) => {
      const text = source.commentBefore(rows.get(name)!.start).replaceAll('\n', ' ');
      if (!text) throw new Error(`no comment says what the option ${name} means`);
      const also = aliases.length > 0 ? ` Also ${aliases.map((flag) => `\`${flag}\``).join(', ')}.` : '';
      return `| \`${name}\` | \`${flags}\` | ${text}${also} |`.replace(/(?<!^)\|(?! |$)/g, '\\|');
    });
    return [`## ${heading}`, ['| in the API | flag | |', '|---|---|---|', ...lines].join('\n')].join('\n\n');
  });
  return [HEAD, ...sections, ''].join('\n\n');
}

const HEAD = `# Options

<!-- npm run docs writes this page from the table in src/options/table -->

Of \`npx devnet\`, \`devnet run\`, \`createDevnet(options)\` and the entries for test runners. \`npx devnet --help\` prints the short form. A flag
that anvil has too means the same here.`;

type Node = Parameters<typeof membersOf>[0];

/** The object literal, also where it is an argument of a call. */
export function firstObject(node: Node): Node {
  if (node.type === 'ObjectExpression') return node;
  return firstObject(((node.arguments as Node[] | undefined)?.[0] ?? node.expression) as Node);
}
