import { useState } from 'preact/hooks';
import type { TransactionStatus } from '../../rpc/read/transaction-status.ts';
import { feed, rpc } from '../app.ts';
import type { Hex, Transaction } from '../data/types.ts';
import { capOf } from '../data/waiting.ts';
import { accountIndex } from '../names/dev-accounts.ts';
import { Icon } from '../parts/icon.tsx';
import { Panel, Waiting } from '../parts/values.tsx';
import { go } from '../route.ts';

/** The reason why a transaction is still in the mempool, with buttons to drop it or to speed it up. */
export function WaitingPanel({
  transaction,
  status,
  error,
}: {
  transaction: Transaction;
  status: TransactionStatus | undefined;
  error: string | undefined;
}) {
  const { hash, from } = transaction;
  const [answer, setAnswer] = useState('');
  const isStuck = /^(?:nonce|fee|gas)$/.test(status?.waitsFor ?? '');
  const send = (method: string, ...params: unknown[]) =>
    rpc.call<unknown>(method, ...params).then(
      (result) => {
        feed.refresh();
        return result;
      },
      (error: Error) => setAnswer(error.message),
    );
  const drop = async () => {
    if (await send('anvil_dropTransaction', hash)) setAnswer('It was dropped from the mempool.');
  };
  const speedUp = async () => {
    const replaced = await send('eth_sendTransaction', await faster(transaction));
    if (typeof replaced === 'string') go('tx', replaced);
  };
  return (
    <Panel title="Why it waits">
      {status ? (
        <p class={isStuck ? 'row warn' : 'row'}>
          <Icon name="clock" /> {status.reason}
        </p>
      ) : (
        <Waiting error={error} />
      )}
      <p class="row" style={{ marginTop: '12px' }}>
        <button type="button" onClick={drop}>
          Drop it
        </button>
        {accountIndex(from) !== undefined && (
          <button type="button" onClick={speedUp}>
            Speed up
          </button>
        )}
        <span role="status" class="dim">
          {answer || 'speeding up sends it again with a higher fee'}
        </span>
      </p>
    </Panel>
  );
}

/** The transaction with fees that replace it: 25 % higher, and a cap of at least twice the base fee plus the tip. */
async function faster(transaction: Transaction): Promise<object> {
  const { from, to, value, input, nonce, gas, maxPriorityFeePerGas } = transaction;
  const base = BigInt(await rpc.call<Hex>('eth_baseFee'));
  const more = (wei: bigint) => (wei * 5n) / 4n + 1n;
  const tip = more(BigInt(maxPriorityFeePerGas ?? capOf(transaction)));
  const cap = more(BigInt(capOf(transaction)));
  const most = cap > 2n * base + tip ? cap : 2n * base + tip;
  return {
    from,
    ...(to && { to }),
    value,
    data: input,
    nonce,
    gas,
    maxFeePerGas: `0x${most.toString(16)}`,
    maxPriorityFeePerGas: `0x${tip.toString(16)}`,
  };
}
