import type { Execution } from '../../debugger/execution.ts';
import type { StackTrace } from '../../stack-trace/stack-trace.ts';

/**
 * Returns the step at which an execution failed: the last step at the line where the stack trace ends, or else the last step of the
 * innermost failed call.
 */
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
