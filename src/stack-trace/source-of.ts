import type { RanOpcode, SourceLine } from '../sources/source-line.ts';
import type { FindCode } from './inference.ts';
import { isWholeFunction, type Location, type RunningCode } from './running-code.ts';

/**
 * The line of source of an opcode. Where the opcode itself has none, as in code that the compiler generated, it is the line of the last
 * opcode before it that is mapped to a part of a function.
 * @returns `undefined` where no compiled contract has the code
 */
export function sourceOf(find: FindCode, { code, isCreation, pcs }: RanOpcode): SourceLine | undefined {
  const running = find(code, isCreation);
  if (!running) return undefined;
  const [own, ...earlier] = pcs.map((pc) => running.at(pc).location);
  // With viaIR what the compiler generated is mapped to the whole function.
  if (own && !(running.isIr && isWholeFunction(own))) return lineOf(running, own);
  const found = earlier.find((location) => location?.fn && !isWholeFunction(location)) ?? own;
  return found && lineOf(running, found);
}

function lineOf({ contract }: RunningCode, { file, start }: Location): SourceLine {
  const position = file.positionOf(start);
  return { contract: contract.name, file: file.name, ...position, source: file.lineText(position.line) };
}
