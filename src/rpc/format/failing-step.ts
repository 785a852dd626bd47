import type { Execution } from '../../debugger/execution.ts';
import type { StackTrace } from '../../stack-trace/stack-trace.ts';

/** The step at which a run failed: the last one at the line that its stack trace ends with, or else of the innermost call that failed. */
export function failingStep(execution: Execution, { frames }: StackTrace): number | null {
  const { history, lines, sources } = execution;
  if (execution.length === 0) return null;
  const { file, line } = frames.at(-1) ?? {};
  for (let i = lines.length - 1; i >= 0 && file !== undefined; i--) {
    const place = execution.ownPlace(lines[i]!)!;
    if (place.line === line && sources.files[place.file]!.name === file) return lines[i]!;
  }
  let innermost = history.messages[0];
  for (const message of history.messages)
    if (message.error !== undefined && message.last >= 0 && message.parent === innermost?.index)
      innermost = message;
  return innermost && innermost.last >= 0 ? innermost.last : execution.length - 1;
}
