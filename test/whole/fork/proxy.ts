import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import type { Wire } from '../../wire.ts';

const open: Server[] = [];
/** Registers the hook of a test file: proxies are closed after each test. */
export function closeProxiesAfterEachTest(): void {
  afterEach(() => {
    for (const server of open.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
  });
}

/**
 * A server that keeps idle connections. By default Node closes them after 5 s: where the process, which is that of the client, too, stood
 * still for as long, the client's next request went to a connection that was just being closed, and failed.
 */
export function keepingServer(listener: RequestListener): Server {
  return createServer({ keepAliveTimeout: 0 }, listener);
}

/** What happens to a request instead of being passed on; nothing = it is passed on. */
export type Fault =
  | { readonly status: number; readonly body?: string }
  | 'hang'
  | 'hang up'
  | 'cut'
  | undefined;

/** A node's JSON-RPC with faults on demand. */
export async function proxyOf(url: string) {
  const seen: {
    readonly methods: readonly string[];
    /** of each call */
    readonly params: readonly Wire[];
    readonly headers: IncomingMessage['headers'];
  }[] = [];
  const state: {
    fault: (methods: readonly string[], count: number) => Fault;
    batches: boolean;
    /** what is answered instead of a result */
    change: ((method: string, result: Wire) => Wire) | undefined;
  } = { fault: () => undefined, batches: true, change: undefined };
  const server = keepingServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(String(Buffer.concat(chunks))) as Wire;
    const calls = Array.isArray(body) ? body : [body];
    const methods = calls.map(({ method }) => method as string);
    seen.push({ methods, params: calls.map(({ params }) => params), headers: request.headers });
    const fault = state.fault(methods, seen.length);
    if (fault === 'hang') return;
    if (fault === 'hang up') return request.socket.destroy();
    if (fault && fault !== 'cut') return response.writeHead(fault.status).end(fault.body ?? 'no');
    if (Array.isArray(body) && !state.batches)
      return response.end(
        JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no batches' } }),
      );
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    const text = await answer.text();
    if (fault === 'cut') {
      response.writeHead(200, { 'content-length': Buffer.byteLength(text) });
      response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
      return;
    }
    if (!state.change) return response.writeHead(answer.status).end(text);
    const { change } = state;
    const answers = [JSON.parse(text)]
      .flat()
      .map((it: Wire, i) => ({ ...it, result: change(methods[i]!, it.result) }));
    response.writeHead(answer.status).end(JSON.stringify(Array.isArray(body) ? answers : answers[0]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen,
    asked: () => seen.flatMap(({ methods }) => methods),
    state,
  };
}
