import type { RanOpcode, SourceLine } from '../sources/source-line.ts';
import type { FindCode } from './inference.ts';
import { isWholeFunction, type Location, type RunningCode } from './running-code.ts';

/**
 * The line of source of an opcode. Where the opcode is mapped to no part of a function, as in code that the compiler generated, it is the
 * line of the last opcode before it that is.
 * @returns `undefined` where no compiled contract has the code
 */
export function sourceOf(find: FindCode, { code, isCreation, pcs }: RanOpcode): SourceLine | undefined {
  const running = find(code, isCreation);
  if (!running) return undefined;
  let whole: Location | undefined;
  for (const pc of pcs) {
    const { location } = running.at(pc);
    if (!location) continue;
    if (location.fn && !isWholeFunction(location)) return lineOf(running, location);
    whole ??= location;
  }
  return whole && lineOf(running, whole);
}

function lineOf({ contract }: RunningCode, { file, start }: Location): SourceLine {
  const position = file.positionOf(start);
  return { contract: contract.name, file: file.name, ...position, source: file.lineText(position.line) };
}
