/** Measures how long this thread's event loop is busy from now on. @returns a function that returns this time in milliseconds */
export function measureWork(): () => number {
  const start = performance.eventLoopUtilization();
  return () => performance.eventLoopUtilization(performance.eventLoopUtilization(), start).active;
}
