/** The value at a quantile: `share` of the values lie below it. */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values) => percentile(values, 0.5);

export const ms = (value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
export const mib = (value) => `${Math.round(value)} MiB`;
export const perSecond = (count, milliseconds) => `${Math.round((count / milliseconds) * 1000)}/s`;
export const spread = ({ p50, p99, max }) => `${ms(p50)} / ${ms(p99)} / ${ms(max)}`;
