#!/usr/bin/env node
// Committed as it stands: npx caches a dead link where the bin file is missing before the build.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { refusalOf } from './node-version.cjs';

const build = new URL('../dist/cli.js', import.meta.url);
const refusal = refusalOf(process.versions.node);
if (refusal) {
  console.error(`error: ${refusal}`);
  process.exitCode = 1;
} else if (existsSync(build)) {
  await import(build.href);
} else {
  const folder = dirname(dirname(fileURLToPath(import.meta.url)));
  console.error(`error: devnet is not built: run "npm ci" (or "npm run build" after it) in ${folder}`);
  process.exitCode = 1;
}
