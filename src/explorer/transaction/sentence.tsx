import { decoder } from '../abi/contracts.ts';
import { failingPath } from '../data/failing-path.ts';
import type { Frame, Receipt, Transaction } from '../data/types.ts';
import { describe } from '../names/describe.ts';
import { sourceOf } from '../names/source-of.ts';
import { Address } from '../parts/address.tsx';
import { callText } from '../parts/decoded.tsx';

/** One sentence that says what a transaction did, tried to do, or is going to do. */
export function Sentence(props: {
  transaction: Transaction;
  receipt: Receipt | null | undefined;
  trace: Frame | null | undefined;
}) {
  const { transaction, receipt, trace } = props;
  const described = describe(transaction, receipt?.contractAddress);
  const form = !receipt ? 'wants' : receipt.status === '0x0' ? 'tried' : 'done';
  const past = form === 'done';
  const before = past ? '' : `${form} to `;
  const to = transaction.to;
  return (
    <p class="sentence">
      <Address value={transaction.from} />{' '}
      {described.kind === 'send' && (
        <>
          {past ? 'sent' : `${before}send`} <b>{described.object}</b>
          {described.owner && described.owner.toLowerCase() !== transaction.from.toLowerCase() && (
            <>
              {' '}
              of <Address value={described.owner} />
            </>
          )}{' '}
          to <Address value={described.target} />
        </>
      )}
      {described.kind === 'approve' && (
        <>
          {past ? 'allowed' : `${before}allow`} <Address value={described.target} /> to spend{' '}
          <b>{described.object}</b>
        </>
      )}
      {described.kind === 'create' && (
        <>
          {past ? 'created' : `${before}create`}{' '}
          {receipt?.contractAddress && past ? 'the contract ' : 'a contract'}
          {receipt?.contractAddress && past && <Address value={receipt.contractAddress} />}
        </>
      )}
      {described.kind === 'call' && (
        <>
          {past ? 'called' : `${before}call`} <b>{described.verb.replace(/^call /, '')}</b> of{' '}
          <Address value={to} />
          {described.object && ` ${described.object}`}
        </>
      )}
      {form === 'tried' && trace && (
        <>
          , but <Reason root={trace} />
        </>
      )}
      .
    </p>
  );
}

/** The contract that failed, and the reason. */
function Reason({ root }: { root: Frame }) {
  const frame = failingPath(root).at(-1) ?? root;
  const data = frame.output ?? '0x';
  const decoded = data.length > 2 ? decoder.value?.error(data, sourceOf(frame.to)) : undefined;
  if (!decoded)
    return (
      <>
        {frame.to && <Address value={frame.to} />} failed:{' '}
        <b class="bad">{frame.revertReason ?? frame.error}</b>
      </>
    );
  const text =
    decoded.name === 'Error' && !decoded.broken
      ? `“${String(decoded.args[0]!.value)}”`
      : callText(decoded, data, frame.to);
  return (
    <>
      <Address value={frame.to} /> refused: <b class="bad">{text}</b>
    </>
  );
}
