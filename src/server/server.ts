import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../clock.ts';
import { DevnetError } from '../errors.ts';
import type { Dispatcher } from '../rpc/dispatch.ts';
import { failed } from '../rpc/envelope.ts';
import type { Member } from '../rpc/member.ts';
import { ArrivingBodies } from './arriving-bodies.ts';
import { readBytes } from './body.ts';
import { EXPLORER_RPC, type Explorer } from './explorer.ts';
import { FastPath } from './fast-path.ts';
import { Heartbeat } from './heartbeat.ts';
import { allowedHosts, hasSeveralHosts, hostRefusal, isHostAllowed, SEVERAL_HOSTS } from './host-check.ts';
import { createHttpHandler, type Page } from './http.ts';
import { isOriginAllowed, originRefusal } from './origin-check.ts';
import { RpcWebSocket } from './websocket.ts';

export interface ServerOptions {
  /** Host names accepted besides localhost and IP addresses; `*` accepts all. */
  readonly allowHosts?: readonly string[];
  /** Origin whose pages may read answers (CORS) and open WebSockets, `*` by default; false for the node's own page only. */
  readonly allowOrigin?: string | false;
  /** maximum size of a request, bytes; 10 MiB by default */
  readonly bodyLimit?: number;
  /** if a WebSocket has more unsent bytes, it loses notifications; 16 MiB by default */
  readonly notificationBuffer?: number;
  /** if a WebSocket has more unsent bytes, it is closed; 64 MiB by default */
  readonly sendBuffer?: number;
  /** time between two pings of a WebSocket, milliseconds; a peer that is silent for longer is disconnected; 30 s by default */
  readonly heartbeatMs?: number;
  /** how long running requests may take when the server stops, milliseconds; 5 s by default */
  readonly stopGraceMs?: number;
}

/** Takes over a connection that requested a WebSocket; the Host and Origin headers have already been checked. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface ServerDeps {
  readonly dispatcher: Dispatcher;
  /** the machine's clock */
  readonly clock: Clock;
  /** this node's part in a log that several nodes share */
  readonly member?: Member | undefined;
  /** WebSocket endpoints besides JSON-RPC's, by path */
  readonly upgrades?: ReadonlyMap<string, UpgradeHandler>;
  /** pages for GET requests besides `/`, by path */
  readonly pages?: ReadonlyMap<string, () => Page | Promise<Page>>;
  /** the web page that browsers get at `/` */
  readonly explorer?: Explorer | undefined;
  /** Called with the number of notifications that a slow WebSocket reader lost, when it has caught up or left. */
  readonly onDropped?: (messages: number) => void;
}

const MIB = 1024 * 1024;
/** Longer than clients keep an idle connection, so that the client closes it and not the server. */
const KEEP_ALIVE_MS = 75_000;
/** Time in which the head of a request must arrive, milliseconds: Node's default. */
const HEAD_MS = 60_000;
/**
 * Time between two checks for heads and bodies that arrive too slowly, milliseconds; Node's default is 30 s. The fast path may have had a
 * request for up to 15 s before Node gets it; together that is no longer than Node alone would allow for a head.
 */
const CHECK_MS = 10_000;

/** Serves JSON-RPC over HTTP and WebSocket on one port. */
export class RpcServer {
  readonly #server: Server;
  readonly #webSocket: RpcWebSocket;
  readonly #upgrades: ReadonlyMap<string, UpgradeHandler>;
  readonly #allowedHosts: ReadonlySet<string>;
  readonly #allowOrigin: string | false;
  readonly #bodyLimit: number;
  readonly #graceMs: number;
  readonly #clock: Clock;
  readonly #fastPath: FastPath;
  readonly #bodies: ArrivingBodies;
  /** makes Node's HTTP server read a connection */
  readonly #readAsHttp: (socket: Socket) => void;
  /** connections that Node's HTTP server reads */
  readonly #sockets = new Set<Socket>();
  /** upgraded connections: the HTTP server no longer tracks them, but waits for them when it closes */
  readonly #upgraded = new Set<Duplex>();
  /** the newest response of each connection, which may be unfinished */
  readonly #answers = new WeakMap<Duplex, ServerResponse>();
  #stopped: Promise<void> | undefined;

  constructor(options: ServerOptions, deps: ServerDeps) {
    const bodyLimit = options.bodyLimit ?? 10 * MIB;
    this.#bodyLimit = bodyLimit;
    this.#allowedHosts = allowedHosts(options.allowHosts ?? []);
    this.#graceMs = options.stopGraceMs ?? 5_000;
    this.#clock = deps.clock;
    this.#webSocket = new RpcWebSocket(
      {
        bodyLimit,
        notificationBuffer: options.notificationBuffer ?? 16 * MIB,
        sendBuffer: options.sendBuffer ?? 64 * MIB,
      },
      {
        dispatcher: deps.dispatcher,
        heartbeat: new Heartbeat({ interval: options.heartbeatMs }, deps),
        clock: deps.clock,
        onDropped: deps.onDropped,
      },
    );
    const upgrades: [string, UpgradeHandler][] = [
      ['/', (...args) => this.#webSocket.upgrade(...args)],
      ...(deps.explorer
        ? ([[EXPLORER_RPC, (...args) => this.#webSocket.upgrade(...args, true)]] satisfies [
            string,
            UpgradeHandler,
          ][])
        : []),
    ];
    this.#upgrades = new Map([...upgrades, ...(deps.upgrades ?? [])]);
    const allowOrigin = options.allowOrigin ?? '*';
    this.#allowOrigin = allowOrigin;
    const { classes, listener } = createHttpHandler(
      { bodyLimit, allowedHosts: this.#allowedHosts, allowOrigin },
      {
        dispatcher: deps.dispatcher,
        isStopping: () => this.#stopped !== undefined,
        pages: deps.pages ?? new Map(),
        explorer: deps.explorer,
        member: deps.member,
      },
    );
    this.#bodies = new ArrivingBodies({ checkMs: CHECK_MS }, deps);
    this.#server = createServer(
      {
        noDelay: true,
        keepAliveTimeout: KEEP_ALIVE_MS,
        headersTimeout: HEAD_MS,
        // The time limit of a body is set by ArrivingBodies.
        requestTimeout: 0,
        connectionsCheckingInterval: CHECK_MS,
        ...classes,
      },
      (request, response) => {
        this.#answers.set(request.socket, response);
        this.#bodies.add(request);
        listener(request, response);
      },
    );
    // Reads all headers of a head, which has at most 16 KiB: by default Node ignores those after the first 2,000, and would miss a second
    // Host.
    this.#server.maxHeadersCount = 0;
    // Each connection starts on the fast path, which hands over to Node's listener what it doesn't read itself.
    const [listen] = this.#server.listeners('connection') as ((socket: Socket) => void)[];
    this.#readAsHttp = (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      listen!.call(this.#server, socket);
    };
    this.#fastPath = new FastPath(
      { bodyLimit, allowedHosts: this.#allowedHosts, allowOrigin, keepAliveMs: KEEP_ALIVE_MS },
      {
        dispatcher: deps.dispatcher,
        clock: deps.clock,
        position: deps.member && (() => deps.member!.position),
        handOver: this.#readAsHttp,
      },
    );
    this.#server.removeAllListeners('connection');
    this.#server.on('connection', (socket) => this.#fastPath.accept(socket));
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  /**
   * @param port 0 for any free port
   * @returns the address at which it listens
   * @throws the system's error; `code` EADDRINUSE if the port is in use
   */
  start(host: string, port: number): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      // Never removed: a later error of the listening socket must not crash the process; connections aren't affected.
      this.#server.on('error', reject);
      this.#server.listen(port, host, () => {
        // A TCP server's address is an object while it listens.
        resolve(this.#server.address() as AddressInfo);
      });
    });
  }

  /** Accepts no more connections, closes idle ones at once, and lets running requests finish within `stopGraceMs`. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const grace = this.#clock.after(this.#graceMs, () => {
      this.#fastPath.cut();
      for (const socket of this.#upgraded) socket.destroy();
      this.#server.closeAllConnections();
    });
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#fastPath.stop();
    this.#bodies.stop();
    for (const socket of this.#sockets) if (!this.#upgraded.has(socket)) this.#closeSoon(socket);
    await Promise.all([this.#webSocket.stop(), closed]);
    grace[Symbol.dispose]();
  }

  /**
   * Closes a connection after its newest response has been sent; at once if there is none, or if the request is incomplete. Node wouldn't
   * do so: it regards a connection that has sent nothing yet as busy.
   */
  #closeSoon(socket: Socket): void {
    const answer = this.#answers.get(socket);
    // A pipelined response has no socket until the one before it is sent.
    const isRunning = answer && !answer.closed && (answer.req.complete || answer.socket === null);
    if (isRunning) answer.once('close', () => this.#closeSoon(socket));
    else socket.destroySoon();
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const before = this.#answers.get(request.socket);
    if (before && !before.closed) {
      // Responses to pipelined requests must be sent in order (RFC 9112, 9.3.2).
      this.#watch(socket);
      before.once('close', () => this.#upgrade(request, socket, head));
      return;
    }
    if (socket.destroyed) return;
    this.#watch(socket);
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      void this.#readAgain(request, socket, head);
      return;
    }
    const { host } = request.headers;
    const handler = this.#upgrades.get(request.url?.split('?', 1)[0] ?? '/');
    if (hasSeveralHosts(request)) refuseUpgrade(socket, '400 Bad Request', refusal(SEVERAL_HOSTS));
    else if (!isHostAllowed(host, this.#allowedHosts))
      refuseUpgrade(socket, '403 Forbidden', refusal(hostRefusal(host)));
    else if (!isOriginAllowed(request.headers, this.#allowOrigin))
      refuseUpgrade(socket, '403 Forbidden', refusal(originRefusal(request.headers.origin)));
    else if (!handler) refuseUpgrade(socket, '404 Not Found', refusal('no WebSocket at this path'));
    else handler(request, socket, head);
  }

  /**
   * Handles a request that offers an upgrade to another protocol as an ordinary one: Java's client offers h2c with its first POST, and a
   * server may ignore that (RFC 9110, 7.8). Node emits `upgrade` for all protocols, and its option to decide per request loses the requests
   * that follow. Since Node 26 the body is in the request; before, it is in the socket.
   */
  async #readAgain(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const body = await readBytes(request, this.#bodyLimit);
    if (!('kind' in body)) {
      this.#upgraded.delete(socket);
      socket.unshift(withoutUpgrade(request, Buffer.concat([body, head])));
      this.#readAsHttp(socket as Socket);
    } else if (body.kind === 'tooLarge') {
      const limit = { limit: 'the body size in bytes', max: this.#bodyLimit };
      refuseUpgrade(socket, '413 Payload Too Large', new DevnetError('limitExceeded', limit));
    } else socket.destroy();
  }

  /** Tracks an upgraded connection, which the HTTP server no longer tracks. */
  #watch(socket: Duplex): void {
    if (this.#upgraded.has(socket)) return;
    this.#upgraded.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#upgraded.delete(socket));
  }
}

function refusal(reason: string): DevnetError {
  return new DevnetError('server', { reason });
}

function refuseUpgrade(socket: Duplex, status: string, error: DevnetError): void {
  const body = failed(null, error);
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Returns the bytes of a request without its offer of an upgrade, to be parsed again. @param rest its body, and later requests */
function withoutUpgrade(request: IncomingMessage, rest: Buffer): Buffer {
  let text = `${request.method} ${request.url} HTTP/${request.httpVersion}\r\n`;
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const name = request.rawHeaders[i]!;
    if (!/^(connection|upgrade|http2-settings)$/i.test(name))
      text += `${name}: ${request.rawHeaders[i + 1]}\r\n`;
  }
  return Buffer.concat([Buffer.from(`${text}\r\n`, 'latin1'), rest]);
}
