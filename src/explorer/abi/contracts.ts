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
  const [{ artifactOf }, response] = await Promise.all([
    import('../../sources/abi/artifact.ts'),
    fetch('/explorer/artifacts.json'),
  ]);
  if (!response.ok) return;
  const found = (await response.json()) as { readonly file: string }[];
  ofNode.value = found.map((json) => artifactOf(json.file, json));
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
const asked = new Set<string>();

/** Forgets the code of contracts that weren't there. */
export function forgetEmptyCode(): void {
  for (const [address, code] of codes.peek()) if (code === '0x') asked.delete(address);
}

/** An address's code at `pending`; `undefined` until it is known, which is asked for by this call. */
export function codeOf(address: Hex): Hex | undefined {
  const key = address.toLowerCase();
  if (!asked.has(key) && rpc.state.value === 'open') {
    asked.add(key);
    rpc.call<Hex>('eth_getCode', address, 'pending').then(
      (code) => {
        codes.value = new Map(codes.peek()).set(key, code);
      },
      () => asked.delete(key),
    );
  }
  return codes.value.get(key);
}

/** Contracts that are at the same address on every chain. */
const AT: Readonly<Record<string, string>> = {
  '0xca11bde05977b3631167028862be2a173976ca11': 'Multicall3',
  '0x4e59b44847b379578588920ca78fbf26c0b4956c': 'create2 deployer',
  '0x0000f90827f1c53a10cb7a02335b175320002935': 'block hashes (EIP-2935)',
  '0x000f3df6d732807ef1319fb7b8bb8522d0beac02': 'beacon roots (EIP-4788)',
  '0x000000000000000000636f6e736f6c652e6c6f67': 'console.log',
};

/** The name of the artifact that a contract was made of, or of a contract that every chain has. */
export function contractName(address: Hex | null | undefined): string | undefined {
  const known = decoder.value;
  if (!address) return undefined;
  const fixed = AT[address.toLowerCase()];
  if (fixed || !known || known.artifacts.length === 0) return fixed;
  const code = codeOf(address);
  return code && code !== '0x' ? known.artifactOf(code)?.name : undefined;
}

// Another chain has other contracts.
let instance: string | undefined;
store.status.subscribe((status) => {
  if (status && instance !== undefined && status.instanceId !== instance) {
    asked.clear();
    codes.value = new Map();
  }
  instance = status?.instanceId ?? instance;
});
