import {
  type BlockForm,
  type CallForm,
  NEW_CALL,
  NEW_OVERRIDE,
  type OverrideForm,
  replaced,
  without,
} from '../data/simulation.ts';
import { Field } from '../parts/field.tsx';
import { Panel } from '../parts/values.tsx';
import { functionsAt } from './functions.ts';

/** The form of a simulated block. */
export function BlockEditor(props: {
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
  const known = functionsAt(call.to);
  const chosen = known.find(({ key }) => key === call.fn)?.item;
  return (
    <fieldset class="form">
      <legend>Call {number}</legend>
      <Field
        label="from"
        wide
        value={call.from}
        placeholder="account 0 or 0x…"
        onValue={(text) => onChange({ ...call, from: text })}
      />
      <Field
        label="to"
        wide
        value={call.to}
        placeholder="Token or 0x…"
        onValue={(text) => onChange({ ...call, to: text, fn: '', args: [] })}
      />
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
