import { computed, signal } from '@preact/signals';
import type { Artifact } from '../../sources/abi/artifact.ts';
import { rpc, store } from '../app.ts';
import { givenKeys, keysIn } from '../data/account-file.ts';
import type { Hex } from '../data/types.ts';
import { plural } from '../format.ts';
import type { Decoder } from './decoder.ts';

/** The decoder's module, which is loaded lazily once the page is shown. */
const loaded = signal<typeof import('./decoder.ts') | undefined>(undefined);
const dropped = signal<readonly Artifact[]>([]);
/** The artifacts in the node's folder of artifacts. */
const ofNode = signal<readonly Artifact[]>([]);
/** Whether the request for the node's ABIs has ended, with or without success. */
export const hasAbis = signal(false);
/** The message about the files dropped last: which contracts they hold, and which files were invalid. */
export const dropNews = signal('');

export const decoder = computed<Decoder | undefined>(() => {
  const module = loaded.value;
  return module && new module.Decoder([...dropped.value, ...ofNode.value]);
});
export const abiCode = computed(() => loaded.value);

const KEPT = 'devnet.artifacts';

/** Loads the ABI decoder, the artifacts kept in this tab's session storage, and the node's artifacts. */
export async function loadDecoder(): Promise<void> {
  try {
    dropped.value = JSON.parse(sessionStorage.getItem(KEPT) ?? '[]') as Artifact[];
  } catch {
    // Session storage is not available: the user can drop the files again.
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

/** Adds the ABIs and the private keys of accounts that the files contain. Data on the page is decoded again with the new ABIs. */
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
    // The artifacts don't fit into session storage: they last until the page is reloaded.
  }
}

const codes = signal<ReadonlyMap<string, Hex>>(new Map());
/** Addresses whose code is known or was asked for. */
const asked = new Set<string>();
/** Addresses whose code the next request asks for. */
let wanted: string[] = [];
/** Limit of the code cache in addresses: a busy chain has new addresses in each block. */
const MAX_CODES = 2_000;

/** Forgets addresses without code, which may have become contracts, and the implementations of proxies, which may have changed. */
export function forgetEmptyCode(): void {
  for (const [address, code] of codes.peek()) if (code === '0x') asked.delete(address);
  askedSlots.clear();
}

/** Code of an address at `pending`. Returns `undefined` while it isn't known, and requests it. */
export function codeOf(address: Hex): Hex | undefined {
  const key = address.toLowerCase();
  if (!asked.has(key) && rpc.state.value === 'open') {
    asked.add(key);
    wanted.push(key);
    // One batch request serves all addresses that one rendering needs.
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
      if (known.size <= MAX_CODES) break;
      known.delete(oldest);
      asked.delete(oldest);
    }
    codes.value = known;
  } catch {
    for (const address of addresses) asked.delete(address);
  }
}

/** The contracts among the addresses whose code was requested. */
export function seenContracts(): Hex[] {
  return [...codes.value].flatMap(([address, code]) => (code === '0x' ? [] : [address as Hex]));
}

/** Storage slot in which EIP-1967 proxies keep the address of their implementation. */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
/** Code of a minimal proxy (EIP-1167), or of an account that delegates to a contract (EIP-7702). */
const FORWARDS = /^0x(?:363d3d373d3d3d363d73(.{40})5af43d82803e903d91602b57fd5bf3|ef0100(.{40}))$/;

const slots = signal<ReadonlyMap<string, Hex>>(new Map());
const askedSlots = new Set<string>();

/** The contract whose code runs when this one is called: the target of a proxy or a delegation, otherwise the contract itself. */
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

/** Cache of artifacts by code, for each decoder: comparing code takes longer than everything else that draws a line. */
const matched = new WeakMap<Decoder, Map<Hex, Artifact | undefined>>();

function artifactAt(address: Hex): Artifact | undefined {
  const known = decoder.value;
  if (!known || known.artifacts.length === 0) return undefined;
  const code = codeOf(address);
  if (!code || code === '0x') return undefined;
  const byCode = matched.get(known) ?? new Map<Hex, Artifact | undefined>();
  matched.set(known, byCode);
  if (!byCode.has(code)) {
    if (byCode.size >= MAX_CODES) byCode.clear();
    byCode.set(code, known.artifactOf(code));
  }
  return byCode.get(code);
}

/** The artifact that a contract was compiled to. For a proxy it is the artifact of its implementation. */
export function artifactOfContract(address: Hex | null | undefined): Artifact | undefined {
  if (!address || !decoder.value?.artifacts.length) return undefined;
  const behind = implementationOf(address);
  return (behind === address ? undefined : artifactAt(behind)) ?? artifactAt(address);
}

/** The name of a contract's artifact. */
export function contractName(address: Hex | null | undefined): string | undefined {
  return artifactOfContract(address)?.name;
}

// A different instance id means another chain, with other contracts.
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
