import { describe, expect, it } from 'vitest';
import { openProgress, ProgressLine, type Style, styleOn } from '../../src/cli/progress.ts';
import { ManualClock } from '../../src/clock.ts';
import type { Output } from '../../src/log/colors.ts';

const CLEAR = '\r\x1b[K';
const SECOND = 1_000;

function shown(style: Style, columns = 80) {
  const clock = new ManualClock();
  const texts: string[] = [];
  const output = { columns, write: (text: string) => texts.push(text) };
  const line = new ProgressLine({ style }, { clock, output });
  const blocks = (done: number, total?: number) =>
    line.report({ task: 'Exporting', done, unit: 'blocks', ...(total !== undefined && { total }) });
  /** Works for some seconds at an even pace, reporting ten times a second. */
  const work = async (seconds: number, rate: number, total: number) => {
    for (let i = 1; i <= 10 * seconds; i++) {
      blocks((i * rate) / 10, total);
      await clock.advance(SECOND / 10);
    }
  };
  return { clock, texts, line, blocks, work };
}

describe('where the output is no terminal', () => {
  it('a line each five seconds tells what, how many of how many, the rate and the time left', async () => {
    const { texts, blocks, work } = shown('lines');
    blocks(0, 30_000);
    await work(12, 250, 30_000);
    expect(texts).toEqual([
      'Exporting: 4 %, 1,250 of 30,000 blocks, 250 blocks/s, 1 min 55 s left\n',
      'Exporting: 8 %, 2,500 of 30,000 blocks, 250 blocks/s, 1 min 50 s left\n',
    ]);
  });

  it('work that ends before the first five seconds prints nothing', async () => {
    const { clock, texts, line, blocks, work } = shown('lines');
    blocks(0, 100);
    await work(4.9, 20, 100);
    line[Symbol.dispose]();
    await clock.advance(60 * SECOND);
    expect(texts).toEqual([]);
  });

  it('work that reports nothing more has its lines too, and its rate falls', async () => {
    const { clock, texts, blocks, work } = shown('lines');
    blocks(0, 1_000);
    await work(5, 100, 1_000);
    await clock.advance(5 * SECOND);
    expect(texts).toEqual([
      'Exporting: 50 %, 500 of 1,000 blocks, 100 blocks/s, 5 s left\n',
      'Exporting: 50 %, 500 of 1,000 blocks, 50 blocks/s, 10 s left\n',
    ]);
  });

  it('work in one step, during which no timer fires, has a line at its next report', () => {
    let now = 0;
    const texts: string[] = [];
    const clock = Object.assign(new ManualClock(), { now: () => now });
    const line = new ProgressLine(
      { style: 'lines' },
      { clock, output: { write: (text) => texts.push(text) } },
    );
    line.report({ task: 'Reading', done: 0, total: 10, unit: 'accounts' });
    now = 6_000;
    line.report({ task: 'Reading', done: 6, total: 10, unit: 'accounts' });
    expect(texts).toEqual(['Reading: 60 %, 6 of 10 accounts, 1 accounts/s, 4 s left\n']);
  });
});

describe('the text', () => {
  const textOf = async (progress: Parameters<ProgressLine['report']>[0]) => {
    const { clock, texts, line } = shown('lines');
    const { also, ...rest } = progress;
    line.report({
      ...rest,
      ...(rest.done !== undefined && { done: 0 }),
      ...(also && { also: { ...also, done: 0 } }),
    });
    await clock.advance(4_999);
    line.report(progress);
    await clock.advance(1);
    return texts.at(-1);
  };

  it('of bytes is in MB, with the rate of what is counted besides', async () => {
    expect(
      await textOf({
        ...{ task: 'Importing chain.rlp', done: 12_300_000, total: 27_400_000, unit: 'bytes' },
        also: { done: 1_050, unit: 'blocks' },
      }),
    ).toBe('Importing chain.rlp: 44 %, 12.3 of 27.4 MB, 1,050 blocks, 210 blocks/s, 6 s left\n');
  });

  it('without a total has no time left', async () => {
    expect(await textOf({ task: 'Reading', done: 5, unit: 'accounts' })).toBe(
      'Reading: 5 accounts, 1 accounts/s\n',
    );
  });

  it("of what can't be counted has the time that it has taken", async () => {
    expect(await textOf({ task: 'Opening the data directory' })).toBe('Opening the data directory: 5 s\n');
  });

  it('of files that are done in part counts whole ones', async () => {
    expect(await textOf({ task: 'Replaying', done: 2.5, total: 30, unit: 'files' })).toBe(
      'Replaying: 8 %, 2 of 30 files, 0.50 files/s, 55 s left\n',
    );
  });

  it('of long work has hours', async () => {
    expect(await textOf({ task: 'Exporting', done: 50, total: 100_000, unit: 'blocks' })).toBe(
      'Exporting: 0 %, 50 of 100,000 blocks, 10 blocks/s, 2 h 46 min left\n',
    );
  });
});

it('another task begins anew, and so does a count that goes back', async () => {
  const { clock, texts, line, blocks, work } = shown('lines');
  blocks(0, 100);
  await work(4, 20, 100);
  line.report({ task: 'Storing' });
  await clock.advance(SECOND);
  blocks(50, 100);
  await clock.advance(4 * SECOND);
  blocks(0, 40);
  await clock.advance(SECOND);
  expect(texts).toEqual(['Storing: 1 s\n', 'Exporting: 0 %, 0 of 40 blocks, 0 blocks/s\n']);
});

describe('in a terminal', () => {
  it('one line is redrawn, at most ten times a second, and taken away at the end', async () => {
    const { texts, line, blocks, work } = shown('redrawn');
    blocks(0, 100);
    await work(2, 10, 100);
    line[Symbol.dispose]();
    expect(texts.length).toBeLessThan(14);
    for (const text of texts.slice(0, -1)) {
      expect(text.startsWith(`${CLEAR}Exporting: `)).toBe(true);
      expect(text).not.toContain('\n');
    }
    expect(texts.at(-2)).toBe(`${CLEAR}Exporting: 20 %, 20 of 100 blocks, 10 blocks/s, 8 s left`);
    expect(texts.at(-1)).toBe(CLEAR);
  });

  it('work that ends in the first second draws nothing, so that nothing flickers', async () => {
    const { clock, texts, line, blocks } = shown('redrawn');
    blocks(0, 100);
    await clock.advance(999);
    blocks(99, 100);
    line[Symbol.dispose]();
    expect(texts).toEqual([]);
  });

  it('the line is cut to the width of the terminal', async () => {
    const { texts, blocks, work } = shown('redrawn', 30);
    blocks(0, 100);
    await work(2, 10, 100);
    for (const text of texts) expect(text.slice(CLEAR.length).length).toBeLessThan(30);
    const narrow = shown('redrawn', 53);
    narrow.blocks(0, 100);
    await narrow.work(2, 10, 100);
    expect(narrow.texts.at(-1)).toBe(`${CLEAR}Exporting: 20 of 100 blocks, 10 blocks/s, 8 s left`);
  });

  it('what else is printed takes the line away first', async () => {
    const { texts, line, blocks, work } = shown('redrawn');
    const output = line.over({ isTTY: true, write: (text) => texts.push(text) });
    output.write('before\n');
    blocks(0, 100);
    await work(2, 10, 100);
    const drawn = texts.length;
    output.write('meanwhile\n');
    output.write('twice\n');
    expect(texts[0]).toBe('before\n');
    expect(texts.slice(drawn)).toEqual([CLEAR, 'meanwhile\n', 'twice\n']);
    expect(output.isTTY).toBe(true);
  });
});

it('a record of a log in JSON has the same facts', async () => {
  const { texts, blocks, work } = shown('records');
  blocks(0, 1_000);
  await work(5, 100, 1_000);
  expect(texts.map((text) => JSON.parse(text))).toEqual([
    {
      ...{ time: '1970-01-01T00:00:05.000Z', level: 'info', event: 'progress', task: 'Exporting' },
      ...{ done: 500, total: 1_000, unit: 'blocks', rate: 100, rateUnit: 'blocks', secondsLeft: 5 },
    },
  ]);
});

describe('how it is shown', () => {
  const terminal: Output = { isTTY: true, write: () => {} };

  it('is redrawn in a terminal, but neither in a build service nor in a terminal without control codes', () => {
    expect(styleOn(terminal, {})).toBe('redrawn');
    expect(styleOn(terminal, { CI: 'false', NO_COLOR: '1' })).toBe('redrawn');
    expect(styleOn(terminal, { CI: 'true' })).toBe('lines');
    expect(styleOn(terminal, { TERM: 'dumb' })).toBe('lines');
    expect(styleOn({ write: () => {} }, {})).toBe('lines');
  });

  it('nothing is shown with --silent', () => {
    expect(openProgress({ silent: true }, { stderr: terminal, env: {} })).toBeUndefined();
    expect(openProgress({}, { stderr: terminal, env: {} })).toBeInstanceOf(ProgressLine);
  });
});
