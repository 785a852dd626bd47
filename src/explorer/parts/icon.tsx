/** SVG paths of 16 × 16 icons. */
const PATHS = {
  check: 'M3.5 8.5l3 3 6-7',
  cross: 'M4.5 4.5l7 7m0-7l-7 7',
  clock: 'M8 4.5V8l2.5 1.5M8 1.8a6.2 6.2 0 100 12.4A6.2 6.2 0 008 1.8z',
  search: 'M7 2.5a4.5 4.5 0 100 9 4.5 4.5 0 000-9zm3.3 7.8L14 14',
  pause: 'M5.5 3.5v9m5-9v9',
  play: 'M5 3.2l7.5 4.8L5 12.8z',
  arrow: 'M2.5 8h10.5m-4-4l4 4-4 4',
  copy: 'M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z',
  down: 'M4 6l4 4 4-4',
  menu: 'M2.5 4.5h11m-11 3.5h11m-11 3.5h11',
  plus: 'M8 3v10M3 8h10',
  console: 'M2.5 4l4 4-4 4m5.5 0h5.5',
  cube: 'M8 1.8l5.5 3v6.4L8 14.2l-5.5-3V4.8zm0 6.2v6M2.7 5L8 8l5.3-3',
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon; the text beside it has the meaning. */
export function Icon({ name, class: more = '' }: { name: IconName; class?: string }) {
  return (
    <svg class={`svg ${more}`} viewBox="0 0 16 16" aria-hidden="true">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.6"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

export type Outcome = 'success' | 'failed' | 'waiting' | 'unknown';

/** A disc with the outcome of a transaction. */
export function StatusIcon({ outcome }: { outcome: Outcome }) {
  const [tone, path] = DISCS[outcome];
  return (
    <svg class={`svg status ${tone}`} viewBox="0 0 16 16" role="img" aria-label={outcome}>
      <circle cx="8" cy="8" r="7.2" fill="currentColor" opacity=".16" />
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        stroke-width="1.7"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

const DISCS = {
  success: ['good', 'M4.8 8.4l2.2 2.2 4.2-4.8'],
  failed: ['bad', 'M5.6 5.6l4.8 4.8m0-4.8l-4.8 4.8'],
  waiting: ['warn', 'M8 4.6V8l2.2 1.4'],
  unknown: ['dim', 'M5 8h6'],
} as const;
