import { decoder } from '../abi/contracts.ts';
import type { Log } from '../data/types.ts';
import { count } from '../format.ts';
import { sourceOf } from '../names/source-of.ts';
import { Address } from './address.tsx';
import { Call } from './decoded.tsx';
import { BlockLink, Long, TxLink } from './values.tsx';

/** Logs, one per line, decoded if an ABI is known. @param placed shows block and transaction */
export function Logs({ logs, placed }: { logs: readonly Log[]; placed?: boolean }) {
  return (
    <ul class="logs">
      {logs.map((log, i) => (
        <li key={i}>
          <OneLog log={log} />
          {placed && log.blockNumber && log.transactionHash && (
            <span class="at">
              block <BlockLink number={log.blockNumber} />, log {count(log.logIndex ?? '0x0')},{' '}
              <TxLink hash={log.transactionHash} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function OneLog({ log }: { log: Log }) {
  const decoded = decoder.value?.log(log, sourceOf(log.address));
  return (
    <>
      <Address value={log.address} />
      {decoded ? (
        <Call decoded={decoded} raw={log.data} contract={log.address} />
      ) : (
        <span class="call">
          {log.topics.map((topic, i) => (
            <span key={topic}>
              <span class="dim">topic {i}</span> <code>{topic}</code>{' '}
            </span>
          ))}
          {log.data.length > 2 && (
            <>
              <span class="dim">data</span> <Long value={log.data} shown={66} />
            </>
          )}
        </span>
      )}
    </>
  );
}
