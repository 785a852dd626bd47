import type { SourceFunction, SourceRange } from '../sources/source-file.ts';
import type { Entry, Place } from './entries.ts';
import type { Instruction, Location, RunningCode } from './running-code.ts';

/** Names of functions that have none. */
const NAMES: Partial<Record<SourceFunction['kind'], string>> = {
  constructor: 'constructor',
  fallback: '<fallback>',
  receive: '<receive>',
};

/** What a function is called in a stack trace. */
export function nameOf({ kind, name }: SourceFunction): string {
  return NAMES[kind] ?? name;
}

export function isModifier(fn: SourceFunction | undefined): boolean {
  return fn?.kind === 'modifier';
}

/** Where a function starts. */
export function functionPlace({ contract }: RunningCode, fn: SourceFunction): Place {
  return {
    file: fn.file,
    start: fn.start,
    end: fn.end,
    contract: contract.name,
    function: nameOf(fn),
    definedIn: fn.contract?.name,
    kind: fn.kind,
  };
}

/** The contract whose code runs, outside of any function. @returns `undefined` where its text isn't known */
export function contractPlace({ contract }: RunningCode): Place | undefined {
  const { source, name } = contract;
  return source && { file: source.file, start: source.start, end: source.end, contract: name };
}

/** The constructor that is written in the contract, or the contract itself. Its range is that of the contract. */
export function constructorPlace(code: RunningCode): Place | undefined {
  const place = contractPlace(code);
  const own = code.contract.ownConstructor;
  return (
    place && {
      ...place,
      ...(own && { shown: own.start }),
      function: 'constructor',
      definedIn: code.contract.name,
      kind: 'constructor',
    }
  );
}

/** A location in a function. @returns `undefined` outside of functions */
export function placeOf(code: RunningCode, location: Location | undefined): Place | undefined {
  const { contract, isCreation } = code;
  const fn = location?.fn;
  if (!location) return undefined;
  // What initializes a variable is a part of the constructor.
  if (isCreation && (fn?.kind === 'getter' || (!fn && isMember(location))))
    return {
      ...rangeOf(location),
      contract: contract.name,
      function: 'constructor',
      definedIn: location.file.contractAround(location.start, location.end)?.name,
      kind: 'constructor',
    };
  if (!fn) return undefined;
  return {
    ...rangeOf(location),
    contract: fn.kind === 'free function' ? undefined : contract.name,
    function: nameOf(fn),
    definedIn: fn.contract?.name,
    kind: fn.kind,
  };
}

/** Whether a location is within a contract, and not all of it. */
function isMember(location: Location): boolean {
  const around = location.file.contractAround(location.start, location.end);
  return around !== undefined && (around.start !== location.start || around.end !== location.end);
}

/** The entry of a call, a creation or a jump into a function. */
export function callAt(code: RunningCode, { location, pc }: Instruction): Entry {
  const place = placeOf(code, location);
  if (place) return { kind: 'call', place };
  if (!location) return { kind: 'internal-call', place: contractPlace(code), pc };
  return { kind: 'call', place: { ...rangeOf(location), contract: code.contract.name, kind: 'function' } };
}

function rangeOf({ file, start, end }: SourceRange): SourceRange {
  return { file, start, end };
}
