/** Limits of the growth over the second half of a run that still counts as flat: a share of the mean, plus MiB. */
const SHARE = 0.1;
const BESIDES = 20;

/**
 * The least-squares line through the second half of the samples.
 * @param {[number, number][]} samples pairs of milliseconds and MiB
 */
export function trend(samples) {
  const half = samples.slice(Math.floor(samples.length / 2));
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [at, average] = [mean(half.map(([time]) => time)), mean(half.map(([, size]) => size))];
  const covariance = mean(half.map(([time, size]) => (time - at) * (size - average)));
  const perMs = covariance / (mean(half.map(([time]) => (time - at) ** 2)) || 1);
  const grown = perMs * (half.at(-1)[0] - half[0][0]);
  return { mean: average, perMinute: perMs * 60_000, isFlat: grown <= SHARE * average + BESIDES };
}
