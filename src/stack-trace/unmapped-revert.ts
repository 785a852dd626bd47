import type { TracedMessage } from '../engine/tracers/messages.ts';
import type { Entry, Place } from './entries.ts';
import { constructorPlace, functionPlace, placeOf } from './places.ts';
import type { Instruction, RunningCode } from './running-code.ts';

/**
 * solc 0.6.3 to 0.6.8 map some reverts to nothing (ethereum/solidity#9006). This is a guess at the line, by what is mapped beside it.
 * @param isBeforeFunction whether no function was jumped into
 * @returns `undefined` where nothing near is mapped
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
    // A `require`: the line is exact.
    if (previous?.location?.fn && previous.location === next.location)
      return entry(placeOf(code, next.location));
    const mapped = [previous, next].find((each) => each?.location?.fn !== undefined);
    return mapped && entry(nearRevert(placeOf(code, mapped.location)));
  }
  if (!previous) return undefined;
  const place = placeOf(code, previous.location);
  // Behind a revert that always happens the compiler adds nothing to a constructor.
  if (message.isCreation) return entry(place ? nearRevert(place) : constructorPlace(code));
  return entry(nearRevert(place));
}

function entry(place: Place | undefined): Entry {
  return { kind: 'unmapped-revert', place };
}

const REVERTS = /require|revert/;

/** The same place, on the next line that isn't empty where only that one may revert. */
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
