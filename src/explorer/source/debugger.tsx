import { useEffect, useRef, useState } from 'preact/hooks';
import { rpc } from '../app.ts';
import type { Hex, Receipt } from '../data/types.ts';
import { useRemote } from '../parts/use-remote.ts';
import { Panel, Waiting } from '../parts/values.tsx';
import { Bar, type Go, type Wanted } from './bar.tsx';
import { Flashblocks } from './flashblocks.tsx';
import { CallStack, Machine, type StackLine, Variables } from './side.tsx';
import { SourceView } from './source-view.tsx';
import { storedVariables } from './state-variables.ts';
import '../style/source.css';
import type { Execution, Moment } from './types.ts';

/** Keys of editors -> what they look for. */
const KEYS: Readonly<Record<string, string>> = { F8: 'breakpoint', F10: 'over', F11: 'line' };

/** The source of a transaction with the line that failed, or that runs at a moment of its execution. */
export function Debugger({ receipt, execution }: { receipt: Receipt; execution: Execution }) {
  const hash = receipt.transactionHash;
  if (execution.steps === 0)
    return (
      <Panel title="Source">
        <p class="dim">No code ran.</p>
      </Panel>
    );
  return (
    <>
      {execution.failure && (
        <p class="panel failure" role="note">
          <b class="bad long">
            {execution.failure.message.replace(/^VM Exception while processing transaction: /, '')}
          </b>
        </p>
      )}
      <Steps hash={hash} block={receipt.blockHash} execution={execution} />
      <Flashblocks block={receipt.blockNumber} index={Number(receipt.transactionIndex)} />
    </>
  );
}

function Steps({ hash, block, execution }: { hash: Hex; block: Hex; execution: Execution }) {
  const { failure, files, lines } = execution;
  const start = failure?.step ?? (lines > 0 ? { line: 0 } : 0);
  const [moment, setMoment] = useState<Moment>();
  const [news, setNews] = useState('');
  const [chosen, setChosen] = useState(0);
  const [breakpoints, setBreakpoints] = useState<readonly { file: number; line: number }[]>([]);
  const now = useRef<Moment | undefined>(undefined);
  const next = useRef<{ wanted: (now: Moment) => Wanted; missing: string } | undefined>(undefined);
  const isRunning = useRef(false);

  const show = (found: Moment) => {
    now.current = found;
    setMoment(found);
    setChosen(0);
  };
  // While one is asked for, the newest of those that are wanted waits.
  const go: Go = (wanted, missing = 'nothing there') => {
    next.current = { wanted, missing };
    if (!isRunning.current && now.current) void run();
  };
  const run = async () => {
    isRunning.current = true;
    for (let each = next.current; each; each = next.current) {
      next.current = undefined;
      try {
        const found = await rpc.call<Moment | null>('devnet_step', hash, each.wanted(now.current!));
        setNews(found ? '' : each.missing);
        if (found) show(found);
      } catch (error) {
        setNews((error as Error).message);
      }
    }
    isRunning.current = false;
  };
  const first = useRemote(hash, async () => show((await rpc.call<Moment>('devnet_step', hash, start))!));

  // After the line is shown.
  const stored = useRemote(`${hash} ${block} ${moment !== undefined && files.length > 0}`, async () =>
    moment && files.length > 0 ? storedVariables(hash, block) : undefined,
  );

  const stack = moment ? stackOf(moment, execution) : [];
  const place =
    stack[chosen]?.place ?? (failedAt(moment, execution) ? undefined : (moment?.place ?? undefined));
  const file = place ? files.indexOf(place.name) : -1;
  // The first file is asked for together with the moment.
  const failed = failure?.frames.findLast((it) => it.file !== undefined);
  const wantedFile = file >= 0 ? file : moment ? lastFile(moment) : failed ? files.indexOf(failed.file!) : -1;
  const text = useRemote(`${hash} ${wantedFile}`, async () =>
    wantedFile < 0
      ? undefined
      : {
          file: wantedFile,
          ...(await rpc.call<{ name: string; text: string }>('devnet_source', hash, wantedFile)),
        },
  );

  const toggle = (line: number, of = wantedFile) =>
    setBreakpoints((list) => {
      const rest = list.filter((it) => it.file !== of || it.line !== line);
      return rest.length < list.length ? rest : [...list, { file: of, line }];
    });
  const keys = useRef<(event: KeyboardEvent) => void>(() => {});
  keys.current = (event) => {
    const { key, shiftKey } = event;
    const kind = key === 'F11' && shiftKey ? 'out' : KEYS[key];
    if (kind) {
      event.preventDefault();
      const back = shiftKey && key !== 'F11';
      go(({ step: from }) => ({ from, kind, back, breakpoints }), `no ${back ? 'earlier' : 'later'} place`);
    } else if (key === 'F9' && place) {
      event.preventDefault();
      toggle(place.line);
    }
  };
  useEffect(() => {
    const listen = (event: KeyboardEvent) => keys.current(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);

  if (!moment) return <Waiting error={first.error} />;
  const source = text.value?.file === wantedFile ? text.value : undefined;
  return (
    <>
      <Bar execution={execution} moment={moment} news={news} breakpoints={breakpoints} go={go} />
      <div class="debug">
        <section class="panel" aria-label="Source">
          {source ? (
            <SourceView
              key={wantedFile}
              name={source.name}
              text={source.text}
              line={place?.line}
              failing={failed?.file === source.name ? failed.line : undefined}
              shown={moment}
              breakpoints={new Set(breakpoints.filter((it) => it.file === wantedFile).map((it) => it.line))}
              onBreakpoint={toggle}
            />
          ) : wantedFile >= 0 ? (
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
            choose={setChosen}
          />
          <Variables frame={stack[chosen]?.frame} />
          <Machine hash={hash} moment={moment} stored={stored.value} go={go} />
        </div>
      </div>
    </>
  );
}

function lastFile({ frames }: Moment): number {
  return frames.findLast((it) => it.place)?.place?.file ?? -1;
}

function failedAt(moment: Moment | undefined, { failure }: Execution): boolean {
  return moment !== undefined && failure?.step === moment.step;
}

/** The call stack, the innermost call first: where it failed that of the stack trace, which knows more than the steps. */
function stackOf(moment: Moment, execution: Execution): readonly StackLine[] {
  const frames = moment.frames.toReversed();
  if (!failedAt(moment, execution)) return frames.map((frame) => lineOf(frame));
  return execution.failure!.frames.toReversed().map((failed) => {
    const { contract, file = '', line = 0, kind } = failed;
    const same = frames.find((it) => it.place?.name === file && it.place.line === line);
    return {
      title: titleOf(contract, failed.function) ?? kind,
      at: file && `${file}:${line}`,
      place: line ? { name: file, line } : undefined,
      frame: same,
      said: failed.arguments,
    };
  });
}

function lineOf(frame: Moment['frames'][number]): StackLine {
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
