import type { SourceFunction, SourceRange } from '../sources/source-file.ts';
import type { Entry, Place } from './entries.ts';
import type { Instruction, Location, RunningCode } from './running-code.ts';

/** The names shown for functions without a name. */
const NAMES: Partial<Record<SourceFunction['kind'], string>> = {
  constructor: 'constructor',
  fallback: '<fallback>',
  receive: '<receive>',
};

/** A function's name in a stack trace. */
export function nameOf({ kind, name }: SourceFunction): string {
  return NAMES[kind] ?? name;
}

export function isModifier(fn: SourceFunction | undefined): boolean {
  return fn?.kind === 'modifier';
}

/** The place of a function. */
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

/** The place of the running contract, outside of any function. @returns `undefined` if its source isn't known */
export function contractPlace({ contract }: RunningCode): Place | undefined {
  const { source, name } = contract;
  return source && { file: source.file, start: source.start, end: source.end, contract: name };
}

/** The place of the contract's constructor, with the contract's range; if it is in the source, its line is shown. */
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

/** The place of a location within a function. @returns `undefined` outside of functions */
export function placeOf(code: RunningCode, location: Location | undefined): Place | undefined {
  const { contract, isCreation } = code;
  const fn = location?.fn;
  if (!location) return undefined;
  // Initializers of variables are part of the constructor.
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

/** Whether a location is within a contract, but isn't the whole contract. */
function isMember(location: Location): boolean {
  const around = location.file.contractAround(location.start, location.end);
  return around !== undefined && (around.start !== location.start || around.end !== location.end);
}

/** The entry for a call, a creation or a jump into a function. */
export function callAt(code: RunningCode, { location, pc }: Instruction): Entry {
  const place = placeOf(code, location);
  if (place) return { kind: 'call', place };
  if (!location) return { kind: 'internal-call', place: contractPlace(code), pc };
  return { kind: 'call', place: { ...rangeOf(location), contract: code.contract.name, kind: 'function' } };
}

function rangeOf({ file, start, end }: SourceRange): SourceRange {
  return { file, start, end };
}
