import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Create, type Io, main } from '../../src/cli/main.ts';
import { createDevnet, type Devnet } from '../../src/index.ts';
import { CODE_BLOCKS } from './pages.ts';

/** Code blocks of a shell, with a language or without one. */
const SHELL = CODE_BLOCKS.filter(({ language }) => ['', 'sh'].includes(language));

/** Each line `npx devnet ...` without its comment, and with the page that it is on. */
const COMMANDS = SHELL.flatMap(({ page, text }) =>
  [...text.matchAll(/^(?:npm ci && )?npx devnet\b(.*)$/gm)].map(
    ([, args = '']) => [page, args.replace(/\s#.*$/, '').trim()] as const,
  ),
);

/** Each JSON body that curl sends, on one line or more. */
const BODIES = SHELL.flatMap(({ page, text }) =>
  [...text.matchAll(/^curl .*?-d '([^']*)'/gms)].map(([, body = '']) => [page, body] as const),
);

/** Runs a command line up to where it would start a node. @returns what it printed, and the options of that node */
async function parsed(args: readonly string[]) {
  let printed = '';
  let options: unknown;
  const write = (text: string) => {
    printed += text;
  };
  const create: Create = (given) => {
    options = given;
    return Promise.reject(new Error('not started here'));
  };
  const io: Io = {
    version: '1.2.3',
    stdout: { write },
    stderr: { write },
    env: {},
    signals: { on: () => {}, off: () => {} },
    exit: () => {},
    flush: async () => {},
    load: async () => create,
    loadFollow:
      async () =>
      (_, ...rest) =>
        create(...rest),
  };
  const code = await main(args, io);
  return { code, printed, options };
}

describe('the commands in the documents', () => {
  it('are many', () => {
    expect(COMMANDS.length).toBeGreaterThan(12);
    expect(BODIES.length).toBeGreaterThan(5);
  });

  it.each(COMMANDS.filter(([, line]) => !/^(?:run|replay|worker|promote|export|fork-cache)\b/.test(line)))(
    '%s: npx devnet %s has flags and values that there are',
    async (_, line) => {
      const { printed, options } = await parsed(line.split(/ +/).filter(Boolean));
      expect(printed).toBe('error: not started here\n');
      expect(options).toBeDefined();
    },
  );

  it.each(COMMANDS.filter(([, line]) => /^(?:run|replay|worker|promote|export|fork-cache)\b/.test(line)))(
    '%s: npx devnet %s has flags that its help knows',
    async (_, line) => {
      const [name, ...args] = line.split(' -- ')[0]!.split(/ +/);
      const { code, printed } = await parsed([name!, '--help']);
      expect(code).toBe(0);
      const flags = args.filter((arg) => arg.startsWith('-'));
      expect(flags.filter((flag) => !printed.includes(flag))).toEqual([]);
    },
  );
});

describe('the requests in the documents are answered:', () => {
  let node: Devnet;
  beforeAll(async () => {
    node = await createDevnet({ port: 0, manualClock: true });
    // Some take back blocks.
    await node.provider.request({ method: 'anvil_mine', params: ['0x5'] });
  });
  afterAll(() => node.close());

  it.each(BODIES)('%s: %s', async (_, body) => {
    const response = await fetch(node.url!, { method: 'POST', body });
    const answer = await response.json();
    expect(answer).toMatchObject({ jsonrpc: '2.0', result: expect.anything() });
  });
});
