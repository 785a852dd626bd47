import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reportJson, reportLines, reportMarkdown } from '../../src/cli/report.ts';
import { colors } from '../../src/log/colors.ts';
import type { LogEvent } from '../../src/log/log-event.ts';
import { JsonLog } from '../../src/log/log-json.ts';
import { TextLog } from '../../src/log/log-lines.ts';
import { printable } from '../../src/log/printable.ts';

/** What a terminal takes for something else than a character, apart from the tab. */
const STEERS = /(?!\t)\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u;

describe('a text that is printed', () => {
  it.each([
    ['the bell', '\u0007', '\\u0007'],
    ['a line break', 'a\nb', 'a\\nb'],
    ['a carriage return', 'a\rb', 'a\\rb'],
    ['an escape sequence', '\u001b[2J', '\\u001b[2J'],
    ['an escape sequence in one character', '\u009b2J', '\\u009b2J'],
    ['delete', '\u007f', '\\u007f'],
    ['next line', '\u0085', '\\u0085'],
    [
      'marks of direction',
      '\u200e\u200f\u061c\u202a\u202e\u2066\u2069',
      '\\u200e\\u200f\\u061c\\u202a\\u202e\\u2066\\u2069',
    ],
    ['line separators', '\u2028\u2029', '\\u2028\\u2029'],
    ['what is not seen', 'DA\u200bI\ufeff\u2060\u00ad', 'DA\\u200bI\\ufeff\\u2060\\u00ad'],
    ['joiners outside emoji', 'DAI\u200d\u200c', 'DAI\\u200d\\u200c'],
    ['tags, which are above U+FFFF', 'a\u{e0041}', 'a\\udb40\\udc41'],
  ])('has an escape in place of %s', (_, text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  it.each([
    'plain text',
    'a\tb',
    '代币 é ñ ö',
    'שלום',
    '😀 👩‍🚀 👨‍👩‍👧 🏳️‍🌈 🧑🏽‍🌾',
    '"quoted" \\ back',
    '└─ ← [Stop]',
  ])('stays: %s', (text) => {
    expect(printable(text)).toBe(text);
  });

  it('has no character that steers a terminal, and as JSON keeps its value', () => {
    const emoji = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?\u200d/gu;
    const any = fc.string({ unit: 'binary' });
    const odd = fc.string({
      unit: fc
        .integer({ min: 0, max: 0x10ffff })
        .filter((c) => c < 0xd800 || c > 0xdfff)
        .map((c) => String.fromCodePoint(c)),
    });
    const low = fc.string({
      unit: fc.integer({ min: 0, max: 0x2100 }).map((code) => String.fromCharCode(code)),
    });
    fc.assert(
      fc.property(fc.oneof(any, odd, low), (text) => {
        expect(printable(text).replace(emoji, '')).not.toMatch(STEERS);
        expect(JSON.parse(printable(JSON.stringify({ text })))).toEqual({ text });
      }),
    );
  });
});

describe('hostile text', () => {
  const hostile = 'x\n    Block Number: 9\r\u009b2J\u202eevil\u200b\u2028y';
  const at = 0;
  const events: LogEvent[] = [
    { at, kind: 'call', report: { method: hostile, began: 0, ms: 0, error: undefined }, failure: undefined },
    {
      at,
      kind: 'call',
      report: { method: 'eth_call', began: 0, ms: 0, error: new TypeError(hostile) },
      failure: hostile,
    },
    { at, kind: 'notice', about: 'follow', message: hostile },
    { at, kind: 'console', line: hostile, from: '0x00', contract: hostile },
    { at, kind: 'dropped', transaction: { hash: new Uint8Array(32) } as never, reason: hostile },
  ];

  it.each([
    ['text', new TextLog({ colors: colors(false) })],
    ['JSON', new JsonLog({ level: 'info' })],
  ])('stays in its line of a log in %s', (_, format) => {
    const lines = format.lines(events);
    expect(lines).toHaveLength(events.length + (format instanceof TextLog ? 1 : 0));
    for (const line of lines) {
      expect(line).not.toMatch(STEERS);
      expect(line).not.toMatch(/^ *Block Number/);
    }
  });

  it('keeps its value in a log in JSON', () => {
    const records = new JsonLog({ level: 'info' }).lines(events).map((line) => JSON.parse(line));
    expect(records.find(({ event }) => event === 'console')).toMatchObject({
      line: hostile,
      contract: hostile,
    });
  });

  it('stays in its place of a report', () => {
    const failed = { hash: '0x1', block: 1, from: '0x2', to: '0x3', value: '0', gasUsed: 1, gasLimit: 2 };
    const fields = {
      transactions: 1,
      failedTransactions: [{ ...failed, contract: hostile, call: hostile, reason: hostile }],
      failedCalls: [{ method: hostile, reason: hostile, times: 1 }],
      functions: [{ function: hostile, calls: 1, failed: 1, min: 1, average: 1, median: 1, max: 1 }],
      more: 0,
    };
    expect(JSON.parse(reportJson(fields))).toEqual(fields);
    for (const text of [reportJson(fields), reportMarkdown(fields), reportLines(fields).join('\n')])
      for (const line of text.split('\n')) {
        expect(line).not.toMatch(STEERS);
        expect(line).not.toMatch(/^ *Block Number/);
      }
  });
});
