import { bytesToHex } from '@ethereumjs/util';
import type { InternalCall } from '../engine/tracers/internal-calls.ts';
import type { TracedMessage } from '../engine/tracers/messages.ts';
import { valuesText } from '../sources/abi/argument-text.ts';
import type { SourceFunction } from '../sources/source-file.ts';
import { variableText } from '../sources/variable-text.ts';
import type { Entry } from './entries.ts';
import type { Instruction, RunningCode } from './running-code.ts';

/** A jump into a function of the source code. */
export interface Jump {
  readonly site: Instruction;
  /** the first instruction of the function */
  readonly target: Instruction;
}

/**
 * Adds the functions' arguments to a message's stack entries. Arguments of the message's own function or constructor are in its data.
 * Arguments of internal functions were on the stack at their first instruction; their places are known for solc 0.5 and later without
 * optimizer and viaIR.
 * @param jumps into the functions that hadn't returned, the outermost first
 */
export function withArguments(
  entries: readonly Entry[],
  jumps: readonly Jump[],
  code: RunningCode,
  message: TracedMessage,
): Entry[] {
  const calls = callsOf(jumps, message.internalCalls);
  let next = 0;
  const told = entries.map((entry): Entry => {
    const { place } = entry;
    if (!place || place.kind === 'modifier') return entry;
    for (let i = next; i < calls.length; i++) {
      const { fn, call } = calls[i]!;
      if (fn.file !== place.file || place.start < fn.start || place.end > fn.end) continue;
      next = i + 1;
      const args = argumentsText(fn, call, code, message);
      return args ? { ...entry, args } : entry;
    }
    return entry;
  });
  const first = told.findIndex(({ place }) => place?.function !== undefined);
  const args = first < 0 ? undefined : messageArguments(told[first]!, code, message);
  return args ? told.with(first, { ...told[first]!, args }) : told;
}

/** The functions that hadn't returned, each with its recorded call, if there is one. */
function callsOf(
  jumps: readonly Jump[],
  seen: readonly InternalCall[],
): { readonly fn: SourceFunction; readonly call: InternalCall | undefined }[] {
  let from = 0;
  return jumps.flatMap(({ site, target }) => {
    const at = seen.findIndex((each, i) => i >= from && each.site === site.pc && each.target === target.pc);
    if (at >= 0) from = at + 1;
    const fn = target.location?.fn;
    return fn ? [{ fn, call: seen[at] }] : [];
  });
}

/** The arguments of an internal function as text; `undefined` if its variables aren't known. */
function argumentsText(
  { variables }: SourceFunction,
  call: InternalCall | undefined,
  { isOptimized, isIr, version }: RunningCode,
  { input }: TracedMessage,
): string | undefined {
  if (!variables) return undefined;
  const words = variables.parameterWords;
  const isKnown = call && !isOptimized && !isIr && version >= 5000 && call.words.length >= words;
  const values = isKnown && {
    word: (place: number) => call.words[call.words.length - words + place],
    memoryFrom: (at: number) => call.memory.find(({ offset }) => offset === at)?.bytes,
    input,
  };
  return variables.variables
    .filter(({ kind }) => kind === 'parameter')
    .map(({ name, type, slot }) => {
      const value = values && slot !== undefined ? variableText(type, slot, values) : undefined;
      return `${name}: ${value ?? 'not available'}`;
    })
    .join(', ');
}

/** The arguments of the message's own function or constructor, if the entry is in that one. */
function messageArguments(
  entry: Entry,
  { contract }: RunningCode,
  message: TracedMessage,
): string | undefined {
  if (entry.kind === 'invalid-params') return undefined;
  const { input, isCreation } = message;
  if (isCreation)
    return entry.place?.function === 'constructor' && entry.place.definedIn === contract.name
      ? valuesText(contract.constructorArguments(bytesToHex(input)) ?? [])
      : undefined;
  return contract.called(input)?.name === entry.place?.function
    ? valuesText(contract.callIn(bytesToHex(input))?.args ?? [])
    : undefined;
}
