import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: process.env.BY_URL ? ['devnet/vitest/setup'] : [],
    // Both files in one worker at a time: they share its chain where they get it from the globalSetup.
    maxWorkers: 1,
  },
});
