import { useState } from 'preact/hooks';
import { rpc, store } from '../app.ts';
import { givenKeys, type Keys } from '../data/account-file.ts';
import type { Hex } from '../data/types.ts';
import { count, ether } from '../format.ts';
import { useRemote } from '../parts/use-remote.ts';
import { Address, Copy, Panel, Table, Waiting } from '../parts/values.tsx';

/** Keys of the accounts that the default mnemonic gives; by address in lower case. */
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
      <h1>Accounts</h1>
      <Panel
        title="Dev accounts"
        aside={
          <button
            type="button"
            aria-pressed={keys !== undefined}
            onClick={async () => setPublicKeys(keys ? undefined : await loadKeys())}
          >
            {keys ? 'Hide keys' : 'Show keys'}
          </button>
        }
      >
        {keys && (
          <p class="warn">
            Keys of the default mnemonic are publicly known. Whatever is sent to its accounts on another
            network is lost.
          </p>
        )}
        <Table
          label="Dev accounts"
          head={[
            '#index',
            'address',
            '#ETH at latest',
            '#ETH at pending',
            '#nonce at latest',
            '#at pending',
            ...(keys ? ['key'] : []),
          ]}
        >
          {rows.value.map(({ address, latest, pending: now }, i) => (
            <tr key={address}>
              <td class="number dim">{i}</td>
              <td>
                <Address value={address} full /> <Copy text={address} />
              </td>
              <td class="number">{ether(latest[0])}</td>
              <td class={now[0] === latest[0] ? 'number' : 'number changed'}>{ether(now[0])}</td>
              <td class="number">{count(latest[1])}</td>
              <td class={now[1] === latest[1] ? 'number' : 'number changed'}>{count(now[1])}</td>
              {keys && (
                <td>
                  {keys[address.toLowerCase()] ? (
                    <>
                      <code>{keys[address.toLowerCase()]}</code> <Copy text={keys[address.toLowerCase()]!} />
                    </>
                  ) : (
                    <span class="dim">
                      not of the default mnemonic: the node printed it when it started; drop the file of{' '}
                      <code>--config-out</code> here to see it
                    </span>
                  )}
                </td>
              )}
            </tr>
          ))}
        </Table>
      </Panel>
    </>
  );
}

async function accounts(): Promise<Row[]> {
  const addresses = await rpc.call<Hex[]>('eth_accounts');
  const at = async (address: Hex, tag: string) =>
    await Promise.all([
      rpc.call<Hex>('eth_getBalance', address, tag),
      // At pending the node counts what waits in the mempool too.
      rpc.call<Hex>('eth_getTransactionCount', address, tag),
    ]);
  return Promise.all(
    addresses.map(async (address) => {
      const [latest, pending] = await Promise.all([at(address, 'latest'), at(address, 'pending')]);
      return { address, latest, pending };
    }),
  );
}
