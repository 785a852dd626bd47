import { defineConfig } from 'vitest/config';

const include = ['*.spec.mjs'];

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'chains of the workers', include } },
      { test: { name: 'chains of the globalSetup', include, globalSetup: 'devnet/vitest/setup' } },
    ],
  },
});
