import type { StackFrame, StackTrace } from './stack-trace.ts';

/** The frames in the format of JavaScript's stacks, the failure first: `    at Token.transfer (contracts/Token.sol:12:9)`. */
export function stackText({ frames }: StackTrace): string {
  return frames
    .map((frame) => `    at ${frameText(frame)}`)
    .reverse()
    .join('\n');
}

/** A frame's name, as in Hardhat, with its place. */
export function frameText(frame: StackFrame): string {
  const { kind, contract, function: name, file, line, column, address, precompile } = frame;
  if (kind === 'precompile') return `<PrecompileContract ${precompile}>.<precompile>`;
  if (kind === 'unknown-create' || kind === 'unknown-create-failed')
    return '<UnrecognizedContract>.constructor';
  if (contract === undefined && file === undefined)
    return `<UnrecognizedContract>.<unknown>${address === undefined ? '' : ` (${address})`}`;
  const called = [contract, name ?? (contract === undefined ? '<unknown>' : nameless(kind))]
    .filter(Boolean)
    .join('.');
  if (file === undefined) return called;
  return `${called} (${[file, line, column].filter((part) => part !== undefined).join(':')})`;
}

/** The name shown for failures before a function is known. */
function nameless(kind: StackFrame['kind']): string {
  return kind === 'unrecognized-selector' || kind === 'missing-receive'
    ? '<unrecognized-selector>'
    : '<unknown>';
}

/** Inserts the frames above the JavaScript frames of an error's stack. */
export function tellSource(error: Error, text: string): void {
  const [head = ''] = (error.stack ?? '').split(/\n\s+at /, 1);
  const own = (error.stack ?? '').slice(head.length);
  Object.defineProperty(error, 'stack', {
    value: `${head || `${error.name}: ${error.message}`}\n${text}${own}`,
    configurable: true,
    writable: true,
    enumerable: false,
  });
}

/** Longest part of a source line that is shown, in characters. */
const MAX_SHOWN = 160;

/** The frames with their source lines, and a caret under the column, the failure first. For logs. */
export function sourceLines({ frames }: StackTrace, most: number): string[] {
  const shown = frames.toReversed().slice(0, most);
  const lines = shown.flatMap((frame) => {
    const { line, column, source, arguments: args } = frame;
    const head = `  at ${frameText(frame)}${args === undefined ? '' : ` with ${args.slice(0, MAX_SHOWN)}`}`;
    if (line === undefined || column === undefined || !source?.trim()) return [head];
    const indent = source.length - source.trimStart().length;
    const number = String(line);
    const caret = ' '.repeat(Math.max(0, Math.min(column - 1 - indent, MAX_SHOWN)));
    return [
      head,
      `     ${number} | ${source.trimStart().slice(0, MAX_SHOWN).replaceAll('\t', ' ')}`,
      `     ${' '.repeat(number.length)} | ${caret}^`,
    ];
  });
  return frames.length > most ? [...lines, `  ... and ${frames.length - most} more`] : lines;
}
