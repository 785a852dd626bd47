import { Agent, request } from 'node:http';

/** A JSON-RPC client on kept-alive connections to 127.0.0.1, first in first out: one connection keeps the order. */
export class Client {
  #agent;
  #port;
  #id = 0;

  constructor(port, connections = 1) {
    this.#port = port;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, noDelay: true });
  }

  /** @returns {Promise<any>} the result; throws the node's error */
  async call(method, params = []) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++this.#id, method, params });
    const { result, error } = JSON.parse(await this.#post(body));
    if (error) throw Object.assign(new Error(`${method}: ${error.message}`), { code: error.code });
    return result;
  }

  #post(body) {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const options = { host: '127.0.0.1', port: this.#port, method: 'POST', agent: this.#agent, headers };
      const sent = request({ ...options, timeout: 30_000 }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => resolve(Buffer.concat(chunks).toString()));
        response.on('error', reject);
      });
      sent.on('timeout', () => sent.destroy(new Error('no answer within 30 s')));
      sent.on('error', reject);
      sent.end(body);
    });
  }

  close() {
    this.#agent.destroy();
  }
}
