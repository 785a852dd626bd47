import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** What starts anvil and Hardhat's node, which test/suites installs. */
export async function suiteNodes() {
  if (!existsSync(resolve(import.meta.dirname, '../../test/suites/node_modules')))
    throw new Error('npm run test:clients fetches what it runs on');
  return import('../../test/suites/nodes.mjs');
}
