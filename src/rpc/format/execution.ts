import type { CallNode, Execution, SourcePlace } from '../../debugger/execution.ts';
import { placeOf } from '../../debugger/find-step.ts';
import { type Machine, machineAt } from '../../debugger/machine.ts';
import { variablesAt } from '../../debugger/variables.ts';
import type { RecordedLog, RecordedWrite } from '../../engine/tracers/step-history.ts';
import { OPCODE_NAMES } from '../../protocol/opcode-names.ts';
import { hex, quantity } from '../codec/hex.ts';

/** The limits on one answer, which has the newest or innermost ones. */
const MAX_FRAMES = 200;
const MAX_CHANGES = 500;
const MAX_LOGS = 100;
/** bytes */
const MAX_MEMORY = 16 * 2 ** 10;
const MAX_INPUT = 4 * 2 ** 10;
/** The highest number of calls, from the innermost one, whose variables are shown: reading them takes some work for each call. */
const MAX_WITH_VARIABLES = 16;

/** Formats a step in a list of steps. */
export function formatStep(execution: Execution, step: number) {
  const { history } = execution;
  const place = execution.ownPlace(step);
  return {
    step,
    pc: history.pc[step]!,
    op: OPCODE_NAMES[execution.opcodeAt(step)]!,
    gas: history.gas[step]!,
    depth: execution.callAt(step).depth,
    file: place?.file ?? null,
    line: place?.line ?? null,
  };
}

/** The result of `devnet_step`. */
export type Moment = ReturnType<typeof formatMoment>;

/** A call that is in progress at a step. */
export type MomentFrame = Moment['frames'][number];

/** Formats everything that is known at a step. */
export function formatMoment(execution: Execution, step: number) {
  const { history, lines, callStarts } = execution;
  const machine = machineAt(history, step);
  const message = history.messages[history.message[step]!]!;
  const spent = history.gas[0]! - history.gas[step]! - message.keptGas;
  const stack = execution.stackAt(step);
  const all = frames(execution, step, stack, machine);
  const isDone = (each: RecordedLog | RecordedWrite) => each.step < step && each.undoneAt > step;
  const changes = netChanges(history.writes.filter(isDone));
  const logs = history.logs.filter(isDone);
  return {
    ...formatStep(execution, step),
    index: { line: placeOf(lines, step + 1) - 1, call: placeOf(callStarts, step + 1) - 1 },
    gasUsed: spent,
    address: execution.accountAt(step) ?? null,
    place: formatPlace(execution, execution.placeAt(step)),
    calls: all.length,
    frames: all.slice(-MAX_FRAMES),
    stack: machine.stack.map(quantity),
    memory: hex(machine.memory.subarray(0, MAX_MEMORY)),
    memorySize: machine.memory.length,
    storage: changes.slice(-MAX_CHANGES),
    storageChanges: changes.length,
    logs: logs.slice(-MAX_LOGS).map(({ address, topics, data, step: at }) => ({
      step: at,
      address,
      topics: topics.map(hex),
      data: hex(data.subarray(0, MAX_INPUT)),
    })),
    logCount: logs.length,
  };
}

/** Returns the calls in progress. A message and the function in which it started are one call. */
function frames(execution: Execution, step: number, stack: readonly CallNode[], machine: Machine) {
  const { functions, codes } = execution.sources;
  return stack.flatMap((call, i) => {
    const inner = stack[i + 1];
    const isMessage = call.fn < 0;
    if (isMessage && inner && inner.message === call.message) return [];
    const at = inner ? siteOf(inner) : step;
    const place = execution.placeAt(at);
    const fn = functions[isMessage ? (place?.fn ?? -1) : call.fn];
    const { message } = call;
    const isOutermost = isMessage || stack[i - 1]!.fn < 0;
    const shownWith = stack.length - i <= MAX_WITH_VARIABLES;
    return [
      {
        step: at,
        contract: codes[message.code]?.contract ?? null,
        function: fn?.name ?? null,
        definedIn: fn?.definedIn ?? null,
        place: formatPlace(execution, place),
        ...(isOutermost && {
          type: message.type,
          to: message.to ?? null,
          value: quantity(message.value),
          input: hex(message.input.subarray(0, MAX_INPUT)),
        }),
        variables: shownWith ? variablesOf(execution, call, at, place, machine, inner === undefined) : null,
      },
    ];
  });
}

/** Returns the step that made a call. */
function siteOf({ fn, first, message }: CallNode): number {
  return fn < 0 ? message.at : first - 1;
}

function variablesOf(
  execution: Execution,
  call: CallNode,
  at: number,
  place: SourcePlace | undefined,
  machine: Machine,
  isInnermost: boolean,
) {
  const known = call.fn < 0 ? undefined : execution.sources.functions[call.fn]!.variables;
  if (!known || Number.isNaN(known.parameterWords)) return null;
  const { history } = execution;
  const base = machineAt(history, call.first).stack.length - known.parameterWords;
  const now = isInnermost ? machine : machineAt(history, at);
  return variablesAt(known, place?.start, base, now, call.message.input).map(({ value = null, ...rest }) => ({
    ...rest,
    value,
  }));
}

function formatPlace({ sources }: Execution, place: SourcePlace | undefined) {
  if (!place) return null;
  const { file, line } = place;
  return { file, name: sources.files[file]!.name, line };
}

/** Merges the writes of each slot: the value before the first write, and the one after the last. */
function netChanges(writes: readonly RecordedWrite[]) {
  const bySlot = new Map<string, { readonly first: RecordedWrite; readonly last: RecordedWrite }>();
  for (const write of writes) {
    const key = `${write.address} ${write.slot} ${write.before === undefined}`;
    const known = bySlot.get(key);
    bySlot.delete(key);
    bySlot.set(key, { first: known?.first ?? write, last: write });
  }
  return [...bySlot.values()].map(({ first, last: { address, slot, value, step } }) => ({
    step,
    address,
    slot: quantity(slot),
    before: first.before === undefined ? null : quantity(first.before),
    value: quantity(value),
    transient: first.before === undefined,
  }));
}
