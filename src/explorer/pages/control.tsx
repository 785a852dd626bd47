import { useState } from 'preact/hooks';
import { forgetEmptyCode } from '../abi/contracts.ts';
import { feed, rpc } from '../app.ts';
import { ACTIONS, type Action, parameter } from '../data/actions.ts';
import type { Hex } from '../data/types.ts';
import { count, short } from '../format.ts';
import { Field } from '../parts/field.tsx';
import { useRemote } from '../parts/use-remote.ts';
import { BlockLink, Panel, Table, Waiting } from '../parts/values.tsx';

/** A request with its answer. */
interface Done {
  readonly request: string;
  readonly answer: string;
  readonly failed: boolean;
}

/** Changes the chain. Each button shows the request that it sends. */
export function ControlPage() {
  const [done, setDone] = useState<readonly Done[]>([]);
  const [turn, setTurn] = useState(0);
  const accounts = useRemote('accounts', () => rpc.call<Hex[]>('eth_accounts'));
  const send = async (method: string, params: readonly unknown[]) => {
    const request = requestText(method, params);
    const entry = await rpc.call<unknown>(method, ...params).then(
      (result) => ({ request, answer: JSON.stringify(result), failed: false }),
      (error: Error) => ({ request, answer: error.message, failed: true }),
    );
    setDone((earlier) => [entry, ...earlier].slice(0, 20));
    setTurn((it) => it + 1);
    forgetEmptyCode();
    feed.refresh();
  };
  const [account = ''] = accounts.value ?? [];
  return (
    <>
      <h1>Control</h1>
      <Panel title="Requests" aside={<span class="dim">the newest first</span>}>
        {done.length === 0 ? (
          <p class="dim">Nothing was sent yet. Every button below sends the request that stands under it.</p>
        ) : (
          <ol class="requests" aria-live="polite">
            {done.map(({ request, answer, failed }, i) => (
              <li key={done.length - i}>
                <code>{request}</code>
                <code class={failed ? 'bad' : 'good'}>
                  {answer.length > 200 ? `${answer.slice(0, 200)}…` : answer}
                </code>
              </li>
            ))}
          </ol>
        )}
      </Panel>
      <div class="columns">
        <Snapshots turn={turn} send={send} />
        {Object.entries(ACTIONS).map(([title, actions]) => (
          <Panel key={title} title={title}>
            {actions.map((action) => (
              <Form key={`${action.method} ${account}`} action={action} account={account} send={send} />
            ))}
          </Panel>
        ))}
      </div>
    </>
  );
}

type Send = (method: string, params: readonly unknown[]) => Promise<void>;

function Form({ action, account, send }: { action: Action; account: string; send: Send }) {
  const [texts, setTexts] = useState(
    action.inputs.map(({ initial }) => initial.replaceAll('{account}', account)),
  );
  const [problem, setProblem] = useState('');
  let params: unknown[] | undefined;
  try {
    params = action.inputs.map((input, i) => parameter(input, texts[i]!));
  } catch {
    // It is said when the button is pressed.
  }
  const submit = (event: Event) => {
    event.preventDefault();
    try {
      void send(
        action.method,
        action.inputs.map((input, i) => parameter(input, texts[i]!)),
      );
      setProblem('');
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <form class="action" aria-label={action.title} onSubmit={submit}>
      <div class="form">
        {action.inputs.map(({ label, as }, i) => (
          <Field
            key={label}
            label={label}
            value={texts[i]!}
            wide={as === 'text' || as === 'json'}
            onValue={(text) => setTexts(texts.map((old, at) => (at === i ? text : old)))}
          />
        ))}
        <button type="submit">{action.title}</button>
      </div>
      <code class="request">{params ? requestText(action.method, params) : action.method}</code>
      {problem && (
        <p class="bad" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

function Snapshots({ turn, send }: { turn: number; send: Send }) {
  const list = useRemote(`${turn}`, () =>
    rpc.call<{ snapshots: Record<Hex, [number: number, hash: Hex]> }>('anvil_metadata'),
  );
  const snapshots = Object.entries(list.value?.snapshots ?? {});
  return (
    <Panel title="Snapshots">
      <div class="form">
        <button type="button" onClick={() => send('evm_snapshot', [])}>
          Take a snapshot
        </button>
      </div>
      <code class="request">{requestText('evm_snapshot', [])}</code>
      {list.error && <Waiting error={list.error} />}
      {snapshots.length > 0 && (
        <Table label="Snapshots" head={['id', 'block', 'hash', 'go back']}>
          {snapshots.map(([id, [number, hash]]) => (
            <tr key={id}>
              <td>{id}</td>
              <td>
                <BlockLink number={number}>{count(number)}</BlockLink>
              </td>
              <td>
                <code title={hash}>{short(hash, 6)}</code>
              </td>
              <td>
                <button
                  type="button"
                  title={requestText('evm_revert', [id])}
                  onClick={() => send('evm_revert', [id])}
                >
                  Revert to {id}
                </button>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}

function requestText(method: string, params: readonly unknown[]): string {
  return `${method} ${JSON.stringify(params)}`;
}
