import { describe, expect, test } from 'vitest';
import { headStep, type Place, type StreamStep, streamStep } from '../../src/follow/sequence.ts';

/** `block.index`, with the payload `a` unless another one follows. */
function place(text: string): Place {
  const [, number, index, payload = 'a'] = /^(\d+)\.(\d+)(\w)?$/.exec(text)!;
  return { number: BigInt(number!), index: Number(index), payload };
}

describe('a message of the stream', () => {
  const rows: [string, latest: string | undefined, incoming: string, StreamStep][] = [
    ['first index 0', undefined, '7.0', 'begin'],
    ['first later index', undefined, '7.3', 'wait'],
    ['same block, next index', '7.3', '7.4', 'append'],
    ['same block, index 1 after 0', '7.0', '7.1', 'append'],
    ['next block, index 0', '7.10', '8.0b', 'begin'],
    ['next block, index 0, after fewer indexes', '7.3', '8.0b', 'begin'],
    ['duplicate', '7.3', '7.3', 'duplicate'],
    ['duplicate of index 0', '7.0', '7.0', 'duplicate'],
    ['an older index again', '7.3', '7.1', 'duplicate'],
    ['index 0 again', '7.3', '7.0', 'duplicate'],
    ['gap in the block', '7.3', '7.5', 'clear'],
    ['begun anew', '7.3', '7.0b', 'begin'],
    ['begun anew, index 0 missed', '7.3', '7.4b', 'clear'],
    ['same index of another payload', '7.3', '7.3b', 'clear'],
    ['next block, index 0 missed', '7.10', '8.1b', 'clear'],
    ['next block, next index', '7.3', '8.4b', 'clear'],
    ['later block, index 0', '7.10', '9.0b', 'begin'],
    ['later block, other index', '7.10', '9.2b', 'clear'],
    ['older block, index 0', '7.10', '5.0b', 'begin'],
    ['older block, other index', '7.10', '6.2b', 'clear'],
  ];
  test.each(rows)('%s: %s then %s', (_, latest, incoming, step) => {
    expect(streamStep(latest === undefined ? undefined : place(latest), place(incoming))).toBe(step);
  });
});

describe('a sealed block', () => {
  const hash = (text: string) => new Uint8Array(Buffer.from(text.padEnd(32)));
  const chain = ['a0', 'a1', 'a2', 'a3'];
  const rows: [string, head: string, parent: string, pending: string | undefined, string][] = [
    ['that is the head', 'a3', 'a2', 'a4', 'known'],
    ['that is in the chain', 'a1', 'a0', undefined, 'known'],
    ['that is pending', 'a4', 'a3', 'a4', 'seal'],
    ['whose pending differs', 'b4', 'a3', 'a4', 'adopt'],
    ['that comes next', 'a4', 'a3', undefined, 'adopt'],
    ['after one that is missing', 'a5', 'a4', 'a4', 'resync'],
    ['far ahead', 'a9', 'a8', undefined, 'resync'],
    ['instead of the head', 'b3', 'a2', undefined, 'resync'],
    ['instead of an older one', 'b1', 'a0', 'a4', 'resync'],
    ['on another head', 'b4', 'b3', 'a4', 'resync'],
  ];
  test.each(rows)('%s (%s on %s, pending %s)', (_, head, parent, pending, step) => {
    const id = (text: string) => ({ number: BigInt(text.slice(1)), hash: hash(text) });
    expect(
      headStep(
        { ...id(head), parentHash: hash(parent) },
        {
          latest: id('a3'),
          pending: pending === undefined ? undefined : id(pending),
          hashOf: (number) => hash(chain[Number(number)]!),
        },
      ),
    ).toBe(step);
  });
});
