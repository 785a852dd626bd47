#!/usr/bin/env node
// Committed as it stands: npx caches a dead link where the bin file is missing before the build.
import { existsSync } from 'node:fs';

const build = new URL('../dist/cli.js', import.meta.url);
if (existsSync(build)) {
  await import(build.href);
} else {
  console.error('not built: run npm ci');
  process.exitCode = 1;
}
