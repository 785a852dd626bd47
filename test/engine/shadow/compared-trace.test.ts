import { Address } from '@ethereumjs/util';
import { expect, it } from 'vitest';
import type { RunListener } from '../../../src/engine/run-listener.ts';
import { ComparedTrace } from '../../../src/engine/shadow/compared-trace.ts';

const BEGIN = {
  type: 'CALL',
  from: new Address(new Uint8Array(20)),
  gas: 5n,
  input: new Uint8Array(0),
} as const;
const END = { gasUsed: 5n, output: new Uint8Array(0), isPrecompile: false } as const;

/** A listener, and the gas of the calls that it has heard of. */
function listening() {
  const heard: bigint[] = [];
  const listener: RunListener = {
    start: () => {},
    calls: {
      begin: ({ gas }) => void heard.push(gas),
      end: () => {},
      refuse: () => {},
      log: () => {},
      selfDestruct: () => {},
    },
  };
  return { heard, trace: new ComparedTrace(listener) };
}

it('two runs that tell the same have the same trace, and the listener hears of the first one', () => {
  const { heard, trace } = listening();
  for (const { calls } of [trace.first, trace.second]) {
    calls!.begin(BEGIN);
    calls!.end(END);
  }
  expect(heard).toEqual([5n]);
  expect(trace.difference).toBeUndefined();
});

it('a difference is named by the event', () => {
  const { trace } = listening();
  const { first, second } = trace;
  first.calls!.begin(BEGIN);
  first.calls!.end(END);
  second.calls!.begin(BEGIN);
  second.calls!.end({ ...END, gasUsed: 4n });
  expect(trace.difference).toMatch(/^event 1 .*"gasUsed":"4"/);
});

it('a trace that ends early is different', () => {
  const { trace } = listening();
  const { first, second } = trace;
  first.calls!.begin(BEGIN);
  first.calls!.end(END);
  second.calls!.begin(BEGIN);
  expect(trace.difference).toBe('the number of events of its trace: 1 and 2');
});
