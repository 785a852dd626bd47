import { useState } from 'preact/hooks';
import { rpc, store } from '../app.ts';
import { givenKeys, type Keys } from '../data/account-file.ts';
import type { Hex } from '../data/types.ts';
import { count, ether } from '../format.ts';
import { Address } from '../parts/address.tsx';
import { useRemote } from '../parts/use-remote.ts';
import { Copy, Panel, Table, Waiting } from '../parts/values.tsx';

/** Loads the private keys of the default mnemonic's accounts, by address in lower case. */
const loadKeys = () => import('../data/known-keys.ts').then((it) => it.KNOWN_KEYS);

interface Row {
  readonly address: Hex;
  readonly latest: readonly [balance: Hex, nonce: Hex];
  readonly pending: readonly [balance: Hex, nonce: Hex];
}

/** The accounts that the node signs for. */
export function AccountsPage() {
  const [publicKeys, setPublicKeys] = useState<Keys>();
  const keys = publicKeys && { ...publicKeys, ...givenKeys.value };
  const pending = store.pending.value?.block.hash;
  const rows = useRemote(`${pending} ${store.sealed.value.at(-1)?.hash}`, accounts);
  if (!rows.value) return <Waiting error={rows.error} />;
  return (
    <>
      <div class="title">
        <h1>Accounts</h1>
        <button
          type="button"
          class="end"
          aria-pressed={keys !== undefined}
          onClick={async () => setPublicKeys(keys ? undefined : await loadKeys())}
        >
          {keys ? 'Hide keys' : 'Show keys'}
        </button>
      </div>
      <p class="subtitle">The node signs for these: apps and this page can send from them without a key.</p>
      <Panel title="Dev accounts">
        {keys && (
          <p class="warn" style={{ marginBottom: '12px' }}>
            Keys of the default mnemonic are publicly known. Whatever is sent to its accounts on another
            network is lost.
          </p>
        )}
        <Table
          label="Dev accounts"
          head={['account', '#ETH at latest', '#ETH at pending', '#nonce at latest', '#at pending']}
        >
          {rows.value.map(({ address, latest, pending: now }) => (
            <tr key={address}>
              <td>
                <Address value={address} full /> <Copy text={address} icon label="copy address" />
                {keys && <Key value={keys[address.toLowerCase()]} />}
              </td>
              <td data-label="ETH at latest" class="number">
                {ether(latest[0])}
              </td>
              <td data-label="at pending" class={now[0] === latest[0] ? 'number' : 'number changed'}>
                {ether(now[0])}
              </td>
              <td data-label="nonce" class="number">
                {count(latest[1])}
              </td>
              <td data-label="at pending" class={now[1] === latest[1] ? 'number' : 'number changed'}>
                {count(now[1])}
              </td>
            </tr>
          ))}
        </Table>
      </Panel>
    </>
  );
}

function Key({ value }: { value: Hex | undefined }) {
  return value ? (
    <div class="dim small">
      key <code class="long">{value}</code> <Copy text={value} icon label="copy private key" />
    </div>
  ) : (
    <div class="dim small">
      not of the default mnemonic: the node printed it when it started; drop the file of{' '}
      <code>--config-out</code> here to see it
    </div>
  );
}

async function accounts(): Promise<Row[]> {
  const addresses = await rpc.call<Hex[]>('eth_accounts');
  const answers = await rpc.batch<Hex>(
    addresses.flatMap((address) =>
      // At pending the node's nonce includes transactions in the mempool.
      ['latest', 'pending'].flatMap((tag): [string, ...unknown[]][] => [
        ['eth_getBalance', address, tag],
        ['eth_getTransactionCount', address, tag],
      ]),
    ),
  );
  return addresses.map((address, i) => {
    const [balance, nonce, balanceNow, nonceNow] = answers.slice(4 * i) as [Hex, Hex, Hex, Hex];
    return { address, latest: [balance, nonce], pending: [balanceNow, nonceNow] };
  });
}
