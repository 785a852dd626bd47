import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Moment } from '../../rpc/format/execution.ts';
import type { Frame, LocalVariable, Run, Variable } from './run.ts';

export interface Scope {
  readonly name: string;
  readonly presentationHint?: 'arguments' | 'locals' | 'registers';
  /** whether reading its variables requires a request */
  readonly expensive: boolean;
  readonly variables: () => Promise<DebugProtocol.Variable[]>;
}

const NOT_AVAILABLE = 'not available';
/** Bytes of memory per row. */
const ROW = 32;

/** Returns the scopes that an editor shows for a call. */
export function scopesOf(run: Run, moment: Moment, frame: Frame): readonly Scope[] {
  const isInnermost = frame === moment.frames.at(-1);
  const shown = (list: DebugProtocol.Variable[]) => () => Promise.resolve(list);
  const functionScopes: Scope[] = [
    {
      name: 'Arguments',
      presentationHint: 'arguments',
      expensive: false,
      variables: shown(locals(frame, ({ kind }) => kind === 'parameter')),
    },
    {
      name: 'Locals',
      presentationHint: 'locals',
      expensive: false,
      variables: shown(locals(frame, ({ kind }) => kind !== 'parameter')),
    },
  ];
  const state: Scope = {
    name: 'State variables',
    expensive: false,
    variables: async () => (await run.stateVariables(frame.step)).map(shownVariable),
  };
  if (!isInnermost) return [...functionScopes, state];
  return [
    ...functionScopes,
    state,
    { name: 'Storage changes', expensive: false, variables: shown(storageChanges(moment)) },
    { name: 'Stack', presentationHint: 'registers', expensive: true, variables: shown(stackWords(moment)) },
    { name: 'Memory', expensive: true, variables: shown(memoryRows(moment)) },
  ];
}

/** Evaluates a name in a call: a variable of the function or of the contract. @returns `undefined` if there is none */
export async function evaluate(run: Run, frame: Frame, expression: string): Promise<string | undefined> {
  const name = expression.trim();
  // A variable of an inner block hides others of the same name.
  const local = frame.variables?.findLast((each) => each.name === name);
  if (local) return valueText(local);
  const message = {
    'msg.value': frame.value,
    'msg.data': frame.input,
    'address(this)': frame.to ?? undefined,
  };
  if (Object.hasOwn(message, name)) return message[name as keyof typeof message];
  const state = await run.stateVariables(frame.step);
  const variable = state.find((each) => each.name === name);
  if (variable) return valueText(variable);
  const parts = state.filter((each) => each.name.startsWith(`${name}.`) || each.name.startsWith(`${name}[`));
  if (name === '' || parts.length === 0) return undefined;
  return parts.map((each) => `${each.name.slice(name.length)}: ${valueText(each)}`).join(', ');
}

function locals(
  { variables }: Frame,
  isShown: (variable: LocalVariable) => boolean,
): DebugProtocol.Variable[] {
  return variables
    ? variables.filter(isShown).map(shownVariable)
    : [{ name: 'variables', value: NOT_AVAILABLE, variablesReference: 0 }];
}

function storageChanges({ storage }: Moment): DebugProtocol.Variable[] {
  return storage.map(({ address, slot, before, value }) => ({
    name: `${address} ${slot}`,
    value: before === null ? `${value} (transient)` : `${before} -> ${value}`,
    variablesReference: 0,
  }));
}

/** Lists the stack, top first. */
function stackWords({ stack }: Moment): DebugProtocol.Variable[] {
  return stack.map((value, i) => ({ name: `${i}`, value, variablesReference: 0 })).reverse();
}

function memoryRows({ memory, memorySize }: Moment): DebugProtocol.Variable[] {
  const rows: DebugProtocol.Variable[] = [];
  const bytes = (memory.length - 2) / 2;
  for (let at = 0; at < bytes; at += ROW)
    rows.push({
      name: `0x${at.toString(16)}`,
      value: `0x${memory.slice(2 + 2 * at, 2 + 2 * (at + ROW))}`,
      variablesReference: 0,
    });
  if (bytes < memorySize)
    rows.push({ name: '...', value: `${memorySize - bytes} more bytes`, variablesReference: 0 });
  return rows;
}

function shownVariable(variable: Variable): DebugProtocol.Variable {
  return { name: variable.name, type: variable.type, value: valueText(variable), variablesReference: 0 };
}

function valueText({ value }: Variable): string {
  return value === null ? NOT_AVAILABLE : String(value);
}
