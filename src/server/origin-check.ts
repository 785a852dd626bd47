import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a request for a WebSocket comes from a page that may read answers, or from no page. Browsers send the page's
 * origin and leave the decision to the server (RFC 6455, 10.2): what CORS does for other requests, the server has to do here.
 * Programs that aren't browsers send no Origin and are let in, as are pages that this node served itself.
 * @param allowOrigin the origin whose pages may read answers, `*` for any; false for none
 */
export function isOriginAllowed({ origin, host }: IncomingHttpHeaders, allowOrigin: string | false): boolean {
  return origin === undefined || allowOrigin === '*' || origin === allowOrigin || isOwnPage(origin, host);
}

/** The error message for a refused origin. */
export function originRefusal(origin: string | undefined): string {
  const name = (origin ?? '').slice(0, 100);
  return `pages of ${name} may not open WebSockets here; --allow-origin ${name} lets them`;
}

/** Whether a page's origin is the address that its request went to. A proxy before the node may add TLS. */
function isOwnPage(origin: string, host: string | undefined): boolean {
  const [scheme] = /^https?:\/\//.exec(origin) ?? [];
  const own = `${scheme}${host}`;
  if (scheme === undefined || !URL.canParse(origin) || !URL.canParse(own)) return false;
  return new URL(own).host === new URL(origin).host;
}
