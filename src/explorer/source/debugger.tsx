import { useEffect, useRef, useState } from 'preact/hooks';
import { rpc } from '../app.ts';
import { storedVariables } from '../data/state-variables.ts';
import type { Frame, Hex, Receipt } from '../data/types.ts';
import { useRemote } from '../parts/use-remote.ts';
import { Panel, Waiting } from '../parts/values.tsx';
import { Bar } from './bar.tsx';
import { type Breakpoint, useBreakpoints } from './breakpoints.ts';
import { CallStack, stackOf } from './call-stack.tsx';
import { FailureMessage } from './failure-message.tsx';
import { Flashblocks } from './flashblocks.tsx';
import { Machine } from './machine.tsx';
import { SourceView } from './source-view.tsx';
import '../style/source.css';
import type { Execution, Moment } from './types.ts';
import { type Go, useMoment } from './use-moment.ts';
import { LocalVariables } from './variables.tsx';

/** The source of a transaction with the line that failed, or the line that runs at a step of its execution. */
export function Debugger(props: {
  receipt: Receipt;
  execution: Execution;
  /** the call trace; `undefined` while it isn't known */
  trace: Frame | null | undefined;
  /** called when the line of the first step is on the screen, or is known not to come */
  onLineShown: () => void;
}) {
  const { receipt, execution, trace, onLineShown } = props;
  if (execution.steps === 0)
    return (
      <Panel title="Source">
        <p class="dim">No code ran.</p>
      </Panel>
    );
  return (
    <>
      {execution.failure && <FailureMessage failure={execution.failure} trace={trace} />}
      <Steps
        hash={receipt.transactionHash}
        block={receipt.blockHash}
        execution={execution}
        onLineShown={onLineShown}
      />
      <Flashblocks block={receipt.blockNumber} index={Number(receipt.transactionIndex)} />
    </>
  );
}

function Steps(props: { hash: Hex; block: Hex; execution: Execution; onLineShown: () => void }) {
  const { hash, block, execution, onLineShown } = props;
  const { failure, files, lines } = execution;
  const { moment, news, go, error } = useMoment(hash, failure?.step ?? (lines > 0 ? { line: 0 } : 0));
  const [breakpoints, toggle] = useBreakpoints();
  // The frame whose line and variables are shown: for each new step the innermost one.
  const [choice, choose] = useState<{ moment: Moment; index: number }>();
  const chosen = choice && choice.moment === moment ? choice.index : 0;

  const stack = moment ? stackOf(moment, execution) : [];
  const hasFailedHere = moment !== undefined && failure?.step === moment.step;
  const place = stack[chosen]?.place ?? (hasFailedHere ? undefined : (moment?.place ?? undefined));
  const failed = failure?.frames.findLast((it) => it.file !== undefined);
  // Until the first step is known, the file of the failure is the likeliest: both are requested in parallel.
  const file = place
    ? files.indexOf(place.name)
    : moment
      ? lastFile(moment)
      : files.indexOf(failed?.file ?? '');
  const text = useRemote(`${hash} ${file}`, async () =>
    file < 0 ? undefined : { file, ...(await rpc.call<SourceFile>('devnet_source', hash, file)) },
  );
  const source = text.value?.file === file ? text.value : undefined;

  const isLineShown = moment !== undefined && (source !== undefined || file < 0 || text.error !== undefined);
  // An effect runs after the frame with the line.
  useEffect(() => {
    if (isLineShown || error !== undefined) onLineShown();
  }, [isLineShown, error]);

  // Requested after the line is shown, because the user waits for the line.
  const hasSource = isLineShown && files.length > 0;
  const stored = useRemote(`${hash} ${block} ${hasSource}`, async () =>
    hasSource ? storedVariables(hash, block) : undefined,
  );
  useKeys(go, breakpoints, () => place && toggle(file, place.line));

  if (!moment) return <Waiting error={error} />;
  return (
    <div class="debug">
      <Bar execution={execution} moment={moment} news={news} breakpoints={breakpoints} go={go} />
      <section class="panel" aria-label="Source">
        {source ? (
          <SourceView
            key={file}
            name={source.name}
            text={source.text}
            line={place?.line}
            failing={failed?.file === source.name ? failed.line : undefined}
            shown={moment}
            breakpoints={new Set(breakpoints.filter((it) => it.file === file).map(({ line }) => line))}
            onBreakpoint={(line) => toggle(file, line)}
          />
        ) : file >= 0 ? (
          <Waiting error={text.error} />
        ) : (
          <p class="dim">
            The source of this contract is not known: start the node in the folder of your project, or name
            its artifacts with --artifacts.
          </p>
        )}
      </section>
      <div>
        <CallStack
          lines={stack}
          more={moment.calls - moment.frames.length}
          chosen={chosen}
          choose={(index) => choose({ moment, index })}
        />
        <LocalVariables
          frame={stack[chosen]?.frame}
          owner={stack[chosen]?.owner ?? { function: '', contract: undefined }}
        />
        <Machine hash={hash} moment={moment} stored={stored.value} go={go} />
      </div>
    </div>
  );
}

/** The result of `devnet_source`. */
interface SourceFile {
  readonly name: string;
  readonly text: string;
}

/** The file of the innermost call with a known source, as an index in the transaction's list of files; -1 if there is none. */
function lastFile({ frames }: Moment): number {
  return frames.findLast((it) => it.place)?.place?.file ?? -1;
}

/** Keys as in editors, with the kind of step that `devnet_step` searches for. */
const KEYS: Readonly<Record<string, string>> = { F8: 'breakpoint', F10: 'over', F11: 'line' };

/** Handles the debugger's keys while the component is mounted. @param toggle sets or removes a breakpoint at the shown line */
function useKeys(go: Go, breakpoints: readonly Breakpoint[], toggle: () => void): void {
  const onKey = useRef<(event: KeyboardEvent) => void>(() => {});
  onKey.current = (event) => {
    const { key, shiftKey } = event;
    const kind = key === 'F11' && shiftKey ? 'out' : KEYS[key];
    if (kind === undefined && key !== 'F9') return;
    event.preventDefault();
    if (kind === undefined) return toggle();
    const back = shiftKey && key !== 'F11';
    go(({ step: from }) => ({ from, kind, back, breakpoints }), `no ${back ? 'earlier' : 'later'} place`);
  };
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey.current(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}
