import { computed, signal } from '@preact/signals';
import type { Artifact } from '../../sources/abi/artifact.ts';
import { rpc, store } from '../app.ts';
import { givenKeys, keysIn } from '../data/account-file.ts';
import type { Hex } from '../data/types.ts';
import { plural } from '../format.ts';
import type { Decoder } from './decoder.ts';

/** What the decoder's chunk has; it is loaded once the page is shown. */
const loaded = signal<typeof import('./decoder.ts') | undefined>(undefined);
const dropped = signal<readonly Artifact[]>([]);
/** What the node found in its folder of artifacts. */
const ofNode = signal<readonly Artifact[]>([]);
/** Whether the ABIs that the node has are here, or could not be loaded. */
export const hasAbis = signal(false);
/** What went wrong with the last dropped files, or which contracts they were. */
export const dropNews = signal('');

export const decoder = computed<Decoder | undefined>(() => {
  const module = loaded.value;
  return module && new module.Decoder([...dropped.value, ...ofNode.value]);
});
export const abiCode = computed(() => loaded.value);

const KEPT = 'devnet.artifacts';

/** Loads the code for ABIs, and the artifacts that this tab was given before. */
export async function loadDecoder(): Promise<void> {
  try {
    dropped.value = JSON.parse(sessionStorage.getItem(KEPT) ?? '[]') as Artifact[];
  } catch {
    // The browser keeps nothing: the files can be dropped again.
  }
  loaded.value = await import('./decoder.ts');
  try {
    const [{ artifactOf }, response] = await Promise.all([
      import('../../sources/abi/artifact.ts'),
      fetch('/explorer/artifacts.json'),
    ]);
    const found = response.ok ? ((await response.json()) as { readonly file: string }[]) : [];
    ofNode.value = found.map((json) => artifactOf(json.file, json));
  } finally {
    hasAbis.value = true;
  }
}

/** Adds the ABIs, and the keys of accounts, in files. What was decoded before is decoded again with them. */
export async function addFiles(files: Iterable<File>): Promise<void> {
  const { readArtifact } = await import('../../sources/abi/artifact.ts');
  const added: Artifact[] = [];
  const problems: string[] = [];
  let withKeys = 0;
  for (const file of files)
    try {
      const text = await file.text();
      const keys = keysIn(text);
      if (keys) {
        givenKeys.value = { ...givenKeys.peek(), ...keys };
        withKeys += Object.keys(keys).length;
      } else added.push(readArtifact(file.name, text));
    } catch (error) {
      problems.push((error as Error).message);
    }
  const names = new Set(added.map(({ name }) => name));
  dropped.value = [...added, ...dropped.value.filter(({ name }) => !names.has(name))];
  dropNews.value = [
    added.length > 0 ? `ABI of ${[...names].join(', ')} added` : '',
    withKeys > 0 ? `keys of ${plural(withKeys, 'account')} added` : '',
    ...problems,
  ]
    .filter(Boolean)
    .join('. ');
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(dropped.value));
  } catch {
    // Too large to be kept: it lasts until the page is loaded again.
  }
}

const codes = signal<ReadonlyMap<string, Hex>>(new Map());
/** Addresses whose code is known or was asked for. */
const asked = new Set<string>();
/** Those to be asked for with the next request. */
let wanted: string[] = [];
/** Addresses whose code is remembered: a busy chain has new ones with each block. */
const MOST_CODES = 2_000;

/** Forgets the code of contracts that weren't there, and what proxies point to. */
export function forgetEmptyCode(): void {
  for (const [address, code] of codes.peek()) if (code === '0x') asked.delete(address);
  askedSlots.clear();
}

/** An address's code at `pending`; `undefined` until it is known, which is asked for by this call. */
export function codeOf(address: Hex): Hex | undefined {
  const key = address.toLowerCase();
  if (!asked.has(key) && rpc.state.value === 'open') {
    asked.add(key);
    wanted.push(key);
    // All that are drawn together are asked for together.
    if (wanted.length === 1) queueMicrotask(askForCodes);
  }
  return codes.value.get(key);
}

async function askForCodes(): Promise<void> {
  const addresses = wanted;
  wanted = [];
  try {
    const found = await rpc.batch<Hex>(addresses.map((address) => ['eth_getCode', address, 'pending']));
    const known = new Map(codes.peek());
    for (const [i, address] of addresses.entries()) known.set(address, found[i]!);
    for (const oldest of known.keys()) {
      if (known.size <= MOST_CODES) break;
      known.delete(oldest);
      asked.delete(oldest);
    }
    codes.value = known;
  } catch {
    for (const address of addresses) asked.delete(address);
  }
}

/** The contracts whose code was asked for. */
export function seenContracts(): Hex[] {
  return [...codes.value].flatMap(([address, code]) => (code === '0x' ? [] : [address as Hex]));
}

/** Where proxies of EIP-1967 keep the address of their implementation. */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
/** A minimal proxy (EIP-1167), and an account that delegates to a contract (EIP-7702). */
const FORWARDS = /^0x(?:363d3d373d3d3d363d73(.{40})5af43d82803e903d91602b57fd5bf3|ef0100(.{40}))$/;

const slots = signal<ReadonlyMap<string, Hex>>(new Map());
const askedSlots = new Set<string>();

/** The contract whose code runs when this one is called: itself, or what a proxy or a delegation names. */
export function implementationOf(address: Hex): Hex {
  const code = codeOf(address);
  if (!code) return address;
  const [, minimal, delegated] = FORWARDS.exec(code) ?? [];
  if (minimal || delegated) return `0x${minimal ?? delegated}`;
  if (!code.includes(IMPLEMENTATION_SLOT.slice(2))) return address;
  const key = address.toLowerCase();
  if (!askedSlots.has(key) && rpc.state.value === 'open') {
    askedSlots.add(key);
    rpc.call<Hex>('eth_getStorageAt', address, IMPLEMENTATION_SLOT, 'pending').then(
      (word) => {
        slots.value = new Map(slots.peek()).set(key, word);
      },
      () => askedSlots.delete(key),
    );
  }
  const word = slots.value.get(key);
  return word && BigInt(word) > 0n ? `0x${word.slice(26)}` : address;
}

/** Artifacts by code, of the decoder that has them: to compare code takes longer than all else that draws a line. */
const matched = new WeakMap<Decoder, Map<Hex, Artifact | undefined>>();

function artifactAt(address: Hex): Artifact | undefined {
  const known = decoder.value;
  if (!known || known.artifacts.length === 0) return undefined;
  const code = codeOf(address);
  if (!code || code === '0x') return undefined;
  const byCode = matched.get(known) ?? new Map<Hex, Artifact | undefined>();
  matched.set(known, byCode);
  if (!byCode.has(code)) {
    if (byCode.size >= MOST_CODES) byCode.clear();
    byCode.set(code, known.artifactOf(code));
  }
  return byCode.get(code);
}

/** The artifact that a contract was made of; a proxy's is that of its implementation. */
export function artifactOfContract(address: Hex | null | undefined): Artifact | undefined {
  if (!address || !decoder.value?.artifacts.length) return undefined;
  const behind = implementationOf(address);
  return (behind === address ? undefined : artifactAt(behind)) ?? artifactAt(address);
}

/** The name of the artifact that a contract was made of. */
export function contractName(address: Hex | null | undefined): string | undefined {
  return artifactOfContract(address)?.name;
}

// Another chain has other contracts.
let instance: string | undefined;
store.status.subscribe((status) => {
  if (status && instance !== undefined && status.instanceId !== instance) {
    asked.clear();
    codes.value = new Map();
    askedSlots.clear();
    slots.value = new Map();
  }
  instance = status?.instanceId ?? instance;
});
