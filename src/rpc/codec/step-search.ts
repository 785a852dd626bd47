import { STEP_KINDS, type StepSearch } from '../../debugger/find-step.ts';
import { array, type Codec, invalid, isObject, mapped, object, withDefault } from './codec.ts';
import { boolean, string, uint64 } from './values.ts';

/** A place in a run: by its step, by the number of a line or call, or the nearest step of a kind. */
export type StepRef =
  | { readonly unit: 'opcode' | 'line' | 'call'; readonly index: number }
  | { readonly search: StepSearch };

const MOST_BREAKPOINTS = 1_000;
const UNITS = ['opcode', 'line', 'call'] as const;

/** A whole number below 2^32. */
export const index32: Codec<number> = mapped(uint64, (value, path) =>
  value < 1n << 32n ? Number(value) : invalid(path, 'a number below 2^32', Number(value)),
);

const kind: Codec<StepSearch['kind']> = mapped(
  string,
  (value, path) => STEP_KINDS.find((each) => each === value) ?? invalid(path, STEP_KINDS.join(', '), value),
);

const search: Codec<StepSearch> = object('a search {"from", "kind"}', {
  from: index32,
  kind,
  back: withDefault(boolean, false),
  breakpoints: withDefault(
    mapped(array(object('a line {"file", "line"}', { file: index32, line: index32 })), (list, path) =>
      list.length <= MOST_BREAKPOINTS
        ? list
        : invalid(path, `${MOST_BREAKPOINTS} lines at most`, list.length),
    ),
    [],
  ),
});

/** The second parameter of `devnet_step`. */
export const stepRef: Codec<StepRef> = {
  decode: (value, path) => {
    if (!isObject(value)) return { unit: 'opcode', index: index32.decode(value, path) };
    const unit = UNITS.find((each) => Object.hasOwn(value, each));
    if (unit) return { unit, index: index32.decode(value[unit], `${path}.${unit}`) };
    return { search: search.decode(value, path) };
  },
};
