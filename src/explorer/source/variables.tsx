import { type Owner, type Variable, variableName } from '../names/variable.ts';
import { Part } from './part.tsx';
import type { CallFrame } from './types.ts';
import { VariableValue } from './variable-value.tsx';

/** The parameters and local variables of a call, with their values. */
export function LocalVariables({ frame, owner }: { frame: CallFrame | undefined; owner: Owner }) {
  return (
    <Part title="Variables" open>
      {frame?.variables ? (
        <Values list={frame.variables} owner={owner} />
      ) : (
        <p class="dim">Local variables are not available here.</p>
      )}
    </Part>
  );
}

/** The state variables of a contract that the transaction reads or writes, with their values. */
export function StateVariables({ list, owner }: { list: readonly Variable[]; owner: Owner }) {
  if (list.length === 0) return null;
  return (
    <Part title="State variables" open>
      <Values list={list} owner={owner} />
    </Part>
  );
}

function Values({ list, owner }: { list: readonly Variable[]; owner: Owner }) {
  if (list.length === 0) return <p class="dim">none has a value here</p>;
  return (
    <dl class="facts values">
      {list.map((variable, i) => (
        <div key={i}>
          <dt title={`${variable.type} ${variable.name}`}>{variableName(variable.name)}</dt>
          <dd>
            <VariableValue variable={variable} owner={owner} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
