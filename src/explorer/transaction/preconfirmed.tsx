import { useState } from 'preact/hooks';
import { feed, rpc } from '../app.ts';
import type { Hex } from '../data/types.ts';
import { go } from '../route.ts';

/** Buttons that drop a pre-confirmed transaction or make it fail, before its block is sealed. */
export function PreconfirmedButtons({ hash }: { hash: Hex }) {
  const [problem, setProblem] = useState('');
  const send = (method: string, then: (answer: unknown) => void) =>
    rpc.call<unknown>(method, hash).then(
      (answer) => {
        feed.refresh();
        then(answer);
      },
      (error: Error) => setProblem(error.message),
    );
  return (
    <>
      {problem && (
        <span class="bad" role="alert">
          {problem}
        </span>
      )}
      <button
        type="button"
        title="devnet_dropPreconfirmed: the open block is built again without it"
        onClick={() => send('devnet_dropPreconfirmed', () => {})}
      >
        Drop it
      </button>
      <button
        type="button"
        title="devnet_failPreconfirmed: one that fails takes its place in the open block"
        onClick={() => send('devnet_failPreconfirmed', (failing) => go('tx', failing as Hex))}
      >
        Make it fail
      </button>
    </>
  );
}
