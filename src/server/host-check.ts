import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Whether a request's Host header is allowed: localhost, an IP address, or one of the allowed names; `*` allows all. This protects against
 * DNS rebinding: a page of a foreign site whose name resolves to this machine sends that name.
 * @param host the header's value, with the port
 */
export function isHostAllowed(host: string | undefined, allowed: ReadonlySet<string>): boolean {
  if (allowed.has('*')) return true;
  const name = hostName(host ?? '');
  return name === 'localhost' || isIP(name) !== 0 || allowed.has(name);
}

/**
 * Whether a request has more than one Host header. Such a request is malformed (RFC 9112, 3.2): a proxy in front of the node may have used
 * another one than the node would. Node's parser keeps the first.
 */
export function hasSeveralHosts(request: IncomingMessage): boolean {
  return (request.headersDistinct.host?.length ?? 0) > 1;
}

/** The error message for a request with several Host headers. */
export const SEVERAL_HOSTS = 'expected one Host header, got several';

/** Converts names to the form that {@link isHostAllowed} expects. */
export function allowedHosts(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()));
}

/** The error message for a host that isn't allowed. */
export function hostRefusal(host: string | undefined): string {
  const name = hostName(host ?? '').slice(0, 100);
  return name === ''
    ? 'the request has no Host header; --allow-host * accepts it'
    : `the host name ${name} is not allowed; --allow-host ${name} accepts it`;
}

function hostName(host: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(host);
  return (bracketed?.[1] ?? host.replace(/:\d*$/, '')).toLowerCase();
}
