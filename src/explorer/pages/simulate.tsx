import { signal } from '@preact/signals';
import { abiCode, contractName, decoder } from '../abi/contracts.ts';
import { rpc } from '../app.ts';
import {
  asCurl,
  asViem,
  type BlockForm,
  type CallForm,
  type CallResult,
  NEW_CALL,
  NEW_OVERRIDE,
  type OverrideForm,
  type SimulationForm,
  simulationParams,
} from '../data/simulation.ts';
import type { Block, Hex } from '../data/types.ts';
import { count, gwei, plural } from '../format.ts';
import { Field } from '../parts/field.tsx';
import { Logs } from '../parts/log-list.tsx';
import { useRemote } from '../parts/use-remote.ts';
import { Arguments, Broken, Call, Copy, Long, Panel, Value, Waiting } from '../parts/values.tsx';

type SimulatedBlock = Block & { readonly calls: readonly CallResult[] };
/** What was asked, for decoding the answer. */
type Sent = { readonly to?: Hex; readonly input: Hex };

/** It stays while other pages are shown. */
const form = signal<SimulationForm>({
  blocks: [{ overrides: [], calls: [NEW_CALL] }],
  after: 'pending',
  validation: false,
  traceTransfers: false,
});
const outcome = signal<{ blocks?: SimulatedBlock[]; sent?: Sent[][]; error?: string }>({});

const replaced = <T,>(list: readonly T[], at: number, item: T): T[] =>
  list.map((old, i) => (i === at ? item : old));
const without = <T,>(list: readonly T[], at: number): T[] => list.filter((_, i) => i !== at);

/** Runs blocks of calls on top of the chain, which stays as it is. */
export function SimulatePage() {
  const accounts = useRemote('accounts', () => rpc.call<Hex[]>('eth_accounts'));
  const { blocks, after, validation, traceTransfers } = form.value;
  const setBlocks = (list: readonly BlockForm[]) => {
    form.value = { ...form.peek(), blocks: list };
  };
  let params: ReturnType<typeof simulationParams> | undefined;
  let problem = '';
  try {
    params = simulationParams(form.value, encode);
  } catch (error) {
    problem = (error as Error).message;
  }
  const run = async (event: Event) => {
    event.preventDefault();
    if (!params) return;
    const [{ blockStateCalls }] = params as unknown as [{ blockStateCalls: { calls: Sent[] }[] }];
    outcome.value = await rpc.call<SimulatedBlock[]>('eth_simulateV1', ...params).then(
      (answer) => ({ blocks: answer, sent: blockStateCalls.map(({ calls }) => calls) }),
      (error: Error) => ({ error: error.message }),
    );
  };
  return (
    <>
      <h1>Simulate</h1>
      <form onSubmit={run}>
        <datalist id="accounts">
          {accounts.value?.map((address) => (
            <option key={address} value={address} />
          ))}
        </datalist>
        {blocks.map((block, i) => (
          <BlockEditor
            key={i}
            number={i + 1}
            block={block}
            onChange={(changed) => setBlocks(replaced(blocks, i, changed))}
            onRemove={blocks.length > 1 ? () => setBlocks(without(blocks, i)) : undefined}
          />
        ))}
        <div class="form">
          <button type="button" onClick={() => setBlocks([...blocks, { overrides: [], calls: [NEW_CALL] }])}>
            Add a block
          </button>
          <Field
            label="after block"
            value={after}
            onValue={(text) => (form.value = { ...form.peek(), after: text })}
          />
          <Check
            label="validate as a real block"
            checked={validation}
            onChange={(on) => (form.value = { ...form.peek(), validation: on })}
          />
          <Check
            label="logs of ETH transfers"
            checked={traceTransfers}
            onChange={(on) => (form.value = { ...form.peek(), traceTransfers: on })}
          />
          <button type="submit" class="main" disabled={!params}>
            Simulate
          </button>
          {params && <Copy text={asCurl(location.origin, params)} label="copy as curl" large />}
          {params && <Copy text={asViem(location.origin, params)} label="copy as viem" large />}
          {problem && <span class="bad">{problem}</span>}
        </div>
      </form>
      {outcome.value.error && <Waiting error={outcome.value.error} />}
      {outcome.value.blocks?.map((block, i) => (
        <Result key={block.hash} block={block} sent={outcome.value.sent?.[i] ?? []} />
      ))}
    </>
  );
}

/** Functions of all ABIs, by a key that names contract and signature. */
function functions() {
  return (decoder.value?.functions() ?? []).map(({ item, source }) => ({
    key: `${source}.${item.name}(${item.inputs.map(({ type }) => type).join()})`,
    item,
  }));
}

function encode(key: string, args: readonly string[]): Hex {
  const found = functions().find((entry) => entry.key === key);
  if (!found || !abiCode.value) throw new Error(`no ABI is known for ${key}`);
  return abiCode.value.encodeCall(found.item, args);
}

function Check(props: { label: string; checked: boolean; onChange: (on: boolean) => void }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={props.checked}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      {props.label}
    </label>
  );
}

function BlockEditor(props: {
  number: number;
  block: BlockForm;
  onChange: (block: BlockForm) => void;
  onRemove: (() => void) | undefined;
}) {
  const { number, block, onChange, onRemove } = props;
  const { calls, overrides } = block;
  return (
    <Panel
      title={`Block ${number}`}
      aside={
        <span>
          <button
            type="button"
            onClick={() => onChange({ ...block, overrides: [...overrides, NEW_OVERRIDE] })}
          >
            Add an override
          </button>{' '}
          <button
            type="button"
            onClick={() =>
              onChange({ ...block, calls: [...calls, { ...NEW_CALL, from: calls.at(-1)?.from ?? '' }] })
            }
          >
            Add a call
          </button>{' '}
          {onRemove && (
            <button type="button" onClick={onRemove}>
              Remove
            </button>
          )}
        </span>
      }
    >
      {overrides.map((override, i) => (
        <OverrideEditor
          key={i}
          override={override}
          onChange={(changed) => onChange({ ...block, overrides: replaced(overrides, i, changed) })}
          onRemove={() => onChange({ ...block, overrides: without(overrides, i) })}
        />
      ))}
      {calls.map((call, i) => (
        <CallEditor
          key={i}
          number={i + 1}
          call={call}
          onChange={(changed) => onChange({ ...block, calls: replaced(calls, i, changed) })}
          onRemove={() => onChange({ ...block, calls: without(calls, i) })}
        />
      ))}
    </Panel>
  );
}

function OverrideEditor(props: {
  override: OverrideForm;
  onChange: (override: OverrideForm) => void;
  onRemove: () => void;
}) {
  const { override, onChange, onRemove } = props;
  return (
    <fieldset class="form">
      <legend>Override</legend>
      <Field
        label="account"
        wide
        value={override.address}
        onValue={(text) => onChange({ ...override, address: text })}
      />
      <Field
        label="balance, ETH"
        value={override.balance}
        onValue={(text) => onChange({ ...override, balance: text })}
      />
      <Field label="code" value={override.code} onValue={(text) => onChange({ ...override, code: text })} />
      <Field
        label="slots, JSON"
        value={override.slots}
        placeholder='{"0x0": "0x1"}'
        onValue={(text) => onChange({ ...override, slots: text })}
      />
      <button type="button" onClick={onRemove}>
        Remove override
      </button>
    </fieldset>
  );
}

function CallEditor(props: {
  number: number;
  call: CallForm;
  onChange: (call: CallForm) => void;
  onRemove: () => void;
}) {
  const { number, call, onChange, onRemove } = props;
  const known = functions();
  const chosen = known.find(({ key }) => key === call.fn)?.item;
  return (
    <fieldset class="form">
      <legend>Call {number}</legend>
      <Field label="from" wide value={call.from} onValue={(text) => onChange({ ...call, from: text })} />
      <Field label="to" wide value={call.to} onValue={(text) => onChange({ ...call, to: text })} />
      <Field label="value, ETH" value={call.value} onValue={(text) => onChange({ ...call, value: text })} />
      <label class="field wide">
        <span>function</span>
        <select
          value={call.fn}
          onChange={(event) => onChange({ ...call, fn: event.currentTarget.value, args: [] })}
        >
          <option value="">raw data</option>
          {known.map(({ key }) => (
            <option key={key} value={key}>
              {key}
            </option>
          ))}
        </select>
      </label>
      {chosen ? (
        chosen.inputs.map(({ name, type }, i) => (
          <Field
            key={i}
            label={`${name || i} ${type}`}
            wide={type === 'address'}
            value={call.args[i] ?? ''}
            onValue={(text) =>
              onChange({
                ...call,
                args: chosen.inputs.map((_, at) => (at === i ? text : (call.args[at] ?? ''))),
              })
            }
          />
        ))
      ) : (
        <Field label="data" wide value={call.data} onValue={(text) => onChange({ ...call, data: text })} />
      )}
      <button type="button" onClick={onRemove}>
        Remove call
      </button>
    </fieldset>
  );
}

function Result({ block, sent }: { block: SimulatedBlock; sent: readonly Sent[] }) {
  return (
    <Panel
      title={`Result: block ${count(block.number)}`}
      aside={
        <span class="dim">
          {count(block.gasUsed)} gas · base fee {gwei(block.baseFeePerGas ?? '0x0')} gwei
        </span>
      }
    >
      {block.calls.map((call, i) => (
        <CallOutcome key={i} number={i + 1} call={call} sent={sent[i]} />
      ))}
    </Panel>
  );
}

function CallOutcome({ number, call, sent }: { number: number; call: CallResult; sent: Sent | undefined }) {
  const name = contractName(sent?.to);
  const failed = call.status !== '0x1';
  const data = (call.error?.data ?? call.returnData) as Hex;
  const error = failed ? decoder.value?.error(data, name) : undefined;
  const result = failed || !sent ? undefined : decoder.value?.result(sent.input, call.returnData, name);
  return (
    <div class={failed ? 'outcome failed' : 'outcome'}>
      <p>
        <b>Call {number}</b>{' '}
        {sent && <Call decoded={decoder.value?.call(sent.input, name)} raw={sent.input} />}{' '}
        <span class={failed ? 'badge bad' : 'badge good'}>{failed ? 'failed' : 'success'}</span>{' '}
        <span class="dim">{count(call.gasUsed)} gas</span>
      </p>
      {failed && !error && (
        <p class="bad">
          {call.error?.message} {data.length > 2 && <Long value={data} shown={74} />}
        </p>
      )}
      {error?.broken && <Broken name={error.name} raw={data} />}
      {error && !error.broken && (
        <>
          <p>
            <b class="bad">{error.name}</b> <span class="dim">of {error.source}</span>
          </p>
          <Arguments args={error.args} />
        </>
      )}
      {result && result.length > 0 && (
        <p>
          returned{' '}
          {result.map((it, i) => (
            <span key={i}>
              {it.name && <span class="dim">{it.name} </span>}
              <Value type={it.type} value={it.value} />{' '}
            </span>
          ))}
        </p>
      )}
      {!failed && !result && call.returnData.length > 2 && (
        <p>
          returned <Long value={call.returnData} shown={74} />
        </p>
      )}
      {call.logs.length > 0 && (
        <details>
          <summary>{plural(call.logs.length, 'log')}</summary>
          <Logs logs={call.logs} />
        </details>
      )}
    </div>
  );
}
