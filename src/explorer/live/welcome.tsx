import { useState } from 'preact/hooks';
import { rpc } from '../app.ts';
import type { Hex } from '../data/types.ts';
import { Copy, Fact, Panel, TxLink } from '../parts/values.tsx';

/** Shown while the chain has no transactions. */
export function Welcome({ chainId }: { chainId: Hex }) {
  const [answer, setAnswer] = useState<{ hash?: Hex; error?: string }>({});
  const send = async () => {
    try {
      const [from, to] = await rpc.call<Hex[]>('eth_accounts');
      if (!from) throw new Error('the node has no accounts of its own');
      const value = '0x2386f26fc10000';
      setAnswer({ hash: await rpc.call<Hex>('eth_sendTransaction', { from, to: to ?? from, value }) });
    } catch (error) {
      setAnswer({ error: (error as Error).message });
    }
  };
  return (
    <Panel title="No transactions yet">
      <p>Connect an app or a wallet to this chain, or send a transaction from here.</p>
      <dl class="facts" style={{ margin: '12px 0' }}>
        <Fact name="URL">
          <code>{location.origin}</code> <Copy text={location.origin} label="copy URL" />
        </Fact>
        <Fact name="chain id">
          <code>{Number(chainId)}</code> <Copy text={String(Number(chainId))} label="copy chain id" />
        </Fact>
      </dl>
      <p class="row">
        <button type="button" class="main" onClick={send}>
          Send a test transaction
        </button>
        <span role="status">
          {answer.hash && (
            <>
              sent: <TxLink hash={answer.hash} />
            </>
          )}
          {answer.error && <span class="bad">{answer.error}</span>}
          {!answer.hash && !answer.error && <span class="dim">0.01 ETH from account 0 to account 1</span>}
        </span>
      </p>
    </Panel>
  );
}
