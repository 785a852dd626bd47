import type { TracedMessage } from '../engine/tracers/messages.ts';
import type { Entry, Place } from './entries.ts';
import { constructorPlace, functionPlace, placeOf } from './places.ts';
import type { Instruction, RunningCode } from './running-code.ts';

/**
 * A guess for reverts that solc 0.6.3 to 0.6.8 don't map (ethereum/solidity#9006), from the mapped instructions next to them.
 * @param isBeforeFunction whether no function was entered
 * @returns `undefined` if no instruction nearby is mapped
 */
export function unmappedRevert(
  code: RunningCode,
  message: TracedMessage,
  instructions: readonly Instruction[],
  isBeforeFunction: boolean,
): Entry | undefined {
  const guessed = guess(code, message, instructions);
  if (!isBeforeFunction || guessed?.place) return guessed;
  const { receive, fallback } = code.contract;
  const failed = receive && message.input.length === 0 ? receive : fallback;
  return failed ? entry(nearRevert(functionPlace(code, failed))) : guessed;
}

function guess(
  code: RunningCode,
  message: TracedMessage,
  instructions: readonly Instruction[],
): Entry | undefined {
  const previous = instructions.findLast(({ location }) => location !== undefined);
  const last = instructions.at(-1)!;
  if (code.isMapped(last.pc + 1)) {
    const next = code.at(last.pc + 1);
    // A `require`: this line is exact.
    if (previous?.location?.fn && previous.location === next.location)
      return entry(placeOf(code, next.location));
    const mapped = [previous, next].find((each) => each?.location?.fn !== undefined);
    return mapped && entry(nearRevert(placeOf(code, mapped.location)));
  }
  if (!previous) return undefined;
  const place = placeOf(code, previous.location);
  // After a revert that always happens, the compiler adds no further code to a constructor.
  if (message.isCreation) return entry(place ? nearRevert(place) : constructorPlace(code));
  return entry(nearRevert(place));
}

function entry(place: Place | undefined): Entry {
  return { kind: 'unmapped-revert', place };
}

const REVERTS = /require|revert/;

/** The same place, or the next non-empty line, if only that one has a `require` or `revert`. */
function nearRevert(place: Place | undefined): Place | undefined {
  if (!place) return undefined;
  const { line } = place.file.positionOf(place.start);
  if (REVERTS.test(place.file.lineText(line))) return place;
  const count = place.file.lineCount;
  for (let next = line + 1; next <= count; next++) {
    const text = place.file.lineText(next);
    if (text.trim() === '') continue;
    return REVERTS.test(text) ? { ...place, shown: place.file.lineStart(next) } : place;
  }
  return place;
}
