import { useState } from 'preact/hooks';
import type { AbiFunction } from 'viem';
import { abiCode, decoder } from '../abi/contracts.ts';
import type { Argument } from '../abi/decoder.ts';
import { feed, rpc, store } from '../app.ts';
import { parameter } from '../data/actions.ts';
import { RpcError } from '../data/rpc-socket.ts';
import type { Hex } from '../data/types.ts';
import { devAccounts } from '../names/dev-accounts.ts';
import { formReader } from '../names/form-reader.ts';
import { nameOf } from '../names/name-of.ts';
import { sourceOf } from '../names/source-of.ts';
import { callText, Value } from '../parts/decoded.tsx';
import { Field } from '../parts/field.tsx';
import { useRemote } from '../parts/use-remote.ts';
import { TxLink } from '../parts/values.tsx';

/** `name(type first, type second)` */
export function signatureOf({ name, inputs }: AbiFunction): string {
  return `${name}(${inputs.map((input) => `${input.type} ${input.name ?? ''}`.trim()).join(', ')})`;
}

/** Form of a view or pure function. A function without parameters is called at once, and again with each block and flashblock. */
export function ReadForm({ address, item }: { address: Hex; item: AbiFunction }) {
  const [texts, setTexts] = useState<readonly string[]>(item.inputs.map(() => ''));
  const [asked, setAsked] = useState<readonly string[] | undefined>(
    item.inputs.length === 0 ? [] : undefined,
  );
  const moment = `${store.pending.value?.block.hash} ${store.sealed.value.at(-1)?.hash}`;
  const answer = useRemote(`${moment} ${asked?.join('\n')}`, async () => {
    if (!asked || !abiCode.peek()) return undefined;
    const data = abiCode.peek()!.encodeCall(item, asked, formReader());
    const output = await rpc.call<Hex>('eth_call', { to: address, data }, 'pending').catch((error: Error) => {
      throw new Error(explained(error, address));
    });
    return { data, output };
  });
  const shown = answer.value && (
    <Results address={address} item={item} data={answer.value.data} output={answer.value.output} />
  );
  if (item.inputs.length === 0)
    return (
      <div class="function row">
        <b>{item.name}</b> <span class="arrow">→</span>{' '}
        {shown ?? <span class={answer.error ? 'bad' : 'dim'}>{answer.error ?? '…'}</span>}
      </div>
    );
  return (
    <details class="function">
      <summary>
        <b>{item.name}</b> <span class="dim">{signatureOf(item).slice(item.name.length)}</span>
      </summary>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          setAsked([...texts]);
          answer.again();
        }}
      >
        <Inputs item={item} texts={texts} onTexts={setTexts} />
        <button type="submit">Read</button>
      </form>
      {asked && (
        <p class="answer" role="status">
          {answer.error ? <span class="bad">{answer.error}</span> : (shown ?? '…')}
        </p>
      )}
    </details>
  );
}

/** Form of a function that changes the state. The transaction is sent from a dev account. */
export function WriteForm({ address, item }: { address: Hex; item: AbiFunction }) {
  const [texts, setTexts] = useState<readonly string[]>(item.inputs.map(() => ''));
  const [value, setValue] = useState('0');
  const [from, setFrom] = useState('0');
  const [answer, setAnswer] = useState<{ hash?: Hex; text?: string; error?: string }>({});
  const isPayable = item.stateMutability === 'payable';
  const submit = async (only: 'send' | 'simulate') => {
    try {
      const data = abiCode.peek()!.encodeCall(item, texts, formReader());
      const wei = parameter({ label: 'value', initial: '', as: 'ether' }, isPayable ? value : '0');
      const call = { from: devAccounts.peek()[Number(from)], to: address, data, value: wei };
      if (only === 'simulate') {
        const output = await rpc.call<Hex>('eth_call', call, 'pending');
        const result = decoder.peek()?.result(data, output, sourceOf(address)) ?? [];
        const said = result.map(({ value: it }) => String(it)).join(', ');
        setAnswer({ text: said ? `would succeed and return ${said}` : 'would succeed' });
        return;
      }
      setAnswer({ hash: await rpc.call<Hex>('eth_sendTransaction', call) });
      feed.refresh();
    } catch (error) {
      setAnswer({ error: explained(error as Error, address) });
    }
  };
  return (
    <details class="function">
      <summary>
        <b>{item.name}</b> <span class="dim">{signatureOf(item).slice(item.name.length)}</span>
      </summary>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit('send');
        }}
      >
        <Inputs item={item} texts={texts} onTexts={setTexts} />
        {isPayable && <Field label="value, ETH" value={value} onValue={setValue} />}
        <label class="field">
          <span>from</span>
          <select value={from} onChange={(event) => setFrom(event.currentTarget.value)}>
            {devAccounts.value.map((account, i) => (
              <option key={account} value={String(i)}>
                {nameOf(account)?.text}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" class="main">
          Send
        </button>
        <button type="button" onClick={() => submit('simulate')}>
          Try it
        </button>
      </form>
      <p role="status" class={answer.hash || answer.error || answer.text ? 'answer' : ''}>
        {answer.hash && (
          <>
            sent: <TxLink hash={answer.hash} />
          </>
        )}
        {answer.text}
        {answer.error && <span class="bad">{answer.error}</span>}
      </p>
    </details>
  );
}

function Inputs(props: {
  item: AbiFunction;
  texts: readonly string[];
  onTexts: (texts: readonly string[]) => void;
}) {
  const { item, texts, onTexts } = props;
  return (
    <>
      {item.inputs.map(({ name, type }, i) => (
        <Field
          key={i}
          label={`${name || i} ${type}`}
          wide={type === 'address' || type.startsWith('bytes')}
          placeholder={PLACEHOLDERS[type.replace(/\d+$/, '')]}
          value={texts[i] ?? ''}
          onValue={(text) => onTexts(texts.map((old, at) => (at === i ? text : old)))}
        />
      ))}
    </>
  );
}

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  address: 'account 1 or 0x…',
  uint: '1,000 or 1.5 ether',
  int: '-5 or 1e18',
  bool: 'true',
  bytes: '0x',
};

function Results({
  address,
  item,
  data,
  output,
}: {
  address: Hex;
  item: AbiFunction;
  data: Hex;
  output: Hex;
}) {
  const results: readonly Argument[] | undefined = decoder.value?.result(data, output, sourceOf(address));
  if (output === '0x' && item.outputs.length > 0)
    return <span class="bad">nothing was returned: the contract has no such function</span>;
  if (!results) return <code class="long">{output}</code>;
  if (results.length === 0) return <span class="dim">returns nothing</span>;
  return (
    <>
      {results.map((it, i) => (
        <span key={i}>
          {i > 0 && ', '}
          {it.name && <span class="dim">{it.name} </span>}
          <Value argument={it} context={{ of: item.name, contract: address }} />
        </span>
      ))}
    </>
  );
}

/** The message of an error of the node, with the decoded revert reason. */
export function explained(error: Error, contract: Hex | undefined): string {
  const data = error instanceof RpcError && typeof error.data === 'string' ? (error.data as Hex) : undefined;
  const decoded = data && data.length > 2 ? decoder.peek()?.error(data, sourceOf(contract)) : undefined;
  return decoded && !decoded.broken ? `would fail: ${callText(decoded, data!, contract)}` : error.message;
}
