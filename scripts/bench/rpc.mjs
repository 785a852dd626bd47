import { connect } from 'node:net';

const SILENCE = 300_000;
const END_OF_HEAD = Buffer.from('\r\n\r\n');
const END_OF_CHUNKS = Buffer.from('\r\n0\r\n\r\n');

/**
 * A JSON-RPC client on kept-alive connections to 127.0.0.1; requests get connections first come, first served. With one connection their
 * order is kept. It uses plain sockets, because Node's HTTP client takes more processor time than the measured requests.
 */
export class Client {
  #idle;
  #waiting = [];
  #id = 0;

  constructor(port, connections = 1) {
    this.#idle = Array.from({ length: connections }, () => new Connection(port));
  }

  /** @returns {Promise<any>} the result; throws the node's error */
  async call(method, params = []) {
    const { result, error } = JSON.parse(await this.text(method, params));
    if (error) throw Object.assign(new Error(`${method}: ${error.message}`), { code: error.code });
    return result;
  }

  /** @returns {Promise<string>} the whole response as JSON */
  async text(method, params = []) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++this.#id, method, params });
    const connection = this.#idle.pop() ?? (await new Promise((resolve) => this.#waiting.push(resolve)));
    try {
      return await connection.post(body);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(connection);
      else this.#idle.push(connection);
    }
  }
}

/** A connection with one request at a time. */
class Connection {
  #port;
  #socket;
  #request;
  #chunks = [];
  #length = 0;
  #head;

  constructor(port) {
    this.#port = port;
  }

  post(body) {
    return new Promise((resolve, reject) => {
      this.#request = { resolve, reject };
      this.#socket ??= this.#connect();
      this.#socket.write(
        `POST / HTTP/1.1\r\nhost: 127.0.0.1:${this.#port}\r\ncontent-type: application/json\r\n` +
          `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    });
  }

  #connect() {
    const socket = connect({ host: '127.0.0.1', port: this.#port, noDelay: true });
    socket.setTimeout(SILENCE);
    socket.on('timeout', () => {
      if (this.#request) socket.destroy(new Error(`no answer within ${SILENCE / 1000} s`));
    });
    let reason = new Error('the connection was closed');
    socket.on('error', (error) => {
      reason = error;
    });
    socket.on('close', () => {
      if (this.#socket === socket) this.#reset(socket).reject?.(reason);
    });
    socket.on('data', (chunk) => this.#read(socket, chunk));
    return socket;
  }

  #read(socket, chunk) {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    this.#head ??= headOf(this.#joined());
    if (!this.#head) return;
    const { start, length, close } = this.#head;
    if (length !== undefined && this.#length < start + length) return;
    if (length === undefined && !this.#joined(END_OF_CHUNKS.length).subarray(-7).equals(END_OF_CHUNKS))
      return;
    const body = this.#joined().subarray(start);
    const text = length === undefined ? unchunked(body) : body.toString('utf8', 0, length);
    if (text === undefined) return;
    if (close) socket.destroy();
    this.#reset(close ? socket : undefined).resolve?.(text);
  }

  /** The end of the received bytes: at least `least` bytes if there are so many, otherwise all. */
  #joined(least = this.#length) {
    if (this.#chunks.length === 1) return this.#chunks[0];
    if (this.#chunks.at(-1).length >= least) return this.#chunks.at(-1);
    this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0];
  }

  /** Resets the connection for the next request. @returns the request that was in flight */
  #reset(ended) {
    const request = this.#request ?? {};
    this.#request = undefined;
    this.#chunks = [];
    this.#length = 0;
    this.#head = undefined;
    if (ended) this.#socket = undefined;
    return request;
  }
}

/** @returns the start of the body, its length unless it is chunked, and whether the server closes the connection */
function headOf(bytes) {
  const end = bytes.indexOf(END_OF_HEAD);
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end).toLowerCase();
  const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
  return {
    start: end + END_OF_HEAD.length,
    length: length === undefined ? undefined : Number(length),
    close: /\r\nconnection: *close/.test(head),
  };
}

/** @returns {string | undefined} undefined until the last chunk has arrived */
function unchunked(body) {
  const parts = [];
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = Number.parseInt(body.toString('latin1', at, end), 16);
    if (size === 0) return Buffer.concat(parts).toString();
    parts.push(body.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
