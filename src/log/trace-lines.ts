import { bytesToHex, bytesToUnprefixedHex, toChecksumAddress } from '@ethereumjs/util';
import type { Frame, FrameLog, FrameType } from '../engine/tracers/frames.ts';
import { revertReason } from '../protocol/revert-reason.ts';
import { callText, valuesText } from '../sources/abi/argument-text.ts';
import type { TraceNames } from './explainer.ts';

/** The text after a call that isn't a plain one. */
const KINDS: Partial<Record<FrameType, string>> = {
  STATICCALL: ' [staticcall]',
  DELEGATECALL: ' [delegatecall]',
  CALLCODE: ' [callcode]',
};

/**
 * Formats a tree of calls as anvil and forge do.
 * @param names names its contracts and decodes its calls; without it, selectors and arguments stay hex
 */
export function traceLines(root: Frame, names?: TraceNames): string[] {
  return ['Traces:', ...frameLines(root, names).map((line) => `  ${line}`)];
}

function frameLines(frame: Frame, names: TraceNames | undefined): string[] {
  const { calls, logs } = frame;
  const children: string[][] = [];
  for (let i = 0; i <= calls.length; i++) {
    for (const log of logs) if (log.position === i) children.push(logLines(log, names));
    if (i < calls.length) children.push(frameLines(calls[i]!, names));
  }
  children.push([outcome(frame, names)]);
  return [
    `[${frame.gasUsed}] ${head(frame, names)}`,
    ...children.flatMap((lines, i) => {
      const last = i === children.length - 1;
      return lines.map((line, j) => `  ${j > 0 ? (last ? '  ' : '│ ') : last ? '└─ ' : '├─ '}${line}`);
    }),
  ];
}

function head({ type, from, to, value, input }: Frame, names: TraceNames | undefined): string {
  const at = to ? toChecksumAddress(to.toString()) : '<unknown>';
  const contract = to && names?.contracts.get(to.toString());
  if (type === 'CREATE' || type === 'CREATE2') return `→ new ${contract ?? '<unknown>'}@${at}`;
  if (type === 'SELFDESTRUCT') return `selfdestruct ${toChecksumAddress(from.toString())} → ${at}`;
  const paid = value && type !== 'DELEGATECALL' ? `{value: ${value}}` : '';
  const kind = KINDS[type] ?? '';
  const decoded = names?.decoder.call(bytesToHex(input), contract);
  if (decoded && !decoded.broken)
    return `${contract ?? at}::${decoded.name}${paid}(${valuesText(decoded.args)})${kind}`;
  const name = input.length < 4 ? 'fallback' : bytesToUnprefixedHex(input.subarray(0, 4));
  const given = input.length < 4 ? input : input.subarray(4);
  return `${contract ?? at}::${name}${paid}(${bytesToUnprefixedHex(given)})${kind}`;
}

function logLines({ log }: FrameLog, names: TraceNames | undefined): string[] {
  const contract = names?.contracts.get(log.address.toString());
  const topics = log.topics.map(bytesToHex);
  const decoded = names?.decoder.log({ topics, data: bytesToHex(log.data) }, contract);
  if (decoded && !decoded.broken) return [` emit ${callText(decoded, 'named')}`];
  const fields = [
    ...topics.map((topic, i) => `topic ${i}: ${topic}`),
    `${topics.length > 0 ? '   ' : ''}data: ${bytesToHex(log.data)}`,
  ];
  return fields.map((field, i) => `${i === 0 ? ' emit ' : '       '}${field}`);
}

function outcome(frame: Frame, names: TraceNames | undefined): string {
  const { type, to, input, error, reverted, output } = frame;
  if (reverted) return `← [Revert] ${revertOf(output, names)}`;
  if (error !== undefined) return `← [${error}]`;
  if (output.length === 0) return type === 'SELFDESTRUCT' ? '← [SelfDestruct]' : '← [Stop]';
  if (type === 'CREATE' || type === 'CREATE2') return `← [Return] ${output.length} bytes of code`;
  const contract = to && names?.contracts.get(to.toString());
  const values = names?.decoder.result(bytesToHex(input), bytesToHex(output), contract);
  return `← [Return] ${values?.length ? valuesText(values) : bytesToHex(output)}`;
}

function revertOf(output: Uint8Array, names: TraceNames | undefined): string {
  const reason = revertReason(output);
  if (reason !== undefined) return reason;
  if (output.length === 0) return 'EvmError: Revert';
  const decoded = names?.decoder.error(bytesToHex(output));
  return decoded && !decoded.broken ? callText(decoded, 'named') : bytesToHex(output);
}
