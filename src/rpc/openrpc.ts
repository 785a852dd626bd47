import { readFileSync } from 'node:fs';

/** Beside the bundle. Only `rpc_discover` reads the file, which `npm run docs` writes from the definitions of the methods. */
const FILE = process.env.DEVNET_OPENRPC ?? './openrpc.json';

/** What the OpenRPC specification (https://spec.open-rpc.org) says of an API. */
export interface OpenRpcDocument {
  readonly openrpc: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly [member: string]: unknown;
}

let text: string | undefined;

/** @param version of the node */
export function openRpcDocument(version: string): OpenRpcDocument {
  text ??= readFileSync(new URL(FILE, import.meta.url), 'utf8');
  const document = JSON.parse(text) as OpenRpcDocument;
  return { ...document, info: { ...document.info, version } };
}
