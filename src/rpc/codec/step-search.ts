import { STEP_KINDS, type StepSearch } from '../../debugger/find-step.ts';
import { anyOf, array, type Codec, invalid, isObject, mapped, object, withDefault } from './codec.ts';
import { boolean, string, uint32 } from './values.ts';

/** A place in an execution: by the number of an opcode, line or call, or by a search for the nearest step of a kind. */
export type StepRef =
  | { readonly unit: 'opcode' | 'line' | 'call'; readonly index: number }
  | { readonly search: StepSearch };

const EXPECTED = 'the number of an opcode, or an object {"line"}, {"call"} or {"from", "kind"}';
const MAX_BREAKPOINTS = 1_000;
const UNITS = ['opcode', 'line', 'call'] as const;

const opcode = anyOf(EXPECTED, uint32);

const kind: Codec<StepSearch['kind']> = mapped(
  string,
  (value, path) => STEP_KINDS.find((each) => each === value) ?? invalid(path, STEP_KINDS.join(', '), value),
);

const search: Codec<StepSearch> = object('a search {"from", "kind"}', {
  from: uint32,
  kind,
  back: withDefault(boolean, false),
  breakpoints: withDefault(
    mapped(array(object('a line {"file", "line"}', { file: uint32, line: uint32 })), (list, path) =>
      list.length <= MAX_BREAKPOINTS ? list : invalid(path, `${MAX_BREAKPOINTS} lines at most`, list.length),
    ),
    [],
  ),
});

/** The second parameter of `devnet_step`. */
export const step: Codec<StepRef> = {
  decode: (value, path) => {
    if (!isObject(value)) return { unit: 'opcode', index: opcode.decode(value, path) };
    const unit = UNITS.find((each) => Object.hasOwn(value, each));
    if (unit) return { unit, index: uint32.decode(value[unit], `${path}.${unit}`) };
    return { search: search.decode(value, path) };
  },
};
