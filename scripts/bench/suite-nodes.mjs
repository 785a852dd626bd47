import { installSuitePackages } from '../suite-packages.mjs';

/** What starts anvil and Hardhat's node, from the packages of test/suites, which are installed for it. */
export async function suiteNodes() {
  installSuitePackages();
  return import('../../test/suites/nodes.mjs');
}
