import { rpc } from '../app.ts';
import { namesOf, type Stored, valuesAt } from '../data/state-variables.ts';
import type { Hex } from '../data/types.ts';
import { count } from '../format.ts';
import { Address } from '../parts/address.tsx';
import { Logs } from '../parts/log-list.tsx';
import { useRemote } from '../parts/use-remote.ts';
import { Part, ScrollingList } from './part.tsx';
import type { Moment, Row, StorageChange } from './types.ts';
import type { Go } from './use-moment.ts';
import { cut } from './variable-value.tsx';
import { StateVariables } from './variables.tsx';

/** The state of the EVM at a step: state variables, storage changes, logs, stack, memory, and the opcodes around the step. */
export function Machine(props: { hash: Hex; moment: Moment; stored: Stored | undefined; go: Go }) {
  const { hash, moment, stored, go } = props;
  const { address, storage, storageChanges, logs, logCount, stack, memory, memorySize } = moment;
  return (
    <>
      {address && (
        <StateVariables
          list={valuesAt(stored, address, storage)}
          owner={{ function: '', contract: address }}
        />
      )}
      <Part title="Storage changes" count={storageChanges} open>
        {storage.length === 0 && <p class="dim">none so far</p>}
        {storage.toReversed().map((change, i) => (
          <Change key={i} change={change} name={namesOf(stored, change.address, change.slot)} go={go} />
        ))}
      </Part>
      <Part title="Logs" count={logCount}>
        <Logs logs={logs} />
      </Part>
      <Part title="Stack" count={stack.length}>
        <ScrollingList title="Stack">
          <ol reversed>
            {stack.toReversed().map((word, i) => (
              <li key={i} value={i}>
                <code>{word}</code>
              </li>
            ))}
          </ol>
        </ScrollingList>
      </Part>
      <Part title="Memory" count={memorySize}>
        <ScrollingList title="Memory">
          {(memory.slice(2).match(/.{1,64}/g) ?? []).map((word, i) => (
            <div key={i}>
              <span class="dim">{(32 * i).toString(16).padStart(4, '0')}</span> <code>{word}</code>
            </div>
          ))}
        </ScrollingList>
        {memory.length / 2 - 1 < memorySize && <p class="dim">{count(memorySize)} bytes in all</p>}
      </Part>
      <Part title="Opcodes">{() => <Opcodes hash={hash} step={moment.step} go={go} />}</Part>
    </>
  );
}

function Change({ change, name, go }: { change: StorageChange; name: string; go: Go }) {
  const { address, slot, before, value, transient, step } = change;
  return (
    <div class="change">
      <Address value={address} />{' '}
      <button type="button" class="inline" onClick={() => go(() => step)}>
        {transient ? 'transient ' : ''}
        {(!transient && name) || `slot ${cut(slot)}`}
      </button>{' '}
      <code>
        {before !== null && <span class="old">{cut(before)} → </span>}
        <span class="new">{cut(value)}</span>
      </code>
    </div>
  );
}

/** Number of opcodes shown before the current one. SHOWN is the number of all opcodes shown. */
const BEFORE = 8;
const SHOWN = 24;

function Opcodes({ hash, step, go }: { hash: Hex; step: number; go: Go }) {
  const from = Math.max(0, step - BEFORE);
  const rows = useRemote(`${hash} ${from}`, () => rpc.call<Row[]>('devnet_steps', hash, from, SHOWN));
  return (
    <ScrollingList title="Opcodes">
      <ol>
        {rows.value?.map((row) => (
          <li key={row.step} value={row.step} class={row.step === step ? 'current' : ''}>
            <button
              type="button"
              class="inline"
              aria-current={row.step === step}
              onClick={() => go(() => row.step)}
            >
              {row.op}
            </button>{' '}
            <span class="dim">
              {row.pc}, {count(row.gas)} gas
            </span>
          </li>
        ))}
      </ol>
    </ScrollingList>
  );
}
