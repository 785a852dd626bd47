import { artifactOfContract, codeOf, implementationOf } from '../abi/contracts.ts';
import { rpc, store } from '../app.ts';
import { Functions } from '../contract/functions.tsx';
import { ItsTransactions } from '../contract/its-transactions.tsx';
import { Owns } from '../contract/owns.tsx';
import { since } from '../data/holdings-of.ts';
import type { Hex, Log } from '../data/types.ts';
import { count, plural } from '../format.ts';
import { checksummed, nameOf } from '../names/name-of.ts';
import { tokenOf } from '../names/tokens.ts';
import { Address, Mark } from '../parts/address.tsx';
import { Logs } from '../parts/log-list.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useRemote } from '../parts/use-remote.ts';
import { Copy, Fact, Long, Panel, Waiting } from '../parts/values.tsx';
import { linkTo } from '../route.ts';

/** Limit of the logs shown. LOGGED is the number of blocks that are searched. */
const MAX_LOGS = 100;
const LOGGED = 10_000;

/** An address's holdings and transactions; for a contract also its functions, events and code. */
export function AddressPage({ args: [text = '', tab = 'overview'] }: { args: readonly string[] }) {
  if (!/^0x[\da-f]{40}$/i.test(text))
    return (
      <Panel title="Not an address">
        <p>{text} is no address: it has 0x and 40 hex digits.</p>
      </Panel>
    );
  return <OneAddress address={text.toLowerCase() as Hex} tab={tab} />;
}

function OneAddress({ address, tab }: { address: Hex; tab: string }) {
  const head = String(store.sealed.value.at(-1)?.hash);
  const moment = `${head} ${store.pending.value?.block.hash}`;
  const code = codeOf(address);
  const isContract = code !== undefined && code !== '0x';
  const token = tokenOf(address);
  const behind = implementationOf(address);
  return (
    <>
      <div class="title">
        <Mark address={address} large />
        <h1>{nameOf(address)?.text ?? (isContract ? 'Contract' : 'Address')}</h1>
        {isContract && <span class="badge">contract</span>}
        {token && (
          <span class="badge accent">
            {token.standard} {token.symbol}
          </span>
        )}
        <span class="row end">
          <a class="button" href={linkTo('transactions', { from: checksummed(address) })}>
            Transactions from it
          </a>
          <a class="button" href={linkTo('transactions', { to: checksummed(address) })}>
            Transactions to it
          </a>
        </span>
      </div>
      <p class="subtitle">
        <code class="long">{checksummed(address)}</code>{' '}
        <Copy text={checksummed(address)} icon label="copy address" />
        {behind !== address && (
          <span class="row">
            runs the code of <Address value={behind} />
          </span>
        )}
      </p>
      {isContract && (
        <Tabs
          label="Parts of the contract"
          path={`address/${address}`}
          tabs={[
            ['overview', 'Overview'],
            ['read', 'Read'],
            ['write', 'Write'],
            ['events', 'Events'],
            ['code', 'Code'],
          ]}
          chosen={tab}
        />
      )}
      {(!isContract || tab === 'overview') && (
        <>
          <Owns address={address} head={head} moment={moment} isContract={isContract} />
          <ItsTransactions address={address} head={head} />
        </>
      )}
      {isContract && (tab === 'read' || tab === 'write') && (
        <Functions key={tab} address={address} writes={tab === 'write'} />
      )}
      {isContract && tab === 'events' && <Events address={address} moment={moment} />}
      {isContract && tab === 'code' && <Code address={address} code={code} />}
    </>
  );
}

function Events({ address, moment }: { address: Hex; moment: string }) {
  const logs = useRemote(moment, () =>
    rpc.call<Log[]>('eth_getLogs', { address, fromBlock: since(LOGGED), toBlock: 'pending' }),
  );
  const all = logs.value ?? [];
  return (
    <Panel
      title="Events"
      aside={
        <span class="dim small">
          {plural(all.length, 'event')} in the newest {count(LOGGED)} blocks
          {all.length > MAX_LOGS && `, the newest ${MAX_LOGS} are shown`}
        </span>
      }
    >
      {!logs.value ? (
        <Waiting error={logs.error} />
      ) : all.length === 0 ? (
        <p class="empty">No events yet.</p>
      ) : (
        <Logs logs={all.slice(-MAX_LOGS).reverse()} placed />
      )}
    </Panel>
  );
}

function Code({ address, code }: { address: Hex; code: Hex }) {
  const artifact = artifactOfContract(address);
  return (
    <Panel
      title="Code"
      aside={
        <span class="row">
          <span class="dim small">{plural((code.length - 2) / 2, 'byte')}</span>
          {artifact && <Copy text={JSON.stringify(artifact.abi)} label="copy ABI" />}
          <Copy text={code} label="copy code" />
        </span>
      }
    >
      {artifact && (
        <dl class="facts" style={{ marginBottom: '12px' }}>
          <Fact name="artifact">{artifact.name}</Fact>
        </dl>
      )}
      <Long value={code} shown={2_000} />
    </Panel>
  );
}
