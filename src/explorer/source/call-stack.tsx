import { decoder } from '../abi/contracts.ts';
import { plural } from '../format.ts';
import { sourceOf } from '../names/source-of.ts';
import type { Owner } from '../names/variable.ts';
import { argumentsText } from '../parts/decoded.tsx';
import type { CallFrame, Execution, FailureFrame, Moment } from './types.ts';
import { variableText } from './variable-value.tsx';

/** A frame of the call stack. */
export interface StackLine {
  readonly title: string;
  /** file and line as text; empty if the source isn't known */
  readonly at: string;
  readonly place: { readonly name: string; readonly line: number } | undefined;
  /** `undefined` for a call that only the stack trace contains */
  readonly frame: CallFrame | undefined;
  readonly owner: Owner;
  /** the arguments as the stack trace formats them */
  readonly said?: string | undefined;
}

/** The active calls, the innermost first. A click on a call shows its line and its variables. */
export function CallStack(props: {
  lines: readonly StackLine[];
  /** number of outer calls that the node left out */
  more: number;
  chosen: number;
  choose: (index: number) => void;
}) {
  const { lines, more, chosen, choose } = props;
  return (
    <section class="panel" aria-label="Call stack">
      <header>
        <h2>Call stack</h2>
      </header>
      <ol class="frames">
        {lines.map((line, i) => (
          <li key={lines.length - i}>
            <button type="button" aria-pressed={i === chosen} onClick={() => choose(i)}>
              <b>{line.title}</b> <span class="dim">{line.at}</span>
              <span class="small">{valuesOf(line)}</span>
            </button>
          </li>
        ))}
      </ol>
      {more > 0 && <p class="dim">and {plural(more, 'call')} around them</p>}
    </section>
  );
}

/** The call stack at a step. At the step of the failure it is the stack trace, which contains more than the recorded steps. */
export function stackOf(moment: Moment, { failure }: Execution): readonly StackLine[] {
  const frames = moment.frames.toReversed();
  // An internal function has no address of its own: it runs at the address of the nearest outer call.
  const contractOf = (frame: CallFrame) => frames.slice(frames.indexOf(frame)).find(({ to }) => to)?.to;
  const ownerOf = (frame: CallFrame | undefined): Owner => ({
    function: frame?.function ?? '',
    contract: (frame && contractOf(frame)) ?? undefined,
  });
  if (!failure || failure.step !== moment.step)
    return frames.map((frame) => ({ ...lineOf(frame), owner: ownerOf(frame) }));
  return failure.frames.toReversed().map((failed) => {
    const { contract, file, line, kind } = failed;
    const frame = frames.find(({ place }) => place?.name === file && place?.line === line);
    return {
      title: titleOf(contract, failed.function) ?? kind,
      at: placeText(failed),
      place: file && line ? { name: file, line } : undefined,
      frame,
      owner: ownerOf(frame),
      said: failed.arguments,
    };
  });
}

function lineOf(frame: CallFrame): Omit<StackLine, 'owner'> {
  const { contract, place, to, type } = frame;
  return {
    title: titleOf(contract, frame.function) ?? `${type?.toLowerCase() ?? 'call'} ${to ?? ''}`,
    at: place ? `${place.name}:${place.line}` : '',
    place: place ?? undefined,
    frame,
  };
}

function titleOf(contract: string | null | undefined, name: string | null | undefined): string | undefined {
  return [contract, name].filter(Boolean).join('.') || undefined;
}

function placeText({ file, line }: FailureFrame): string {
  return file ? `${file}:${line ?? 0}` : '';
}

/** The variables of a function with their values; without them the arguments of the call. */
function valuesOf({ frame, owner, said }: StackLine): string {
  if (!frame) return said ?? '';
  const { variables, input, to, contract } = frame;
  if (variables) return variables.map((it) => variableText(it, owner)).join(', ') || (said ?? '');
  const decoded = input && decoder.value?.call(input, contract ?? sourceOf(to));
  return (decoded && !decoded.broken && argumentsText(decoded, to)) || (said ?? '');
}
