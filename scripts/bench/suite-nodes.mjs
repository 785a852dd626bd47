import { installSuitePackages } from '../suite-packages.mjs';

/** The module that starts anvil and Hardhat's node from the packages of test/suites, which are installed first. */
export async function suiteNodes() {
  installSuitePackages();
  return import('../../test/suites/nodes.mjs');
}
