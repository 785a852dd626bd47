import { bytesToHex, bytesToUnprefixedHex, toChecksumAddress } from '@ethereumjs/util';
import { revertReason } from '../evm/revert-reason.ts';
import type { Frame, FrameLog, FrameType } from '../evm/tracers/frames.ts';

/** What stands behind a call that isn't a plain one. */
const KINDS: Partial<Record<FrameType, string>> = {
  STATICCALL: ' [staticcall]',
  DELEGATECALL: ' [delegatecall]',
  CALLCODE: ' [callcode]',
};

/** A tree of calls as anvil and forge print it; without ABIs, so selectors and arguments stay hex. */
export function traceLines(root: Frame): string[] {
  return ['Traces:', ...frameLines(root).map((line) => `  ${line}`)];
}

function frameLines(frame: Frame): string[] {
  const { calls, logs } = frame;
  const children: string[][] = [];
  for (let i = 0; i <= calls.length; i++) {
    for (const log of logs) if (log.position === i) children.push(logLines(log));
    if (i < calls.length) children.push(frameLines(calls[i]!));
  }
  children.push([outcome(frame)]);
  return [
    `[${frame.gasUsed}] ${head(frame)}`,
    ...children.flatMap((lines, i) => {
      const last = i === children.length - 1;
      return lines.map((line, j) => `  ${j > 0 ? (last ? '  ' : '│ ') : last ? '└─ ' : '├─ '}${line}`);
    }),
  ];
}

function head({ type, from, to, value, input }: Frame): string {
  const at = to ? toChecksumAddress(to.toString()) : '<unknown>';
  if (type === 'CREATE' || type === 'CREATE2') return `→ new <unknown>@${at}`;
  if (type === 'SELFDESTRUCT') return `selfdestruct ${toChecksumAddress(from.toString())} → ${at}`;
  const paid = value && type !== 'DELEGATECALL' ? `{value: ${value}}` : '';
  const name = input.length < 4 ? 'fallback' : bytesToUnprefixedHex(input.subarray(0, 4));
  const given = input.length < 4 ? input : input.subarray(4);
  return `${at}::${name}${paid}(${bytesToUnprefixedHex(given)})${KINDS[type] ?? ''}`;
}

function logLines({ log }: FrameLog): string[] {
  const fields = [
    ...log.topics.map((topic, i) => `topic ${i}: ${bytesToHex(topic)}`),
    `${log.topics.length > 0 ? '   ' : ''}data: ${bytesToHex(log.data)}`,
  ];
  return fields.map((field, i) => `${i === 0 ? ' emit ' : '       '}${field}`);
}

function outcome({ type, error, reverted, output }: Frame): string {
  if (reverted)
    return `← [Revert] ${revertReason(output) ?? (output.length > 0 ? bytesToHex(output) : 'EvmError: Revert')}`;
  if (error !== undefined) return `← [${error}]`;
  if (output.length === 0) return type === 'SELFDESTRUCT' ? '← [SelfDestruct]' : '← [Stop]';
  const created = type === 'CREATE' || type === 'CREATE2';
  return created ? `← [Return] ${output.length} bytes of code` : `← [Return] ${bytesToHex(output)}`;
}
