import { contractName, decoder } from '../abi/contracts.ts';
import type { Log } from '../data/types.ts';
import { count } from '../format.ts';
import { Address, Arguments, BlockLink, Broken, Long, TxLink } from './values.tsx';

/** Logs, decoded where an ABI is known. @param placed with block and transaction */
export function Logs({ logs, placed }: { logs: readonly Log[]; placed?: boolean }) {
  return (
    <ul class="logs">
      {logs.map((log, i) => (
        <li key={i}>
          <OneLog log={log} />
          {placed && log.blockNumber && log.transactionHash && (
            <p class="dim">
              block <BlockLink number={log.blockNumber} />, log {count(log.logIndex ?? '0x0')},{' '}
              <TxLink hash={log.transactionHash} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function OneLog({ log }: { log: Log }) {
  const decoded = decoder.value?.log(log, contractName(log.address));
  if (decoded && !decoded.broken)
    return (
      <>
        <p>
          <b>{decoded.name}</b> <span class="dim">of</span> <Address value={log.address} />
        </p>
        <Arguments args={decoded.args} />
      </>
    );
  return (
    <>
      <p>
        <Address value={log.address} /> {decoded && <Broken name={decoded.name} raw={log.data} />}
      </p>
      <dl class="facts">
        {log.topics.map((topic, i) => (
          <div key={topic}>
            <dt>topic {i}</dt>
            <dd>
              <code>{topic}</code>
            </dd>
          </div>
        ))}
        {!decoded && (
          <div>
            <dt>data</dt>
            <dd>
              <Long value={log.data} />
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}
