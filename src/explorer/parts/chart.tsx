/** A bar chart of one series of numbers, the newest at the right. */
export function Chart({
  title,
  unit,
  values,
  format = (value: number) => String(Math.round(value)),
  least,
  slots = 100,
}: {
  title: string;
  unit: string;
  values: readonly number[];
  format?: (value: number) => string;
  /** lower limit of the scale's top */
  least: number;
  /** number of values that the chart has room for */
  slots?: number;
}) {
  const top = niceTop(Math.max(least, ...values));
  const last = values.at(-1);
  const said = `${title}: ${last === undefined ? 'no values yet' : `newest ${format(last)} ${unit}, highest ${format(Math.max(...values))} ${unit}`}`;
  const shown = values.slice(-slots);
  return (
    <figure class="chart">
      <figcaption>
        {title} <b>{last === undefined ? '–' : `${format(last)} ${unit}`}</b>
      </figcaption>
      <div class="plot">
        <span class="top">
          {format(top)} {unit}
        </span>
        <svg viewBox={`0 0 ${slots} 100`} preserveAspectRatio="none" role="img" aria-label={said}>
          <line x1="0" y1="50" x2={slots} y2="50" class="grid" />
          {shown.map((value, i) => {
            const height = Math.max(value > 0 ? 2 : 0, Math.min(100, (100 * value) / top));
            const x = slots - shown.length + i;
            return <rect key={x} x={x + 0.1} width={0.8} y={100 - height} height={height} />;
          })}
        </svg>
        <span class="zero">0</span>
      </div>
    </figure>
  );
}

/** The smallest number of the series 1, 2, 5, 10, 20, 50 … that is at least `value`. */
export function niceTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10) * power;
}
