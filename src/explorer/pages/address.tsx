import { codeOf, contractName, decoder } from '../abi/contracts.ts';
import { rpc, store } from '../app.ts';
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

/** Transfer(address,address,uint256) of ERC-20 */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** Most tokens whose balances are asked for, and most logs that are shown. */
const MOST_TOKENS = 20;
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

interface Token {
  readonly token: Hex;
  readonly symbol: string;
  readonly decimals: number;
  readonly latest: bigint;
  readonly pending: bigint;
}

/** Balances of the ERC-20 tokens that were sent to the address, or of the token that it is itself. */
function Tokens(props: { address: Hex; head: string; moment: string; isContract: boolean }) {
  const { address, head, moment, isContract } = props;
  const found = useRemote(`${head} ${isContract}`, () => tokensOf(address, isContract));
  const tokens = useRemote(`${moment} ${found.value?.length}`, () => balancesOf(found.value ?? []));
  if (!tokens.value || tokens.value.length === 0) return null;
  return (
    <Panel title="Tokens">
      <Table label="Token balances" head={['token', 'of', '#latest', '#pending']}>
        {tokens.value.map(({ holder, tokens: list }) =>
          list.map(({ token, symbol, decimals: unit, latest, pending }) => (
            <tr key={`${holder} ${token}`}>
              <td>
                {symbol} <Address value={token} />
              </td>
              <td>
                <Address value={holder} />
              </td>
              <td class="number">{decimals(latest, unit, 6)}</td>
              <td class={latest === pending ? 'number' : 'number changed'}>{decimals(pending, unit, 6)}</td>
            </tr>
          )),
        )}
      </Table>
    </Panel>
  );
}

/** The tokens of an address; for a token itself its holders. */
async function tokensOf(address: Hex, isContract: boolean): Promise<{ holder: Hex; tokens: Hex[] }[]> {
  const word = `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
  const transfers = (filter: object) =>
    rpc.call<Log[]>('eth_getLogs', { fromBlock: since(SEARCHED), toBlock: 'pending', ...filter });
  const [received, own] = await Promise.all([
    transfers({ topics: [TRANSFER, null, word] }),
    isContract ? transfers({ address, topics: [TRANSFER] }) : [],
  ]);
  const isErc20 = ({ topics }: Log) => topics.length === 3;
  const contracts = [...new Set(received.filter(isErc20).map((log) => log.address))].slice(0, MOST_TOKENS);
  const holders = own
    .filter(isErc20)
    .flatMap(({ topics }) => [topics[1]!, topics[2]!])
    .map((topic) => `0x${topic.slice(26)}` as Hex)
    .filter((holder) => !/^0x0+$/.test(holder));
  return [
    { holder: address, tokens: contracts },
    ...[...new Set(holders)].slice(0, MOST_TOKENS).map((holder) => ({ holder, tokens: [address] })),
  ];
}

async function balancesOf(
  found: readonly { holder: Hex; tokens: Hex[] }[],
): Promise<{ holder: Hex; tokens: Token[] }[]> {
  const read = await Promise.all(
    found.map(async ({ holder, tokens }) => ({
      holder,
      tokens: (await Promise.all(tokens.map((token) => tokenOf(token, holder)))).filter(
        (token) => token !== undefined,
      ),
    })),
  );
  return read.filter(({ tokens }) => tokens.length > 0);
}

async function tokenOf(token: Hex, holder: Hex): Promise<Token | undefined> {
  const ask = (data: string, tag: string) => rpc.call<Hex>('eth_call', { to: token, data }, tag);
  const balance = `0x70a08231${holder.slice(2).padStart(64, '0')}`;
  const optional = (data: string) => ask(data, 'pending').catch(() => '0x' as Hex);
  try {
    const [latest, pending, symbol, unit] = await Promise.all([
      ask(balance, 'latest').catch(() => '0x0' as Hex),
      ask(balance, 'pending'),
      optional('0x95d89b41'),
      optional('0x313ce567'),
    ]);
    if (pending.length !== 66) return undefined;
    const known = decoder.peek()?.result('0x95d89b41', symbol)?.[0]?.value;
    return {
      token,
      symbol: typeof known === 'string' ? known : '',
      decimals: unit.length === 66 && BigInt(unit) < 78n ? Number(BigInt(unit)) : 0,
      latest: BigInt(latest === '0x' ? 0 : latest),
      pending: BigInt(pending),
    };
  } catch {
    // What emitted the log isn't an ERC-20.
    return undefined;
  }
}

function Transactions({ address, head }: { address: Hex; head: string }) {
  const found = useRemote(head, () =>
    rpc.call<{ txs: Transaction[]; receipts: Receipt[] }>('ots_searchTransactionsBefore', address, 0, 25),
  );
  const known = decoder.value;
  return (
    <Panel title="Transactions" aside={<span class="dim">the newest 25 in sealed blocks</span>}>
      {!found.value ? (
        <Waiting error={found.error} />
      ) : found.value.txs.length === 0 ? (
        <p class="dim">none</p>
      ) : (
        <Table
          label="Transactions of the address"
          head={['hash', 'block', 'from', 'to', 'what', '#ETH', 'result']}
        >
          {found.value.txs.map((transaction, i) => (
            <tr key={transaction.hash}>
              <td>
                <TxLink hash={transaction.hash} />
              </td>
              <td>{transaction.blockNumber && <BlockLink number={transaction.blockNumber} />}</td>
              <td>
                <Address value={transaction.from} />
              </td>
              <td>
                <Address value={transaction.to} />
              </td>
              <td class="what">
                {transaction.to && <Call decoded={known?.call(transaction.input)} raw={transaction.input} />}
              </td>
              <td class="number">{ether(transaction.value)}</td>
              <td>
                <Status receipt={found.value!.receipts[i]!} />
              </td>
            </tr>
          ))}
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
