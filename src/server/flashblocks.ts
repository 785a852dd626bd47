import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../clock.ts';
import type { Delivery } from '../rpc/push/delivery.ts';
import type { Faults } from '../sequencer/feed/faults.ts';
import type { Feed, Flashblock } from '../sequencer/feed/feed.ts';
import { flashblockMessage } from '../sequencer/feed/message.ts';
import { FlashblockReader } from './flashblock-reader.ts';
import { Heartbeat } from './heartbeat.ts';

export interface FlashblockStreamDeps {
  readonly feed: Feed;
  readonly faults: Faults;
  readonly delivery: Delivery;
  /** the open block's published flashblocks, by index */
  readonly published: () => readonly Flashblock[];
  /** the machine's clock */
  readonly clock: Clock;
  /** Called with the number of messages that a slow reader lost, when it has caught up or left. */
  readonly onDropped?: ((messages: number) => void) | undefined;
}

/** Largest message from a reader, bytes. Readers have no reason to send anything. */
const MAX_INBOUND = 64 * 1024;

const compress = promisify(brotliCompress);
/** The quality of Base's public endpoint. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/**
 * The flashblock stream over WebSocket: one JSON text frame per flashblock, in the format of Base's builder. A reader starts with the next
 * flashblock, or with the open block's first one (`?backfill=1`). With `?brotli=1`, frames are binary and compressed. Each message is
 * serialised and compressed once for all readers.
 */
export class FlashblockStream {
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_INBOUND,
    perMessageDeflate: false,
  });
  readonly #deps: FlashblockStreamDeps;
  readonly #heartbeat: Heartbeat;
  /** maximum number of messages queued for a reader; 100 by default, as in Base's builder */
  readonly #buffer: number;
  readonly #readers = new Map<FlashblockReader, { readonly brotli: boolean }>();
  /** set while there are readers */
  #listener: Disposable | undefined;
  #gap = 0;
  /** keeps compressed frames in order */
  #compressed: Promise<unknown> = Promise.resolve();

  constructor(options: { interval?: number; buffer?: number }, deps: FlashblockStreamDeps) {
    this.#deps = deps;
    this.#buffer = options.buffer ?? 100;
    this.#heartbeat = new Heartbeat(options, deps);
    deps.faults.addStream({
      gap: (messages) => {
        this.#gap += messages;
      },
      duplicate: (index) => this.#duplicate(index),
    });
  }

  get readers(): number {
    return this.#readers.size;
  }

  /** Takes over a connection that requested an upgrade to WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      const { searchParams } = new URL(request.url ?? '/', 'ws://localhost');
      this.#add(webSocket, {
        brotli: searchParams.get('brotli') === '1',
        backfill: searchParams.get('backfill') === '1',
      });
    });
  }

  /** Closes all connections; resolves when they are closed. */
  async stop(): Promise<void> {
    this.#listener?.[Symbol.dispose]();
    await Promise.all([...this.#readers.keys()].map((reader) => reader.close()));
  }

  #add(webSocket: WebSocket, { brotli, backfill }: { brotli: boolean; backfill: boolean }): void {
    const reader = new FlashblockReader(webSocket, { buffer: this.#buffer }, this.#deps);
    this.#readers.set(reader, { brotli });
    this.#heartbeat.watch(webSocket);
    this.#listener ??= this.#deps.feed.on('flashblock', (flashblock) => this.#publish(flashblock));
    webSocket.on('close', () => {
      this.#readers.delete(reader);
      if (this.#readers.size > 0) return;
      this.#listener?.[Symbol.dispose]();
      this.#listener = undefined;
    });
    if (!backfill) return;
    for (const flashblock of this.#deps.published()) for (const _ of this.#send(flashblock, [reader]));
  }

  #publish(flashblock: Flashblock): void {
    if (this.#gap > 0) this.#gap--;
    else this.#sendAll(flashblock);
  }

  #duplicate(index?: number): void {
    const published = this.#deps.published();
    const flashblock = index === undefined ? published.at(-1) : published[index];
    if (flashblock) this.#sendAll(flashblock);
  }

  #sendAll(flashblock: Flashblock): void {
    const readers = [...this.#readers.keys()];
    if (readers.length > 0) this.#deps.delivery.add(() => this.#send(flashblock, readers));
  }

  /** Yields after each reader, so that other work can run in between. */
  *#send(flashblock: Flashblock, readers: readonly FlashblockReader[]): Iterable<undefined> {
    const text = Buffer.from(JSON.stringify(flashblockMessage(flashblock)));
    const compressed: FlashblockReader[] = [];
    for (const reader of readers) {
      if (this.#readers.get(reader)?.brotli) compressed.push(reader);
      else reader.send(text, false);
      yield;
    }
    if (compressed.length === 0) return;
    const frame = compress(text, BROTLI);
    this.#compressed = this.#compressed.then(async () => {
      const bytes = await frame;
      for (const reader of compressed) reader.send(bytes, true);
    });
  }
}
