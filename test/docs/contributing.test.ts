import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const TEXT = readFileSync(new URL('CONTRIBUTING.md', ROOT), 'utf8');
/** Text in backticks, without the code blocks. */
const SPANS = [...TEXT.replace(/^ *```.*?^ *```$/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!);

const sources = new Map(
  readdirSync(new URL('src', ROOT), { recursive: true, encoding: 'utf8' })
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts'))
    .map((path) => [path, readFileSync(new URL(path, ROOT), 'utf8')]),
);

/** Whether a file declares `name`: a function, a constant, a class or interface, or with a dot a member of one. */
function declares(text: string, name: string): boolean {
  const [owner = '', member] = name.split('.');
  if (member === undefined)
    return new RegExp(
      `^ *(?:export )?(?:async )?(?:function\\*?|const|class|interface) ${owner}\\b`,
      'm',
    ).test(text);
  const body = new RegExp(`^(?:export )?(?:class|interface) ${owner}\\b.*?^}`, 'ms').exec(text)?.[0] ?? '';
  return new RegExp(`^ {2}(?:static |override |async |get |readonly )*${member}\\b`, 'm').test(body);
}

describe('CONTRIBUTING names only what there is:', () => {
  const steps = SPANS.filter((span) => /^src\/\S+\.ts: /.test(span)).map((span) => span.split(': '));
  const paths = SPANS.filter((span) => /^(?:src|test|fixtures|scripts|docs)\/[^\s*]*$/.test(span));
  const members = SPANS.filter((span) => /^[A-Z]\w*[a-z]\w*\.#?[a-z]\w*$/.test(span) && !existsSync(span));
  const functions = SPANS.filter((span) => /^\w+\(\)$/.test(span));

  it('three walks of many steps', () => {
    expect(TEXT.match(/^## Walk \d: .*/gm)).toHaveLength(3);
    expect(steps.length).toBeGreaterThan(30);
  });

  it.each(steps)('%s: %s', (path, name) => {
    expect([...sources.keys()]).toContain(path);
    expect(declares(sources.get(path!)!, name!)).toBe(true);
  });

  it('files and folders', () => {
    expect(paths.filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([]);
  });

  it('functions, and members of classes', () => {
    const names = [...functions.map((call) => call.slice(0, -2)), ...members].filter(
      (name) => !(name.split('.')[0]! in globalThis),
    );
    const texts = [...sources.values()];
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !texts.some((text) => declares(text, name)))).toEqual([]);
  });
});

it('the table of CONTRIBUTING has a row for each folder right under src', () => {
  const folders = readdirSync(new URL('src', ROOT), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `\`src/${name}/\``);
  const table = TEXT.slice(TEXT.indexOf('## Where things are'), TEXT.indexOf('## Commands'));
  expect(folders.filter((folder) => !table.includes(folder))).toEqual([]);
});

it('each folder of test mirrors one of src, or the table of the test tree names it', () => {
  const folders = readdirSync(new URL('test', ROOT), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => name.slice(0, name.lastIndexOf('/') + 1));
  const table = TEXT.slice(TEXT.indexOf('### The test tree'), TEXT.indexOf('## Add an RPC method'));
  const named = [...table.matchAll(/`test\/([^`]+\/)`/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(4);
  const strangers = [...new Set(folders)].filter(
    (folder) => !existsSync(new URL(`src/${folder}`, ROOT)) && !named.some((name) => folder.startsWith(name)),
  );
  expect(strangers).toEqual([]);
});
