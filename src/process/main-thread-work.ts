/** Measures for how long the event loop of this thread has worked since this call. @returns what tells that, in milliseconds */
export function measureWork(): () => number {
  const start = performance.eventLoopUtilization();
  return () => performance.eventLoopUtilization(performance.eventLoopUtilization(), start).active;
}
