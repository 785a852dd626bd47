import { readFileSync } from 'node:fs';

/** The file beside the bundle, which `npm run docs` writes from the definitions of the methods. Only `rpc_discover` reads it. */
const FILE = process.env.DEVNET_OPENRPC ?? './openrpc.json';

/** A document of the OpenRPC specification (https://spec.open-rpc.org). */
export interface OpenRpcDocument {
  readonly openrpc: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly [member: string]: unknown;
}

let text: string | undefined;

/** @param version the version of the node */
export function openRpcDocument(version: string): OpenRpcDocument {
  text ??= readFileSync(new URL(FILE, import.meta.url), 'utf8');
  const document = JSON.parse(text) as OpenRpcDocument;
  return { ...document, info: { ...document.info, version } };
}
