import { contractName } from '../abi/contracts.ts';
import { ago, count } from '../format.ts';
import { type Deployed, deployed, useDeployed } from '../names/deployed.ts';
import { tokenOf } from '../names/tokens.ts';
import { Address } from '../parts/address.tsx';
import { useNow } from '../parts/use-now.ts';
import { BlockLink, Panel, Table, TxLink, Waiting } from '../parts/values.tsx';

/** The contracts that transactions created, the newest first. */
export function ContractsPage() {
  useDeployed();
  const list = deployed.value;
  return (
    <>
      <div class="title">
        <h1>Contracts</h1>
      </div>
      <p class="subtitle">Open one to read from it, to call its functions, and to see its events.</p>
      <Panel title={list ? `${count(list.length)} deployed, the newest first` : 'Deployed'}>
        {!list ? (
          <Waiting error={undefined} />
        ) : list.length === 0 ? (
          <p class="empty">No contract was deployed yet.</p>
        ) : (
          <Table label="Contracts" head={['contract', 'what', 'deployed by', 'block', 'transaction', 'open']}>
            {list.map((it) => (
              <Row key={it.transaction} contract={it} />
            ))}
          </Table>
        )}
      </Panel>
    </>
  );
}

function Row({ contract: { address, by, block, timestamp, transaction } }: { contract: Deployed }) {
  const token = tokenOf(address);
  const now = useNow();
  return (
    <tr>
      <td>
        <b>
          <Address value={address} />
        </b>
      </td>
      <td data-label="what">
        {token ? (
          <span class="badge accent">
            {token.standard} {token.symbol}
          </span>
        ) : (
          <span class="dim">{contractName(address) ? 'contract' : 'no ABI is known'}</span>
        )}
      </td>
      <td data-label="deployed by">
        <Address value={by} />
      </td>
      <td data-label="block">
        <span>
          <BlockLink number={block} /> <span class="dim small">{ago(timestamp, now)}</span>
        </span>
      </td>
      <td data-label="transaction">
        <TxLink hash={transaction} />
      </td>
      <td data-label="open">
        <span class="row">
          <a href={`#/address/${address}/read`}>Read</a>
          <a href={`#/address/${address}/write`}>Write</a>
        </span>
      </td>
    </tr>
  );
}
