import { WebSocket } from 'ws';
import { percentile } from './stats.mjs';

const BLOCK_MS = 2000;
const INTERVAL_MS = 200;

/** The block and flashblock times of the default mode, with a block gas limit that is never reached. */
export const TICKING = [
  ...['--gas-limit', '1000000000'],
  ...['--block-time', `${BLOCK_MS / 1000}`],
  ...['--flashblock-interval', `${INTERVAL_MS}`],
];

/**
 * Listens to the flashblock stream and records the arrival time of every frame.
 * @returns undefined if the node has no stream; otherwise drift() in milliseconds relative to an even grid, and close()
 */
export async function listen(port) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/flashblocks`);
  const opened = await new Promise((done) => {
    socket.once('open', () => done(true));
    socket.once('error', () => done(false));
  });
  if (!opened) return undefined;

  const slots = BLOCK_MS / INTERVAL_MS;
  const offsets = [];
  socket.on('message', (data) => {
    const now = performance.now();
    const { index, metadata } = JSON.parse(data.toString());
    // Index 0 opens the next block right after the last index of the block before: it has no time slot of its own.
    if (index > 0) offsets.push(now - (Number(metadata.block_number) * slots + index) * INTERVAL_MS);
  });
  return {
    drift: () => {
      const earliest = offsets.reduce((least, offset) => Math.min(least, offset), Number.POSITIVE_INFINITY);
      const late = offsets.map((offset) => offset - earliest);
      return { p50: percentile(late, 0.5), p99: percentile(late, 0.99), max: percentile(late, 1) };
    },
    close: () => socket.close(),
  };
}
