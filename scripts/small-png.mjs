import { deflateSync, inflateSync } from 'node:zlib';

const COLOURS = 256;
/** number of colours reserved for rare colours, such as that of a small light */
const RARE = 96;

/**
 * Reduces a screenshot to a palette of 256 colours, which takes about half the bytes.
 * @param {Buffer} png as Chromium writes it: 8 bits per channel, RGB or RGBA, not interlaced
 */
export function smallPng(png) {
  const { width, height, channels, pixels } = decode(png);
  const counts = new Map();
  const keyAt = (at) => (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
  for (let at = 0; at < pixels.length; at += channels)
    counts.set(keyAt(at), (counts.get(keyAt(at)) ?? 0) + 1);
  const palette = paletteOf(counts);
  const index = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      rows[y * (width + 1) + 1 + x] = index.get(keyAt((y * width + x) * channels));
  const head = Buffer.from(png.subarray(16, 29));
  head[8] = 8;
  head[9] = 3;
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', head),
    chunk(
      'PLTE',
      Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255])),
    ),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The most frequent colours, and those of the other colours that are farthest from all chosen ones. */
function paletteOf(counts) {
  const byCount = [...counts].sort(([, a], [, b]) => b - a);
  const palette = byCount.slice(0, COLOURS - RARE).map(([colour]) => colour);
  const others = byCount.slice(COLOURS - RARE).map(([colour, count]) => ({
    colour,
    count: Math.min(count, 50),
    away: distance(palette[nearest(palette, colour)], colour),
  }));
  for (let i = 0; i < RARE && others.length > 0; i++) {
    const missed = others.reduce((worst, it) => (it.away * it.count > worst.away * worst.count ? it : worst));
    palette.push(missed.colour);
    for (const it of others) it.away = Math.min(it.away, distance(missed.colour, it.colour));
  }
  return palette;
}

function distance(one, other) {
  return [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
}

function nearest(palette, colour) {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (let i = 0; i < palette.length && least > 0; i++) {
    const away = distance(palette[i], colour);
    if (away < least) [best, least] = [i, away];
  }
  return best;
}

/** Decodes the pixels of a PNG, row by row (PNG specification, section 9: filtering). */
function decode(png) {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = png[25] === 6 ? 4 : 3;
  const parts = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const data = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const pixels = Buffer.alloc(height * stride);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x >= channels ? pixels[at - channels] : 0;
      const up = y > 0 ? pixels[at - stride] : 0;
      const corner = x >= channels && y > 0 ? pixels[at - stride - channels] : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      pixels[at] = data[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return { width, height, channels, pixels };
}

function paeth(left, up, corner) {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc(body));
  return Buffer.concat([length, body, sum]);
}

/** CRC-32 as in zlib. */
function crc(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}
