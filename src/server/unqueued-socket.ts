import type { Socket } from 'node:net';

/**
 * Reads and writes a socket past the queues of Node's streams. With their callbacks, the queues take 20 to 40 us a request
 * until V8 has compiled them. Two methods of the interface for implementers of streams serve for that: a socket hands what
 * arrives to its own `push`, and gives the system what is to be sent in its own `_write`.
 */
export class UnqueuedSocket {
  readonly #socket: Socket;
  readonly #onRoom: () => void;
  /** whether the system hasn't taken all of a text yet that was written past the queue */
  #isSending = false;
  /** whether that wasn't taken at once */
  #hasWaited = false;

  /**
   * @param handlers.onChunk called with what arrives, also with what the readable side emits as `data`
   * @param handlers.onRoom called when the system has taken what it didn't take at once
   */
  constructor(socket: Socket, { onChunk, onRoom }: { onChunk: (chunk: Buffer) => void; onRoom: () => void }) {
    this.#socket = socket;
    this.#onRoom = onRoom;
    socket.on('data', onChunk);
    socket.push = (chunk: Buffer | null) => {
      if (chunk !== null && socket.readableLength === 0) {
        onChunk(chunk);
        return true;
      }
      this.queue();
      return socket.push(chunk);
    };
  }

  /** From now on what arrives goes through the readable side, which can be paused and read by others. */
  queue(): void {
    // What is left is the method of the prototype.
    Reflect.deleteProperty(this.#socket, 'push');
  }

  /** Whether the client has to read before more should be written. */
  get isFull(): boolean {
    return this.#isSending || this.#socket.writableNeedDrain;
  }

  /** Sends a text behind what is being sent. If that fails, the socket is destroyed. */
  write(text: string, encoding: 'latin1' | 'utf8'): void {
    const socket = this.#socket;
    // What goes through the queue while a text is being sent is sent behind it: the system's side has a queue of its own.
    if (this.#isSending || socket.writableLength > 0) {
      socket.write(text, encoding);
      return;
    }
    this.#isSending = true;
    socket._write(text, encoding, this.#onSent);
    this.#hasWaited = this.#isSending;
  }

  readonly #onSent = (error?: Error | null): void => {
    this.#isSending = false;
    if (error) this.#socket.destroy();
    else if (this.#hasWaited) this.#onRoom();
  };
}
