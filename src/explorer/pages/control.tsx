import { store } from '../app.ts';
import { ActionForm } from '../control/action-form.tsx';
import { ChainSettings } from '../control/chain-settings.tsx';
import { AutomineSwitch, Connect, Faucet, Impersonation, Snapshots } from '../control/groups.tsx';
import { done } from '../control/send.ts';
import { ACTIONS, FAILURES } from '../data/actions.ts';
import { preconfirms } from '../data/feed.ts';
import { useDeployed } from '../names/deployed.ts';
import { devAccounts } from '../names/dev-accounts.ts';
import { Panel } from '../parts/values.tsx';

/** The page that changes the chain, with the current settings. Each button shows the request that it sends. */
export function ControlPage() {
  const status = store.status.value;
  const [account = ''] = devAccounts.value;
  useDeployed();
  const head = store.sealed.value.at(-1);
  if (!status || !head) return <p class="dim">waiting for the node …</p>;
  const { clientVersion, mode } = status;
  const blockTime = 'blockTime' in mode ? mode.blockTime : 2_000;
  const isHardhat = clientVersion.startsWith('HardhatNetwork');
  const present = {
    account,
    timeUnit: isHardhat ? 'milliseconds' : 'seconds',
    blockTime: String(isHardhat ? blockTime : blockTime / 1_000),
    gasLimit: String(Number(head.gasLimit)),
  };
  return (
    <>
      <div class="title">
        <h1>Control</h1>
      </div>
      <p class="subtitle">The request that a button sends is shown below it.</p>
      <ChainSettings />
      <Requests />
      <div class="columns">
        <Panel title="Mining">
          <AutomineSwitch />
          {ACTIONS.Mining!.map((action) => (
            <ActionForm key={action.method} action={action} present={present} />
          ))}
        </Panel>
        <Snapshots />
        <Faucet />
        <Impersonation />
        <Connect />
        {Object.entries(ACTIONS)
          .filter(([title]) => title !== 'Mining')
          .map(([title, actions]) => (
            <Panel key={title} title={title}>
              {title === FAILURES && !preconfirms(status) && (
                <p class="dim small" style={{ marginBottom: '12px' }}>
                  Most of these need flashblocks, which a node makes that has a block time.
                </p>
              )}
              {actions
                .filter(({ manualClock }) => !manualClock || mode.manualClock)
                .map((action) => (
                  <ActionForm key={`${action.method} ${account}`} action={action} present={present} />
                ))}
            </Panel>
          ))}
      </div>
    </>
  );
}

function Requests() {
  const list = done.value;
  if (list.length === 0) return null;
  return (
    <Panel title="Requests" aside={<span class="dim small">the newest first</span>}>
      <ol class="requests" aria-live="polite">
        {list.map(({ request, answer, failed }, i) => (
          <li key={list.length - i}>
            <code>{request}</code>
            <code class={failed ? 'bad' : 'good'}>
              {answer.length > 200 ? `${answer.slice(0, 200)}…` : answer}
            </code>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
