import { expect, it } from 'vitest';
import { progressBar } from '../../src/cli/progress.ts';

const onOutput = (isTTY: boolean) => {
  const texts: string[] = [];
  return { texts, bar: progressBar({ isTTY, write: (text) => texts.push(text) }) };
};

it('an import shows its progress on a terminal, each percent once', () => {
  const { texts, bar } = onOutput(true);
  bar!({ number: 1n, bytes: 500, total: 1000 });
  bar!({ number: 2n, bytes: 501, total: 1000 });
  bar!({ number: 3n, bytes: 1000, total: 1000 });
  expect(texts).toHaveLength(2);
  expect(texts[0]).toMatch(/^\rImporting \[#{15}\.{15}\] 50 %, block 1$/);
  expect(texts[1]).toMatch(/^\rImporting \[#{30}\] 100 %, block 3\n$/);
});

it('shows nothing where the output is not a terminal', () => {
  expect(onOutput(false).bar).toBeUndefined();
});
