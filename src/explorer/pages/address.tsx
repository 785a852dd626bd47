import { codeOf, contractName, decoder } from '../abi/contracts.ts';
import { rpc, store } from '../app.ts';
import {
  balanceOf,
  type Holding,
  holdingsIn,
  keyOf,
  TRANSFER,
  TRANSFER_BATCH,
  TRANSFER_SINGLE,
} from '../data/tokens.ts';
import type { Hex, Log, Receipt, Transaction } from '../data/types.ts';
import { count, decimals, ether, plural } from '../format.ts';
import { Logs } from '../parts/log-list.tsx';
import { useRemote } from '../parts/use-remote.ts';
import {
  Address,
  BlockLink,
  Call,
  Copy,
  Fact,
  Long,
  Panel,
  Table,
  TxLink,
  Waiting,
} from '../parts/values.tsx';
import { Status } from './block.tsx';

/** Most tokens whose balances are asked for, most transactions of the block being built, and most logs. */
const MOST_TOKENS = 20;
const MOST_PRECONFIRMED = 25;
const MOST_LOGS = 25;
/** Blocks in which tokens and logs are looked for. */
const SEARCHED = 10_000;
const LOGGED = 200;

/** The number of the block so many before the head. */
function since(blocks: number): Hex {
  return `0x${Math.max(0, Number(store.sealed.peek().at(-1)?.number ?? 0) - blocks).toString(16)}`;
}

/** What an address has and did. */
export function AddressPage({ args: [text = ''] }: { args: readonly string[] }) {
  const address = text as Hex;
  const head = String(store.sealed.value.at(-1)?.hash);
  const moment = `${head} ${store.pending.value?.block.hash}`;
  const balances = useRemote(moment, () =>
    Promise.all(
      ['latest', 'pending'].map(async (tag) => ({
        balance: await rpc.call<Hex>('eth_getBalance', address, tag),
        nonce: await rpc.call<Hex>('eth_getTransactionCount', address, tag),
      })),
    ),
  );
  const code = codeOf(address);
  const name = contractName(address);
  if (balances.error && !balances.value) return <Waiting error={balances.error} />;
  const [latest, pending] = balances.value ?? [];
  return (
    <>
      <h1>
        {name ?? 'Address'} {code && code !== '0x' && <span class="badge">contract</span>}
      </h1>
      <p>
        <code class="long">{address}</code> <Copy text={address} />
      </p>
      <Panel title="Balance">
        <Table label="Balance and nonce" head={['of the account', '#latest', '#pending']}>
          <tr>
            <th scope="row">ETH</th>
            <td class="number">{latest ? ether(latest.balance, 18) : '…'}</td>
            <td class={latest?.balance === pending?.balance ? 'number' : 'number changed'}>
              {pending ? ether(pending.balance, 18) : '…'}
            </td>
          </tr>
          <tr>
            <th scope="row">nonce</th>
            <td class="number">{latest ? count(latest.nonce) : '…'}</td>
            <td class={latest?.nonce === pending?.nonce ? 'number' : 'number changed'}>
              {pending ? count(pending.nonce) : '…'}
            </td>
          </tr>
        </Table>
      </Panel>
      <Tokens
        address={address}
        head={head}
        moment={moment}
        isContract={code !== undefined && code !== '0x'}
      />
      <Transactions address={address} head={head} />
      <AddressLogs address={address} head={head} />
      {code && code !== '0x' && (
        <Panel title="Code" aside={<span class="dim">{plural((code.length - 2) / 2, 'byte')}</span>}>
          {name && (
            <dl class="facts">
              <Fact name="artifact">{name}</Fact>
            </dl>
          )}
          <Long value={code} />
        </Panel>
      )}
    </>
  );
}

/** How a token calls itself. */
interface Named {
  readonly symbol: string;
  readonly decimals: number;
}

/** Balances of the tokens that were sent to the address or by it; of those that it made itself with their holders. */
function Tokens(props: { address: Hex; head: string; moment: string; isContract: boolean }) {
  const { address, head, moment, isContract } = props;
  const found = useRemote(`${head} ${isContract}`, () => tokensOf(address, isContract));
  const tokens = useRemote(`${moment} ${found.value?.holdings.length}`, () =>
    Promise.all(
      (found.value?.holdings ?? []).map(async (holding) => ({
        holding,
        balance: await balanceOf(holding, (data, tag) =>
          rpc.call<Hex>('eth_call', { to: holding.token, data }, tag),
        ),
      })),
    ),
  );
  const held = tokens.value?.filter(
    ({ balance }) => balance && (balance.latest > 0n || balance.pending > 0n),
  );
  if (!held || held.length === 0) return null;
  return (
    <Panel title="Tokens">
      <Table label="Token balances" head={['token', 'standard', '#id', 'of', '#latest', '#pending']}>
        {held.map(({ holding, balance }) => {
          const { token, id, standard, holder } = holding;
          const { symbol, decimals: unit } = found.value?.names.get(token) ?? { symbol: '', decimals: 0 };
          return (
            <tr key={keyOf(holding)}>
              <td>
                {symbol} <Address value={token} />
              </td>
              <td>{standard}</td>
              <td class="number">{id !== undefined && <Long value={String(id)} shown={12} />}</td>
              <td>
                <Address value={holder} />
              </td>
              <td class="number">{decimals(balance!.latest, unit, 6)}</td>
              <td class={balance!.latest === balance!.pending ? 'number' : 'number changed'}>
                {decimals(balance!.pending, unit, 6)}
              </td>
            </tr>
          );
        })}
      </Table>
    </Panel>
  );
}

/** What an address may hold, and who may hold what it made, with the names of the tokens. */
async function tokensOf(
  address: Hex,
  isContract: boolean,
): Promise<{ holdings: Holding[]; names: ReadonlyMap<Hex, Named> }> {
  const word = `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
  const logs = (filter: object) =>
    rpc.call<Log[]>('eth_getLogs', { fromBlock: since(SEARCHED), toBlock: 'pending', ...filter });
  const multi = [TRANSFER_SINGLE, TRANSFER_BATCH];
  const [received, ofMulti, made] = await Promise.all([
    logs({ topics: [TRANSFER, null, word] }),
    logs({ topics: [multi, null, null, word] }),
    isContract ? logs({ address, topics: [[TRANSFER, ...multi]] }) : [],
  ]);
  const place = ({ blockNumber, logIndex }: Log) => 1e6 * Number(blockNumber) + Number(logIndex);
  const inOrder = [...received, ...ofMulti].sort((a, b) => place(a) - place(b));
  const own = holdingsIn(inOrder, Number.POSITIVE_INFINITY).filter(
    ({ holder }) => holder === address.toLowerCase(),
  );
  const holdings = [...own.slice(0, MOST_TOKENS), ...holdingsIn(made, MOST_TOKENS)];
  const tokens = [...new Set(holdings.map(({ token }) => token))];
  const names = await Promise.all(tokens.map(async (token) => [token, await nameOf(token)] as const));
  return { holdings, names: new Map(names) };
}

async function nameOf(token: Hex): Promise<Named> {
  const ask = (data: string) =>
    rpc.call<Hex>('eth_call', { to: token, data }, 'pending').catch(() => '0x' as Hex);
  const [symbol, unit] = await Promise.all([ask('0x95d89b41'), ask('0x313ce567')]);
  const known = decoder.peek()?.result('0x95d89b41', symbol)?.[0]?.value;
  return {
    symbol: typeof known === 'string' ? known : '',
    decimals: unit.length === 66 && BigInt(unit) < 78n ? Number(BigInt(unit)) : 0,
  };
}

function Transactions({ address, head }: { address: Hex; head: string }) {
  const found = useRemote(head, () =>
    rpc.call<{ txs: Transaction[]; receipts: Receipt[] }>('ots_searchTransactionsBefore', address, 0, 25),
  );
  const sealed = found.value?.txs ?? [];
  const isSealed = new Set(sealed.map(({ hash }) => hash));
  const involves = ({ from, to }: Transaction) => [from, to].includes(address.toLowerCase() as Hex);
  const fresh = (store.pending.value?.block.transactions ?? [])
    .filter((it) => involves(it) && !isSealed.has(it.hash))
    .slice(-MOST_PRECONFIRMED)
    .reverse();
  const receipts = useRemote(fresh.map(({ hash }) => hash).join(), () =>
    Promise.all(fresh.map(({ hash }) => rpc.call<Receipt | null>('eth_getTransactionReceipt', hash))),
  );
  const receiptOf = new Map(
    [...(found.value?.receipts ?? []), ...(receipts.value ?? [])].map((it) => [it?.transactionHash, it]),
  );
  const known = decoder.value;
  return (
    <Panel
      title="Transactions"
      aside={<span class="dim">pre-confirmed ones, and the newest 25 in sealed blocks</span>}
    >
      {!found.value ? (
        <Waiting error={found.error} />
      ) : fresh.length + sealed.length === 0 ? (
        <p class="dim">none</p>
      ) : (
        <Table
          label="Transactions of the address"
          head={['hash', 'block', 'from', 'to', 'what', '#ETH', 'result']}
        >
          {[...fresh, ...sealed].map((transaction) => {
            const receipt = receiptOf.get(transaction.hash);
            return (
              <tr key={transaction.hash}>
                <td>
                  <TxLink hash={transaction.hash} />
                </td>
                <td>
                  {transaction.blockNumber && <BlockLink number={transaction.blockNumber} />}{' '}
                  {!isSealed.has(transaction.hash) && <span class="badge warn">pre-confirmed</span>}
                </td>
                <td>
                  <Address value={transaction.from} />
                </td>
                <td>
                  <Address value={transaction.to} />
                </td>
                <td class="what">
                  {transaction.to && (
                    <Call decoded={known?.call(transaction.input)} raw={transaction.input} />
                  )}
                </td>
                <td class="number">{ether(transaction.value)}</td>
                <td>{receipt ? <Status receipt={receipt} /> : '…'}</td>
              </tr>
            );
          })}
        </Table>
      )}
    </Panel>
  );
}

function AddressLogs({ address, head }: { address: Hex; head: string }) {
  const logs = useRemote(head, () =>
    rpc.call<Log[]>('eth_getLogs', { address, fromBlock: since(LOGGED), toBlock: 'pending' }),
  );
  if (!logs.value || logs.value.length === 0) return null;
  return (
    <Panel
      title="Logs"
      aside={
        <span class="dim">
          {plural(logs.value.length, 'log')} in the newest {count(LOGGED)} blocks
          {logs.value.length > MOST_LOGS && `, the newest ${MOST_LOGS} are shown`}
        </span>
      }
    >
      <Logs logs={logs.value.slice(-MOST_LOGS).reverse()} placed />
    </Panel>
  );
}
