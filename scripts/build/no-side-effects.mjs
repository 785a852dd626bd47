import { resolve } from 'node:path';

/**
 * EthereumJS's packages declare that their modules have no side effects, but esbuild reads the nearest package.json, which is a nearly
 * empty one beside the modules. Without the declaration a bundle that only writes bytes in hex has 60 kB of elliptic curves.
 */
export const noSideEffects = {
  name: 'no-side-effects',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) =>
      /[\\/]@ethereumjs[\\/]\w+[\\/]dist[\\/]esm\b/.test(resolveDir)
        ? { path: resolve(resolveDir, path), sideEffects: false }
        : undefined,
    );
  },
};
