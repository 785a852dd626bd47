import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { ErrorRequestHandler, Express } from 'express';
import { DevnetError } from '../errors.ts';
import type { Dispatcher } from '../rpc/dispatch.ts';
import { EncodedResponse, failed } from '../rpc/envelope.ts';
import { ForwardedRequest } from '../rpc/forwarded-request.ts';
import { JsonStream } from '../rpc/json-stream.ts';
import type { Member } from '../rpc/member.ts';
import { ENCODINGS, readBody } from './body.ts';
import type { Explorer, ExplorerFile } from './explorer.ts';
import { FORWARDED, MISDIRECTED } from './forwarded.ts';
import { hasSeveralHosts, hostRefusal, isHostAllowed, SEVERAL_HOSTS } from './host-check.ts';
import { positionHeaders } from './position-headers.ts';

export interface HttpOptions {
  /** bytes */
  readonly bodyLimit: number;
  readonly allowedHosts: ReadonlySet<string>;
  /** value of Access-Control-Allow-Origin: the origin whose pages may read answers; false to omit the header */
  readonly allowOrigin: string | false;
}

/** A page for GET requests. */
export interface Page {
  /** HTTP status; 200 by default */
  readonly status?: number;
  readonly type: string;
  readonly text: string;
}

export interface HttpDeps {
  readonly dispatcher: Dispatcher;
  /** whether the server is stopping; its answers then close their connections */
  readonly isStopping: () => boolean;
  /** pages by path */
  readonly pages: ReadonlyMap<string, () => Page | Promise<Page>>;
  /** the web page that browsers get at `/` */
  readonly explorer?: Explorer | undefined;
  /** this node's part in a log that several nodes share */
  readonly member?: Member | undefined;
}

const ABOUT = `devnet: a private Ethereum L2 chain.

This address takes JSON-RPC 2.0 by HTTP POST and by WebSocket, for example
  curl -d '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}' http://HOST:PORT
`;

const METHODS = 'POST, GET, HEAD, OPTIONS';

/** The parts for creating Node's HTTP server. */
export interface HttpHandler {
  readonly classes: MessageClasses;
  readonly listener: RequestListener;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Creates the handler of all requests that the fast path doesn't answer. Express is loaded at the first one: loading takes 30 ms, and most
 * chains never need it.
 */
export function createHttpHandler(options: HttpOptions, deps: HttpDeps): HttpHandler {
  const classes = messageClasses();
  let loading: Promise<Handle> | undefined;
  return {
    classes,
    listener: async (request, response) => {
      loading ??= import('express').then(({ default: express }) =>
        createApplication(express(), classes, options, deps),
      );
      (await loading)(request, response);
    },
  };
}

/** Sets up JSON-RPC at `/`, the pages, and the checks that every request needs. */
function createApplication(
  app: Express,
  classes: MessageClasses,
  options: HttpOptions,
  { dispatcher, isStopping, pages, explorer, member }: HttpDeps,
): Handle {
  app.disable('x-powered-by').disable('etag').set('query parser', false);

  // One handler for everything, because each layer of Express takes time on every call.
  app.use(async (request, response) => {
    const { method } = request;
    const { host } = request.headers;
    if (options.allowOrigin !== false) {
      response.setHeader('access-control-allow-origin', options.allowOrigin);
      if (member) response.setHeader('access-control-expose-headers', 'devnet-position, devnet-behind');
    }
    if (hasSeveralHosts(request)) {
      response.setHeader('connection', 'close');
      refuse(response, 400, SEVERAL_HOSTS);
    } else if (!isHostAllowed(host, options.allowedHosts)) refuse(response, 403, hostRefusal(host));
    else if (method === 'OPTIONS') preflight(request, response);
    else if (pages.has(request.path) && isRead(method)) await show(request.path, response);
    else if (request.path.startsWith('/explorer/') && isRead(method)) {
      // Only for the explorer, which has the same origin.
      response.removeHeader('access-control-allow-origin');
      give(response, await explorer?.asset(request.path));
    } else if (request.path !== '/') refuse(response, 404, 'not found: JSON-RPC is at /');
    else if (method === 'POST') await answer(request, response);
    else if (isRead(method)) await introduce(request, response);
    else {
      response.setHeader('allow', METHODS);
      refuse(response, 405, `${method} is not allowed: use POST`);
    }
  });

  /** Browsers request HTML; curl and scripts accept anything. */
  async function introduce({ headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('vary', 'accept');
    const page = /\btext\/html\b/.test(headers.accept ?? '') ? await explorer?.page() : undefined;
    if (page) give(response, page);
    else send(response, 200, ABOUT, 'text/plain; charset=utf-8');
  }

  async function show(path: string, response: ServerResponse): Promise<void> {
    const { status = 200, type, text } = await pages.get(path)!();
    send(response, status, text, type);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, options.bodyLimit);
    if (body.kind === 'aborted') return;
    if (request.headers[FORWARDED] !== undefined && !member?.isLeader) {
      refuse(
        response,
        MISDIRECTED,
        'this node is not the leader of a shared log: it accepts no forwarded requests',
      );
      return;
    }
    if (body.kind === 'tooLarge') {
      response.setHeader('connection', 'close');
      const error = new DevnetError('limitExceeded', {
        limit: 'the body size in bytes',
        max: options.bodyLimit,
      });
      send(response, 413, failed(null, error));
      return;
    }
    if (body.kind === 'encoded') {
      // RFC 9110, 15.5.16 and 12.5.3
      response.setHeader('accept-encoding', ENCODINGS);
      refuse(response, 415, `Content-Encoding: expected ${ENCODINGS} or none, got ${body.encoding}`);
      return;
    }
    if (body.kind === 'garbled') {
      refuse(response, 400, `the body isn't ${body.encoding}, as its Content-Encoding says`);
      return;
    }
    const after = request.headers['devnet-position'];
    if (member && after !== undefined && !(await member.waitUntilReached(String(after)))) {
      response.setHeader('devnet-position', member.position);
      refuse(
        response,
        503,
        `this node has not reached position ${after} of the log: it is at ${member.position}`,
      );
      return;
    }
    const { socket } = request;
    const leave = () => dispatcher.leave(socket);
    socket.once('close', leave);
    const forwarded = member && new ForwardedRequest();
    const text = await dispatcher.handleText(body.bytes, undefined, socket, forwarded);
    socket.off('close', leave);
    if (isStopping()) response.setHeader('connection', 'close');
    if (member) tellPosition(response, member, forwarded);
    if (text === undefined) response.writeHead(204).end();
    else if (text instanceof JsonStream) await stream(response, text);
    else send(response, 200, text instanceof EncodedResponse ? text.bytes : text);
  }

  // Express sets status 400 for requests that it can't parse; any other error is internal.
  const onError: ErrorRequestHandler = (error: { status?: unknown }, _request, response, _next) => {
    if (response.headersSent) response.destroy();
    else if (error.status === 400) refuse(response, 400, 'bad request');
    else send(response, 500, failed(null, new DevnetError('internal')));
  };
  app.use(onError);

  // By default Express answers a request that its router can't parse (`GET http://`) with HTML.
  const onUnrouted = (response: ServerResponse) => refuse(response, 400, 'bad request');
  // Express's types lack this signature. The requests have Express's prototype anyway, see adoptPrototypes.
  const handle = app as unknown as (...args: [...Parameters<RequestListener>, () => void]) => void;
  adoptPrototypes(app, classes);
  return (request, response) => handle(request, response, () => onUnrouted(response));
}

function tellPosition(
  response: ServerResponse,
  { position }: Member,
  forwarded: ForwardedRequest | undefined,
): void {
  for (const [name, value] of Object.entries(positionHeaders(position, forwarded)))
    response.setHeader(name, value);
}

function isRead(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD';
}

function preflight(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-methods', METHODS);
  // The requested headers are echoed, because `*` doesn't include Authorization.
  response.setHeader(
    'access-control-allow-headers',
    request.headers['access-control-request-headers'] ?? '*',
  );
  response.setHeader('access-control-max-age', '86400');
  response.writeHead(204).end();
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  send(response, status, failed(null, new DevnetError('server', { reason })));
}

function give(response: ServerResponse, file: ExplorerFile | undefined): void {
  if (!file) refuse(response, 404, 'not found: no such file of the explorer');
  else response.writeHead(200, { ...file.headers, 'content-length': file.content.length }).end(file.content);
}

function send(
  response: ServerResponse,
  status: number,
  text: string | Buffer,
  type = 'application/json',
): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/** Sends an answer in chunks. If it fails midway, the connection is cut, so that an incomplete answer doesn't look complete. */
async function stream(response: ServerResponse, text: JsonStream): Promise<void> {
  // Without this the pipeline would notice a closed connection only with the next chunk.
  response.once('close', () => text.cancel());
  try {
    response.writeHead(200, { 'content-type': 'application/json' });
    await pipeline(text, response, { signal: text.signal });
  } catch {
    response.destroy();
  } finally {
    // In case the client disconnected before the pipeline started.
    text.cancel();
  }
}

type MessageClasses = {
  readonly [K in 'IncomingMessage' | 'ServerResponse']: NonNullable<ServerOptions[K]>;
};

/**
 * Creates request and response classes for Node's HTTP server that get Express's prototypes. Otherwise Express would change the prototype
 * of every object, which disables V8's optimisations for it; a call then takes twice the time.
 */
function messageClasses(): MessageClasses {
  return {
    IncomingMessage: class extends IncomingMessage {},
    ServerResponse: class<R extends IncomingMessage> extends ServerResponse<R> {},
  };
}

function adoptPrototypes(app: Express, classes: MessageClasses): void {
  for (const [own, name] of [
    [classes.IncomingMessage.prototype, 'request'],
    [classes.ServerResponse.prototype, 'response'],
  ] as const) {
    // Express's prototypes inherit from Node's.
    Object.setPrototypeOf(own, app[name]);
    Object.defineProperty(app, name, { value: own });
  }
}
