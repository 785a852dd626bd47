import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000 * Number(process.env.FUZZ ?? 1),
    hookTimeout: 20_000,
  },
});
