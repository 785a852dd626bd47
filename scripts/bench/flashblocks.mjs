import { WebSocket } from 'ws';
import { percentile } from './stats.mjs';

/**
 * Listens to the flashblock stream and takes the arrival time of every frame.
 * @returns undefined where the node has no stream; else drift() in milliseconds against an even grid, and close()
 */
export async function listen(port, { blockMs, intervalMs }) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/flashblocks`);
  const opened = await new Promise((done) => {
    socket.once('open', () => done(true));
    socket.once('error', () => done(false));
  });
  if (!opened) return undefined;

  const slots = blockMs / intervalMs;
  const offsets = [];
  socket.on('message', (data) => {
    const now = performance.now();
    const { index, metadata } = JSON.parse(data.toString());
    // Index 0 opens the next block right after the last index of the one before: it has no slot of its own.
    if (index > 0) offsets.push(now - (Number(metadata.block_number) * slots + index) * intervalMs);
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
