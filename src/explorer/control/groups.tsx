import { useState } from 'preact/hooks';
import { rpc, store } from '../app.ts';
import { parameter } from '../data/actions.ts';
import type { Hex } from '../data/types.ts';
import { wholeNumber } from '../data/units.ts';
import { count, short } from '../format.ts';
import { addressIn } from '../names/address-in.ts';
import { knownContracts } from '../names/deployed.ts';
import { tokenOf } from '../names/tokens.ts';
import { Address } from '../parts/address.tsx';
import { Check } from '../parts/check.tsx';
import { Field } from '../parts/field.tsx';
import { useRemote } from '../parts/use-remote.ts';
import { BlockLink, Copy, Fact, Panel, Table, Waiting } from '../parts/values.tsx';
import { requestText, send, turn } from './send.ts';

/** A switch for automine that shows the current setting. */
export function AutomineSwitch() {
  const isOn = store.status.value!.mode.kind === 'automine';
  return <Switch label="Automine: each transaction makes a block" method="evm_setAutomine" isOn={isOn} />;
}

/** A switch of a node's setting, with the request that it sends. @param props.method a method whose only parameter is the new setting */
function Switch({ label, method, isOn }: { label: string; method: string; isOn: boolean }) {
  return (
    <div class="action">
      <Check label={label} asSwitch checked={isOn} onChange={(on) => void send(method, [on])} />
      <code class="request">{requestText(method, [!isOn])}</code>
    </div>
  );
}

/** Gives an account ETH or tokens. */
export function Faucet() {
  const [who, setWho] = useState('account 0');
  const [amount, setAmount] = useState('100');
  const [asset, setAsset] = useState('ETH');
  const [problem, setProblem] = useState('');
  const tokens = knownContracts().flatMap((address) => {
    const token = tokenOf(address);
    return token?.standard === 'ERC-20' ? [token] : [];
  });
  const token = tokens.find(({ address }) => address === asset);
  const read = (): [string, unknown[]] => {
    const account = parameter({ label: 'who', initial: '', as: 'address' }, who, addressIn);
    const unit = token?.decimals ?? 18;
    const symbols = token ? { [token.symbol.toLowerCase()]: unit } : {};
    const value = wholeNumber(amount, { unit, symbols });
    if (value === undefined || value < 0n) throw new Error('amount: expected an amount, such as 1.5 or 1e18');
    const hex = `0x${value.toString(16)}`;
    return token ? ['anvil_dealERC20', [account, token.address, hex]] : ['anvil_addBalance', [account, hex]];
  };
  let request = '';
  try {
    request = requestText(...read());
  } catch {
    // The error is shown when the button is pressed.
  }
  return (
    <Panel title="Faucet">
      <form
        class="action"
        aria-label="Faucet"
        onSubmit={(event) => {
          event.preventDefault();
          try {
            void send(...read());
            setProblem('');
          } catch (error) {
            setProblem((error as Error).message);
          }
        }}
      >
        <div class="form">
          <Field label="who" wide value={who} onValue={setWho} placeholder="account 0 or 0x…" />
          <Field label="amount" value={amount} onValue={setAmount} />
          <label class="field">
            <span>of</span>
            <select value={asset} onChange={(event) => setAsset(event.currentTarget.value)}>
              <option value="ETH">ETH</option>
              {tokens.map(({ address, symbol }) => (
                <option key={address} value={address}>
                  {symbol || short(address)}
                </option>
              ))}
            </select>
          </label>
          <button type="submit" class="main">
            {token ? 'Set balance' : 'Give'}
          </button>
        </div>
        {token && <p class="dim small">The balance of a token is set to the amount; of ETH it is added.</p>}
        <code class="request">{request}</code>
        {problem && (
          <p class="bad" role="alert">
            {problem}
          </p>
        )}
      </form>
    </Panel>
  );
}

/** The impersonated accounts. */
export function Impersonation() {
  const { accounts, all } = store.status.value!.impersonated;
  const [who, setWho] = useState('');
  const address = addressIn(who);
  return (
    <Panel title="Impersonated accounts">
      <Switch
        label="Every account: send from any address without its key"
        method="anvil_autoImpersonateAccount"
        isOn={all}
      />
      <form
        class="action"
        aria-label="Impersonate"
        onSubmit={(event) => {
          event.preventDefault();
          if (address) void send('anvil_impersonateAccount', [address]).then(() => setWho(''));
        }}
      >
        <div class="form">
          <Field label="address" wide value={who} onValue={setWho} placeholder="0x… or a contract's name" />
          <button type="submit" disabled={!address}>
            Impersonate
          </button>
        </div>
        <code class="request">
          {address ? requestText('anvil_impersonateAccount', [address]) : 'anvil_impersonateAccount'}
        </code>
      </form>
      <ul class="transfers">
        {accounts.map((account) => (
          <li key={account}>
            <Address value={account as Hex} />
            <b>
              <button
                type="button"
                class="inline"
                title={requestText('anvil_stopImpersonatingAccount', [account])}
                onClick={() => send('anvil_stopImpersonatingAccount', [account])}
              >
                stop
              </button>
            </b>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function Snapshots() {
  const list = useRemote(`${turn.value} ${store.sealed.value.at(-1)?.hash}`, () =>
    rpc.call<{ snapshots: Record<Hex, [number: number, hash: Hex]> }>('anvil_metadata'),
  );
  const snapshots = Object.entries(list.value?.snapshots ?? {});
  return (
    <Panel title={snapshots.length === 0 ? 'Snapshots' : `Snapshots: ${count(snapshots.length)}`}>
      <button type="button" onClick={() => send('evm_snapshot', [])}>
        Take a snapshot
      </button>
      <code class="request">{requestText('evm_snapshot', [])}</code>
      {list.error && <Waiting error={list.error} />}
      {snapshots.length > 0 && (
        <Table label="Snapshots" head={['id', 'block', 'hash', 'go back']}>
          {snapshots.map(([id, [number, hash]]) => (
            <tr key={id}>
              <td data-label="id">{id}</td>
              <td data-label="block">
                <BlockLink number={number}>{count(number)}</BlockLink>
              </td>
              <td data-label="hash">
                <code title={hash}>{short(hash, 6)}</code>
              </td>
              <td data-label="go back">
                <button
                  type="button"
                  class="inline"
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

/** The settings that a wallet or an app needs to connect to the node. */
export function Connect() {
  const { chainId } = store.status.value!;
  const [answer, setAnswer] = useState('');
  const wallet = (globalThis as { ethereum?: { request(it: object): Promise<unknown> } }).ethereum;
  const add = () => {
    const chain = {
      chainId,
      chainName: `devnet ${Number(chainId)}`,
      rpcUrls: [location.origin],
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    };
    wallet!.request({ method: 'wallet_addEthereumChain', params: [chain] }).then(
      () => setAnswer('added'),
      (error: Error) => setAnswer(error.message),
    );
  };
  return (
    <Panel title="Connect a wallet or an app">
      <dl class="facts">
        <Fact name="URL">
          <code>{location.origin}</code> <Copy text={location.origin} icon label="copy URL" />
        </Fact>
        <Fact name="chain id">
          <code>{Number(chainId)}</code> <Copy text={String(Number(chainId))} icon label="copy chain id" />
        </Fact>
      </dl>
      <p class="row" style={{ marginTop: '8px' }}>
        <button type="button" disabled={!wallet} onClick={add}>
          Add to MetaMask
        </button>
        <a class="button" href="#/accounts">
          Accounts and keys
        </a>
        <span role="status" class="dim small">
          {answer || (wallet ? '' : 'no wallet is in this browser')}
        </span>
      </p>
    </Panel>
  );
}
