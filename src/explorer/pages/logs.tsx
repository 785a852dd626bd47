import { useState } from 'preact/hooks';
import { decoder } from '../abi/contracts.ts';
import { rpc } from '../app.ts';
import type { Hex, Log } from '../data/types.ts';
import { plural } from '../format.ts';
import { addressIn } from '../names/address-in.ts';
import { useDeployed } from '../names/deployed.ts';
import { Address } from '../parts/address.tsx';
import { Field } from '../parts/field.tsx';
import { Logs } from '../parts/log-list.tsx';
import { Panel, Waiting } from '../parts/values.tsx';

const MAX = 200;

/** The page that searches logs. */
export function LogsPage({ args: [given = ''] }: { args: readonly string[] }) {
  useDeployed();
  const [place, setPlace] = useState(given);
  // Resolved on each keystroke, because resolving a name sends requests to the node.
  const address = addressIn(place);
  const [event, setEvent] = useState('');
  const [from, setFrom] = useState('earliest');
  const [to, setTo] = useState('pending');
  const [found, setFound] = useState<{ logs?: Log[]; error?: string }>({});
  const search = async (submitted: Event) => {
    submitted.preventDefault();
    try {
      const topic =
        event === '' ? undefined : /^0x[\da-f]{64}$/i.test(event) ? event : decoder.peek()?.topicOf(event);
      if (event !== '' && !topic) throw new Error(`no ABI is known with an event ${event}`);
      if (place.trim() !== '' && !address)
        throw new Error(`address: expected an address or the name of a contract, got ${place}`);
      const filter = {
        fromBlock: blockRef(from),
        toBlock: blockRef(to),
        ...(address && { address }),
        ...(topic && { topics: [topic] }),
      };
      setFound({ logs: await rpc.call<Log[]>('eth_getLogs', filter) });
    } catch (error) {
      setFound({ error: (error as Error).message });
    }
  };
  return (
    <>
      <div class="title">
        <h1>Logs</h1>
      </div>
      <Panel title="Search">
        <form class="form" onSubmit={search}>
          <Field label="address" value={place} onValue={setPlace} placeholder="any, or Token" wide />
          <Field
            label="event, by name or topic"
            value={event}
            onValue={setEvent}
            placeholder="any, or Transfer"
            wide
          />
          <Field label="from block" value={from} onValue={setFrom} />
          <Field label="to block" value={to} onValue={setTo} />
          <button type="submit">Search</button>
        </form>
        {address && address !== place.trim().toLowerCase() && (
          <p class="small">
            <Address value={address} full />
          </p>
        )}
      </Panel>
      {!found.error && !found.logs && <p class="dim">Fields that are empty find all.</p>}
      {found.error && <Waiting error={found.error} />}
      {found.logs && (
        <Panel
          title={plural(found.logs.length, 'log')}
          aside={found.logs.length > MAX && <span class="dim">the newest {MAX} are shown</span>}
        >
          <Logs logs={found.logs.slice(-MAX).reverse()} placed />
        </Panel>
      )}
    </>
  );
}

/** Converts decimal numbers to hex; tags and hex stay the same. */
export function blockRef(text: string): Hex | string {
  const plain = text.trim().replaceAll(',', '');
  return /^\d+$/.test(plain) ? `0x${BigInt(plain).toString(16)}` : plain;
}
