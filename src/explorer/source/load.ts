import type { Debugger } from './debugger.tsx';

/** Loads the debugger's component, which isn't part of the first load. */
export async function loadDebugger(): Promise<typeof Debugger> {
  return (await import('./debugger.tsx')).Debugger;
}
