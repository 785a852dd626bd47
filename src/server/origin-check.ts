import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a request for a WebSocket comes from a page that may read answers, or not from a page at all. Browsers send the page's origin and
 * leave the decision to the server (RFC 6455, 10.2), because CORS doesn't apply to WebSockets. Programs that aren't browsers send no Origin
 * and are allowed, as are pages that this node served itself.
 * @param allowOrigin the origin whose pages may read answers, `*` for any; false for none
 */
export function isOriginAllowed({ origin, host }: IncomingHttpHeaders, allowOrigin: string | false): boolean {
  return origin === undefined || allowOrigin === '*' || origin === allowOrigin || isOwnPage(origin, host);
}

/** The error message for an origin that isn't allowed. */
export function originRefusal(origin: string | undefined): string {
  const name = (origin ?? '').slice(0, 100);
  return `pages of ${name} may not open WebSockets here; --allow-origin ${name} lets them`;
}

/** Whether a page's origin is the address to which its request was sent. A proxy in front of the node may add TLS. */
function isOwnPage(origin: string, host: string | undefined): boolean {
  const [scheme] = /^https?:\/\//.exec(origin) ?? [];
  const own = `${scheme}${host}`;
  if (scheme === undefined || !URL.canParse(origin) || !URL.canParse(own)) return false;
  return new URL(own).host === new URL(origin).host;
}
