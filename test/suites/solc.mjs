#!/usr/bin/env node
// npm's solc under the native compiler's command line, as forge calls it: `--version`, or standard JSON on stdin.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// solc takes every uncaught exception of the process for its own.
const solc = createRequire(import.meta.url)('solc');

if (process.argv.includes('--version')) {
  process.stdout.write(
    `solc, the solidity compiler commandline interface\nVersion: ${solc.version().replace('.Emscripten.clang', '.Linux.g++')}\n`,
  );
} else {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')));
}
