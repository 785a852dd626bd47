import { useState } from 'preact/hooks';
import { count } from '../format.ts';
import type { Breakpoint } from './breakpoints.ts';
import type { Execution, Moment, Unit } from './types.ts';
import type { Go } from './use-moment.ts';

const UNITS: readonly (readonly [Unit, string])[] = [
  ['line', 'source line'],
  ['call', 'call'],
  ['opcode', 'opcode'],
];
const JUMPS = [
  ['revert', 'revert'],
  ['sstore', 'SSTORE'],
  ['call', 'call'],
  ['log', 'log'],
  ['breakpoint', 'breakpoint'],
] as const;

/** The debugger's buttons, and the slider over all lines, calls or opcodes of a transaction. */
export function Bar(props: {
  execution: Execution;
  moment: Moment;
  news: string;
  breakpoints: readonly Breakpoint[];
  go: Go;
}) {
  const { execution, moment, news, breakpoints, go } = props;
  const [unit, setUnit] = useState<Unit>(execution.lines > 0 ? 'line' : 'opcode');
  const [jump, setJump] = useState<string>('revert');
  const total = { line: execution.lines, call: execution.calls, opcode: execution.steps }[unit];
  const at = unit === 'opcode' ? moment.step : moment.index[unit];
  const text = `${unit} ${count(Math.max(0, at) + 1)} of ${count(total)}`;
  const seek = (kind: string, back = false) =>
    go(({ step: from }) => ({ from, kind, back, breakpoints }), `no ${back ? 'earlier' : 'later'} ${kind}`);
  const hasLines = execution.lines > 0;
  return (
    <section class="panel steps" aria-label="Steps">
      <div class="row">
        <button type="button" onClick={() => seek(unit, true)}>
          ‹ Back
        </button>
        <button type="button" onClick={() => seek(unit)}>
          Forward ›
        </button>
        {hasLines && (
          <>
            <button type="button" title="F10" onClick={() => seek('over')}>
              Step over
            </button>
            <button type="button" title="F11" onClick={() => seek('line')}>
              Step into
            </button>
            <button type="button" title="Shift F11" onClick={() => seek('out')}>
              Step out
            </button>
          </>
        )}
        <span class="row end">
          <label class="row">
            <span class="dim">Jump to</span>
            <select value={jump} onChange={({ currentTarget }) => setJump(currentTarget.value)}>
              {JUMPS.map(([kind, name]) => (
                <option key={kind} value={kind}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <button type="button" onClick={() => seek(jump, true)}>
            Previous
          </button>
          <button type="button" onClick={() => seek(jump)}>
            Next
          </button>
        </span>
      </div>
      <div class="row scrub">
        <label class="row">
          <span class="dim">by</span>
          <select value={unit} onChange={({ currentTarget }) => setUnit(currentTarget.value as Unit)}>
            {UNITS.filter(([name]) => name !== 'line' || hasLines).map(([name, words]) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <input
          type="range"
          aria-label="Place in the execution"
          aria-valuetext={text}
          min={0}
          max={Math.max(0, total - 1)}
          value={Math.max(0, at)}
          onInput={({ currentTarget }) => {
            const wanted = Number(currentTarget.value);
            go(() => (unit === 'opcode' ? wanted : { [unit]: wanted }));
          }}
        />
        <span class="small position">{text}</span>
      </div>
      <p class="dim small row">
        <span>
          {moment.op} at {moment.pc}
        </span>
        <span>{count(moment.gas)} gas left in the call</span>
        <span>{count(moment.gasUsed)} gas used so far</span>
        {execution.cut && <span class="warn">only the first {count(execution.steps)} opcodes are kept</span>}
        <span role="status">{news}</span>
      </p>
    </section>
  );
}
