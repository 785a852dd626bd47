import type { Abi, Hex } from 'viem';

/** A contract's ABI and code, from a compiler's output file. */
export interface Artifact {
  readonly name: string;
  readonly abi: Abi;
  /** hex of the deployed code, without 0x; immutables in it and addresses of libraries are zeros or placeholders */
  readonly code?: string | undefined;
  /** byte ranges of the immutables in the code; Hardhat 2 doesn't write them */
  readonly masked: readonly { readonly start: number; readonly length: number }[];
}

type Json = Record<string, unknown>;
type References = Readonly<Record<string, readonly { start: number; length: number }[]>>;

/**
 * Parses a file with an ABI: an artifact of Hardhat or Foundry, solc's output for one contract, or a plain ABI.
 * @param fileName gives the contract's name where the file has none
 * @throws Error that says what is wrong
 */
export function readArtifact(fileName: string, text: string): Artifact {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error(`${fileName} is not JSON`);
  }
  return artifactOf(fileName, json);
}

/** As {@link readArtifact}, of parsed JSON. */
export function artifactOf(fileName: string, json: unknown): Artifact {
  const fileAs = fileName.replace(/^.*\//, '').replace(/(\.abi)?\.json$/, '');
  if (Array.isArray(json)) return { name: fileAs, abi: json as Abi, masked: [] };
  const artifact = json as Json & { abi?: Abi; contractName?: string };
  if (!Array.isArray(artifact?.abi)) throw new Error(`${fileName} has no ABI`);
  const evm = (artifact.evm as Json | undefined)?.deployedBytecode ?? artifact.deployedBytecode;
  const references = ((evm as Json | null | undefined)?.immutableReferences ??
    artifact.immutableReferences ??
    {}) as References;
  return {
    name: artifact.contractName ?? fileAs,
    abi: artifact.abi,
    code: codeIn(evm),
    masked: Object.values(references).flat(),
  };
}

/** A code in lower case without 0x, from how Hardhat, Foundry and solc write it into an artifact; `undefined` if it's empty. */
export function codeIn(bytecode: unknown): string | undefined {
  const text = (bytecode as { readonly object?: unknown } | null | undefined)?.object ?? bytecode;
  const code = typeof text === 'string' ? text.replace(/^0x/, '').toLowerCase() : '';
  return code === '' ? undefined : code;
}

/**
 * Whether init code begins with an artifact's creation code, apart from library addresses and the metadata at the end. The constructor's
 * arguments may follow.
 * @param creation an artifact whose `code` is the creation code
 */
export function creates(creation: Artifact, init: Hex): boolean {
  return matches(creation, `0x${init.slice(2, 2 + (creation.code?.length ?? 0))}`);
}

/** PUSH32 with 32 zero bytes: an immutable that isn't set yet. solc pushes zero in no other case with so many bytes. */
const PUSHED_ZEROS = /(?=7f0{64})/g;

/** Whether deployed code equals an artifact's, apart from immutables, library addresses and the metadata at the end. */
export function matches(artifact: Artifact, deployed: Hex): boolean {
  const { code } = artifact;
  const found = deployed.slice(2).toLowerCase();
  if (!code || found.length !== code.length) return false;
  const end = code.length - metadataLength(code);
  let isMasked = maskOf.get(artifact);
  if (!isMasked) {
    isMasked = maskedBytes(code, artifact.masked);
    maskOf.set(artifact, isMasked);
  }
  for (let at = 0; at < end; at += 2)
    if (!isMasked[at / 2] && (code[at] !== found[at] || code[at + 1] !== found[at + 1])) return false;
  return true;
}

/** Results of {@link maskedBytes}: an artifact is compared with many codes. */
const maskOf = new WeakMap<Artifact, Uint8Array>();

/** Marks each byte of a code that may differ in deployed code. */
function maskedBytes(code: string, masked: Artifact['masked']): Uint8Array {
  const isMasked = new Uint8Array(code.length / 2);
  for (const { start, length } of masked) isMasked.fill(1, start, start + length);
  for (const { index } of code.matchAll(/__.{36}__/g)) isMasked.fill(1, index / 2, index / 2 + 20);
  for (const { index } of code.matchAll(PUSHED_ZEROS))
    if (index % 2 === 0) isMasked.fill(1, index / 2 + 1, index / 2 + 33);
  // A library's code begins with its own address.
  if (code.startsWith(`73${'00'.repeat(20)}`)) isMasked.fill(1, 1, 21);
  return isMasked;
}

/** Length, in characters, of the CBOR metadata that solc appends; the last two bytes have its length in bytes. */
function metadataLength(code: string): number {
  const length = Number.parseInt(code.slice(-4), 16);
  const total = 2 * (length + 2);
  return length > 0 && total < code.length ? total : 0;
}
